/** AUTHINFO USER and PASS (RFC 4643 §2.3): only when the server wants a login, and nothing invented (RFC 1738 §3.2.1). */
import { requireOneLine, RetrievalError, textOf, type Credentials, type Reply } from '@retriever/driver';
import type { Job } from './job.ts';
import { isDone, refusal } from './response.ts';

/** What a person typed goes out as UTF-8 (RFC 4643 §2.3.2). */
const utf8 = new TextEncoder();

/**
 * Logs in with what the URL, the request or the server's own entry gives, else asks the user.
 *
 * @param demand The response that wants a login.
 * @throws RetrievalError `credentials` when user or password is missing or wrong.
 */
export async function logIn(job: Job, demand: Reply): Promise<void> {
  const asked = job.server.user === undefined ? await ask(job, 'login', demand) : undefined;
  const user = job.server.user ?? required(job, asked?.user, 'a login', demand);
  const response = await authInfo(job, user, asked?.password);
  if (!isDone(response)) throw refusal(`the login as ${shown(user)} at ${job.server.host}`, response);
}

/**
 * Logs in with what was given, though the server did not ask. Returns whether anything may be different now.
 *
 * @throws RetrievalError `credentials` when the server does not take it.
 */
export async function logInUnasked(job: Job): Promise<boolean> {
  const { session } = job.lease;
  const { user, host } = job.server;
  if (user === undefined || session.authenticated || session.refusesLogin) return false;
  const response = await authInfo(job, user);
  if (isDone(response)) return true;
  // A server without logins (sn) has nothing to hide behind one.
  if (response.code < 500) throw refusal(`the login as ${shown(user)} at ${host}`, response);
  session.refusesLogin = true;
  return false;
}

async function authInfo(job: Job, user: Uint8Array, asked?: string): Promise<Reply> {
  const { session } = job.lease;
  const { connection } = session;
  connection.send({ line: ['AUTHINFO USER ', requireOneLine(user, 'the user name')] });
  let response = await connection.response();
  if (response.code === 381) {
    const password = job.server.password ?? (await passwordFor(job, user, asked, response));
    connection.keepSecret(password);
    connection.sendPassword(requireOneLine(password, 'the password'));
    response = await connection.response();
  }
  if (!isDone(response)) return response;
  session.authenticated = true;
  // What the server offers and shows may be different now (RFC 4643 §2.2).
  session.group = undefined;
  session.capabilities = undefined;
  return response;
}

async function passwordFor(job: Job, user: Uint8Array, asked: string | undefined, demand: Reply): Promise<Uint8Array> {
  const given = asked ?? (await ask(job, 'password', demand))?.password;
  return required(job, given, `a password for ${shown(user)}`, demand);
}

const shown = (user: Uint8Array): string => JSON.stringify(textOf(user));

function ask(job: Job, wanted: 'login' | 'password', demand: Reply): Promise<Credentials | undefined> {
  const { server, access } = job;
  return access.credentials({
    scheme: job.request.url.scheme,
    host: server.host,
    port: server.port,
    wanted,
    user: server.user && textOf(server.user),
    prompt: demand.text,
  });
}

function required({ server }: Job, given: string | undefined, what: string, demand: Reply): Uint8Array {
  if (given !== undefined) return utf8.encode(given);
  throw new RetrievalError('credentials', `${server.host} wants ${what}; put it into the URL or answer when asked`, {
    reply: { code: demand.code, text: demand.text },
  });
}
