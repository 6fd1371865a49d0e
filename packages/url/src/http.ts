/**
 * HTTP, RFC 1738 §3.3, and `https:`:
 *
 *     httpurl  = "http://" hostport [ "/" hpath [ "?" search ]]
 *     hpath    = hsegment *[ "/" hsegment ]
 *     hsegment = *[ uchar | ";" | ":" | "@" | "&" | "=" ]
 *     search   = *[ uchar | ";" | ":" | "@" | "&" | "=" ]
 */
import { production } from './characters.ts';
import type { Components, Grammar } from './grammar.ts';
import {
  decodeLogin,
  encodeLogin,
  formatLogin,
  loginEnd,
  readLogin,
  type ParsedLogin,
  type RawLogin,
} from './login.ts';
import { draft } from './parsed-url.ts';
import { decode, encode, type Octets } from './percent.ts';
import type { Reading } from './reading.ts';
import type { HttpUrl } from './url.ts';

// Path and search go on the wire as they are written, so a lone "%" in them does no harm.
const hpath = production('hsegment', '/;:@&=', { looseEscapes: true });
const search = production('search', ';:@&=', { looseEscapes: true });

/** Raw input for `build.http`; a `/` in the path separates segments. */
export interface RawHttp extends RawLogin {
  readonly scheme?: 'http' | 'https';
  readonly path?: Octets;
  readonly search?: Octets;
  readonly fragment?: Octets;
}

function decodeComponents(url: HttpUrl): HttpUrl['octets'] {
  return {
    ...decodeLogin(url),
    ...(url.path !== undefined && { path: decode(url.path) }),
    ...(url.search !== undefined && { search: decode(url.search) }),
  };
}

function finish(
  reading: Reading,
  login: ParsedLogin,
  path: string | undefined,
  searchPart: string | undefined,
): HttpUrl {
  const url = draft<HttpUrl>('http', reading, login, decodeComponents);
  if (path !== undefined) url.path = path;
  if (searchPart !== undefined) url.search = searchPart;
  return url;
}

function parse(reading: Reading): HttpUrl {
  const { end } = reading;
  const slash = loginEnd(reading);
  const pathEnd = reading.find('?', reading.start);
  // A "?" ends the login too: where no user may stand, none may hold one.
  const login = readLogin(reading, 'hostport', Math.min(slash, pathEnd));
  let path: string | undefined;
  if (login.end < pathEnd) path = reading.component(hpath, login.end + 1, pathEnd);
  if (pathEnd === end) return finish(reading, login, path, undefined);
  if (path === undefined) reading.tolerate('httpurl', pathEnd, 'a "/" must stand before "?"');
  return finish(reading, login, path, reading.component(search, pathEnd + 1, end));
}

function format(url: Components<HttpUrl>): string {
  const path = url.path === undefined && url.search === undefined ? '' : `/${url.path ?? ''}`;
  return formatLogin(url) + path + (url.search === undefined ? '' : `?${url.search}`);
}

/** Encodes raw input as components. */
export function encodeHttp(raw: RawHttp): Components<HttpUrl> {
  return {
    grammar: 'http',
    scheme: raw.scheme ?? 'http',
    ...encodeLogin(raw),
    ...(raw.path !== undefined && { path: encode(raw.path, '/;:@&=') }),
    ...(raw.search !== undefined && { search: encode(raw.search, ';:@&=') }),
  };
}

export const http: Grammar<HttpUrl> = { schemes: ['http', 'https'], parse, format };
