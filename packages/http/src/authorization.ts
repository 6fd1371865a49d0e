/** Basic authentication, RFC 7617. Digest is not spoken. */
import { RetrievalError, type Access, type RetrievalRequest } from '@retriever/driver';
import type { HttpUrl } from '@retriever/url';
import { field, type Fields } from './fields.ts';
import { portOf } from './request.ts';

/** The value of `Authorization` for the user and password that came with the request; undefined when there is no password yet. */
export function givenAuthorization({ url, credentials }: RetrievalRequest<HttpUrl>): string | undefined {
  if (credentials)
    return credentials.password === undefined ? undefined : basic(credentials.user, credentials.password);
  const { user = new Uint8Array(0), password } = url.octets;
  return password && basic(user, password);
}

/**
 * Asks for what is missing after a 401 that offers Basic.
 *
 * @returns the value of `Authorization`; undefined when nobody answered or the server wants something else.
 */
export async function askedAuthorization(
  request: RetrievalRequest<HttpUrl>,
  challenges: string,
  access: Access,
): Promise<string | undefined> {
  if (!offersBasic(challenges)) return undefined;
  const { url } = request;
  const known = request.credentials?.user ?? (url.octets.user && Buffer.from(url.octets.user).toString());
  const answer = await access.credentials({
    scheme: url.scheme,
    host: url.host,
    port: portOf(url),
    wanted: known === undefined ? 'login' : 'password',
    user: known,
    prompt: realmOf(challenges),
  });
  const user = answer?.user ?? known;
  return user === undefined || answer?.password === undefined ? undefined : basic(user, answer.password);
}

/** What the server wants, in its own words: all lines of `WWW-Authenticate`. */
export function challengesOf(fields: Fields): string {
  return field(fields, 'www-authenticate') ?? '';
}

/** Whether one of the challenges (RFC 9110 §11.6.1) is for Basic. */
export function offersBasic(challenges: string): boolean {
  // Strings go first, since they may hold commas; an unclosed one counts to the end.
  const bare = challenges.replace(/"(?:\\.|[^"\\])*(?:"|\\?$)/g, '""');
  return bare.split(',').some((part) => /^\s*basic(?:\s|$)/i.test(part));
}

function realmOf(challenges: string): string | undefined {
  const [, quoted, plain] = /\brealm\s*=\s*(?:"((?:\\.|[^"\\])*)(?:"|\\?$)|([^\s,]+))/i.exec(challenges) ?? [];
  return quoted?.replace(/\\(.)/g, '$1') ?? plain;
}

function basic(user: string | Uint8Array, password: string | Uint8Array): string {
  const name = Buffer.from(user);
  if (name.includes(':'))
    throw new RetrievalError('credentials', 'a user name with a colon cannot be sent as Basic (RFC 7617 §2)');
  return `Basic ${Buffer.concat([name, Buffer.from(':'), Buffer.from(password)]).toString('base64')}`;
}
