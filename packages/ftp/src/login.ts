/** USER, PASS and ACCT (RFC 959 §4.1.1): each only when the server asks for it, and nothing invented (RFC 1738 §3.2.1). */
import { latin1Of, RetrievalError, textOf, type Access } from '@retriever/driver';
import type { ControlConnection } from './control-connection.ts';
import type { Identity } from './identity.ts';
import { isComplete, refusal, type FtpReply } from './reply.ts';

export interface LoginOptions {
  readonly identity: Identity;
  readonly account?: string | undefined;
  /** Send the password of anonymous, which is none, along with the user. */
  readonly pipelining: boolean;
  readonly scheme: string;
  readonly port: number;
  readonly credentials: Access['credentials'];
}

/** What a person typed goes out as UTF-8 (RFC 2640 §2.2). */
const utf8 = new TextEncoder();

/** @throws RetrievalError `credentials` when a password or account is missing or wrong. */
export async function login(control: ControlConnection, options: LoginOptions): Promise<void> {
  const user = textOf(options.identity.user);
  let reply = await userAndPassword(control, options);
  if (reply.code === 332) {
    const account =
      options.account === undefined ? await asked(control, options, 'account', reply) : utf8.encode(options.account);
    control.keepSecret(account);
    reply = await control.sendSecret('ACCT', account).final;
  }
  // 202: superfluous at this site, RFC 959 §4.2.2.
  if (!isComplete(reply)) throw refusal(`the login as ${JSON.stringify(user)} at ${control.host}`, reply);
}

async function userAndPassword(control: ControlConnection, options: LoginOptions): Promise<FtpReply> {
  const { user, password: known, anonymous } = options.identity;
  if (anonymous && known && options.pipelining) {
    const [first, second] = control.together(
      () => [control.send('USER ', user), control.sendSecret('PASS', known)] as const,
    );
    const reply = await first.final;
    // A refusal may close the session: nothing to wait for then.
    if (reply.code !== 331 && !isComplete(reply)) return reply;
    const last = await second.final;
    return reply.code === 331 ? last : reply;
  }
  // Pure-FTPd answers anonymous with 230 straight after USER.
  const reply = await control.command('USER ', user);
  if (reply.code !== 331) return reply;
  const password = known ?? (await asked(control, options, 'password', reply));
  if (!anonymous) control.keepSecret(password);
  return control.sendSecret('PASS', password).final;
}

async function asked(
  control: ControlConnection,
  options: LoginOptions,
  wanted: 'password' | 'account',
  prompt: FtpReply,
): Promise<Uint8Array> {
  const user = textOf(options.identity.user);
  const { scheme, port } = options;
  const answer = await options.credentials({ scheme, host: control.host, port, wanted, user, prompt: prompt.text });
  const secret = answer?.[wanted];
  if (secret !== undefined) return utf8.encode(secret);
  throw new RetrievalError(
    'credentials',
    `${control.host} wants ${wanted === 'password' ? 'a password' : 'an account'} for ${JSON.stringify(user)}; put it into the URL or answer when asked`,
    { reply: { code: prompt.code, text: prompt.text } },
  );
}

/** The identity as a part of a pool key; never shown. */
export const identityKey = ({ user, password, anonymous }: Identity): readonly unknown[] => [
  anonymous,
  latin1Of(user),
  password === undefined ? null : latin1Of(password),
];
