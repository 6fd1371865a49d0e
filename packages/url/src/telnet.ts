/**
 * Interactive sessions, RFC 1738 §3.8:
 *
 *     telneturl = "telnet://" login [ "/" ]
 */
import type { Components, Grammar } from './grammar.ts';
import { decodeLogin, encodeLogin, formatLogin, readLogin, type ParsedLogin, type RawLogin } from './login.ts';
import { draft } from './parsed-url.ts';
import type { Octets } from './percent.ts';
import { xchar } from './characters.ts';
import type { Reading } from './reading.ts';
import type { TelnetUrl } from './url.ts';

/** Raw input for `build.telnet`. */
export interface RawTelnet extends RawLogin {
  readonly fragment?: Octets;
}

function decodeComponents(url: TelnetUrl): TelnetUrl['octets'] {
  return decodeLogin(url);
}

function finish(reading: Reading, login: ParsedLogin): TelnetUrl {
  const url = draft<TelnetUrl>('telnet', reading, login, decodeComponents);
  return url;
}

function parse(reading: Reading): TelnetUrl {
  const login = readLogin(reading, 'login');
  const rest = login.end + 1;
  if (rest < reading.end) {
    reading.tolerate('telneturl', rest, 'nothing follows the "/" of a telnet URL');
    reading.component(xchar, rest, reading.end);
  }
  return finish(reading, login);
}

function format(url: Components<TelnetUrl>): string {
  return `${formatLogin(url)}/`;
}

/** Encodes raw input as components. */
export function encodeTelnet(raw: RawTelnet): Components<TelnetUrl> {
  return { grammar: 'telnet', scheme: 'telnet', ...encodeLogin(raw) };
}

export const telnet: Grammar<TelnetUrl> = { schemes: ['telnet'], parse, format };
