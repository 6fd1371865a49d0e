/**
 * The common Internet scheme syntax, RFC 1738 §3.1:
 *
 *     ip-schemepart  = "//" login [ "/" urlpath ]
 *     login          = [ user [ ":" password ] "@" ] hostport
 *     hostport       = host [ ":" port ]
 *     port           = digits
 *     user           = *[ uchar | ";" | "?" | "&" | "=" ]
 *     password       = *[ uchar | ";" | "?" | "&" | "=" ]
 */
import { isDigit, production } from './characters.ts';
import { formatHost, readHost, checkHost } from './host.ts';
import { decode, encode, type Octets } from './percent.ts';
import type { Reading } from './reading.ts';
import type { Login, LoginOctets } from './url.ts';

const RESERVED_NOT = ';?&=';
const user = production('user', RESERVED_NOT);
const password = production('password', RESERVED_NOT);

/** A login as read, and the offset after it. */
export interface ParsedLogin {
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly host: string;
  readonly port: number | undefined;
  /** Offset of the `/` after the login, or of the scheme-specific part's end. */
  readonly end: number;
}

/** Raw input for a login: text is encoded as UTF-8. */
export interface RawLogin {
  readonly user?: Octets;
  readonly password?: Octets;
  readonly host: string;
  readonly port?: number;
}

/** Whether a scheme's syntax has a login; where it has only a hostport, a user is a tolerated departure. */
export type LoginSyntax = 'login' | 'hostport';

/** Reads `"//" login`, which ends at the offset given: that of the first `/`, unless more than that ends it. */
export function readLogin(reading: Reading, syntax: LoginSyntax, end: number = loginEnd(reading)): ParsedLogin {
  const { text } = reading;
  const start = reading.start + 2;
  const at = text.indexOf('@', start);
  if (at < 0 || at >= end) return readHostport(reading, undefined, undefined, start, end);
  if (syntax === 'hostport') reading.tolerate('hostport', start, 'a URL of this scheme has no user');
  return readUser(reading, start, at, end);
}

/** Offset of the `/` after the login, or of the scheme-specific part's end. */
export function loginEnd(reading: Reading): number {
  const { text, start } = reading;
  if (text.charCodeAt(start) !== 0x2f || text.charCodeAt(start + 1) !== 0x2f) {
    reading.fail(`${reading.scheme}url`, start, '"//" must follow the scheme');
  }
  return reading.find('/', start + 2);
}

function readUser(reading: Reading, start: number, firstAt: number, end: number): ParsedLogin {
  const { text } = reading;
  // The last "@" delimits: an earlier one can only be an unescaped part of the user or password.
  let at = firstAt;
  for (let next = at; next >= 0 && next < end; next = text.indexOf('@', next + 1)) at = next;
  const colon = text.indexOf(':', start);
  const userEnd = colon < 0 || colon > at ? at : colon;
  const userText = reading.component(user, start, userEnd);
  const passwordText = userEnd === at ? undefined : reading.component(password, userEnd + 1, at);
  return readHostport(reading, userText, passwordText, at + 1, end);
}

function readHostport(
  reading: Reading,
  userText: string | undefined,
  passwordText: string | undefined,
  start: number,
  end: number,
): ParsedLogin {
  const { text } = reading;
  const colon = text.charCodeAt(start) === 0x5b ? literalEnd(reading, start, end) : text.indexOf(':', start);
  const hostEnd = colon < 0 || colon > end ? end : colon;
  const host = readHost(reading, start, hostEnd);
  const port = hostEnd === end ? undefined : readPort(reading, hostEnd, end);
  return { user: userText, password: passwordText, host, port, end };
}

function literalEnd(reading: Reading, start: number, end: number): number {
  const bracket = reading.text.indexOf(']', start);
  if (bracket < 0 || bracket >= end) reading.fail('host', start, '"[" has no "]"');
  return bracket + 1;
}

/** Reads `":" port`, which takes all of what follows the host. */
function readPort(reading: Reading, start: number, end: number): number | undefined {
  const { text } = reading;
  if (text[start] !== ':') reading.fail('hostport', start, 'only ":" and a port may follow "]"');
  if (start + 1 === end) {
    reading.tolerate('port', start, 'the port is empty; its colon must be omitted too');
    return undefined;
  }
  let port = 0;
  for (let at = start + 1; at < end; at++) {
    const code = text.charCodeAt(at);
    if (!isDigit(code)) reading.fail('port', at, 'the port is not a number');
    port = port * 10 + code - 0x30;
    if (port > 65_535) reading.fail('port', start + 1, 'the port is greater than 65535');
  }
  return port;
}

/** `//user:password@host:port`, as far as present. */
export function formatLogin(login: Partial<Login>): string {
  const port = login.port === undefined ? '' : `:${login.port}`;
  return `//${formatUser(login)}${formatHost(login.host ?? '')}${port}`;
}

function formatUser({ user, password }: Partial<Login>): string {
  if (user === undefined && password === undefined) return '';
  return password === undefined ? `${user}@` : `${user ?? ''}:${password}@`;
}

export function encodeLogin(raw: RawLogin): Login {
  return {
    ...(raw.user !== undefined && { user: encode(raw.user, RESERVED_NOT) }),
    ...(raw.password !== undefined && { password: encode(raw.password, RESERVED_NOT) }),
    host: checkHost(raw.host),
    ...(raw.port !== undefined && { port: raw.port }),
  };
}

export function decodeLogin(login: Partial<Login>): LoginOctets {
  return {
    ...(login.user !== undefined && { user: decode(login.user) }),
    ...(login.password !== undefined && { password: decode(login.password) }),
  };
}
