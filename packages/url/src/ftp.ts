/**
 * FTP, RFC 1738 §3.2, and `ftps:`:
 *
 *     ftpurl   = "ftp://" login [ "/" fpath [ ";type=" ftptype ]]
 *     fpath    = fsegment *[ "/" fsegment ]
 *     fsegment = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
 *     ftptype  = "A" | "I" | "D" | "a" | "i" | "d"
 */
import { production, type Production } from './characters.ts';
import type { Components, Grammar } from './grammar.ts';
import { decodeLogin, encodeLogin, formatLogin, readLogin, type RawLogin } from './login.ts';
import { draft } from './parsed-url.ts';
import { decode, encode, type Octets } from './percent.ts';
import type { Reading } from './reading.ts';
import type { FtpUrl } from './url.ts';

const fsegment: Production = production('fsegment', '?:@&=');
const SEGMENT_PLAIN = '?:@&=';
const TYPE = ';type=';
const TYPECODES = new Map(
  (['a', 'i', 'd'] as const).flatMap((code) => [
    [code.charCodeAt(0), code],
    [code.toUpperCase().charCodeAt(0), code],
  ]),
);

/** Raw input for `build.ftp`; without directories and name the URL has no url-path. */
export interface RawFtp extends RawLogin {
  readonly scheme?: 'ftp' | 'ftps';
  readonly directories?: readonly Octets[];
  readonly name?: Octets;
  readonly typecode?: 'a' | 'i' | 'd';
  readonly fragment?: Octets;
}

function decodeComponents(url: FtpUrl): FtpUrl['octets'] {
  return { ...decodeLogin(url), ...decodePath(url) };
}

function parse(reading: Reading): FtpUrl {
  const login = readLogin(reading, 'login');
  if (login.end === reading.end) return draft<FtpUrl>('ftp', reading, login, decodeComponents);
  const pathEnd = typeStart(reading, login.end + 1);
  const path = readPath(reading, login.end + 1, pathEnd);
  const typecode = readType(reading, pathEnd);
  const url = draft<FtpUrl>('ftp', reading, login, decodeComponents);
  url.directories = path.directories;
  url.name = path.name;
  if (typecode !== undefined) url.typecode = typecode;
  return url;
}

/** Offset of the `;type=` in the last segment, or of the path's end. Any other `;` is an unescaped part of a segment. */
function typeStart(reading: Reading, start: number): number {
  const { text, end } = reading;
  if (reading.find(';', start) === end) return end;
  const usual = end - TYPE.length - 1;
  if (usual >= start && text.charCodeAt(end - 1) !== 0x2f && text.startsWith(TYPE, usual)) return usual;
  const name = text.lastIndexOf('/', end - 1) + 1;
  for (let at = text.lastIndexOf(';', end - 1); at >= name; at = text.lastIndexOf(';', at - 1)) {
    if (at + TYPE.length <= end && text.slice(at, at + TYPE.length).toLowerCase() === TYPE) return at;
  }
  return end;
}

function readType(reading: Reading, start: number): 'a' | 'i' | 'd' | undefined {
  const { text, end } = reading;
  if (start === end) return undefined;
  const valueStart = start + TYPE.length;
  if (!text.startsWith(TYPE, start)) reading.tolerate('ftpurl', start, '";type=" is not in lower case');
  const typecode = end === valueStart + 1 ? TYPECODES.get(text.charCodeAt(valueStart)) : undefined;
  return typecode ?? reading.fail('ftptype', valueStart, 'the typecode is not one of "a", "i" and "d"');
}

/** The segments of a path: the last is the name. */
export interface FilePath {
  readonly directories: readonly string[];
  readonly name: string;
}

/** Reads `fpath`, split before anything is decoded: `%2F` is data inside a segment (§3.2.2). */
export function readPath(reading: Reading, start: number, end: number): FilePath {
  const directories: string[] = [];
  let segment = start;
  for (;;) {
    const slash = reading.text.indexOf('/', segment);
    if (slash < 0 || slash > end) return { directories, name: reading.component(fsegment, segment, end) };
    directories.push(reading.component(fsegment, segment, slash));
    segment = slash + 1;
  }
}

export function formatPath({ directories = [], name = '' }: Partial<FilePath>): string {
  return [...directories, name].map((segment) => `/${segment}`).join('');
}

export function decodePath({ directories = [], name = '' }: Partial<FilePath>): {
  directories: readonly Uint8Array[];
  name: Uint8Array;
} {
  return { directories: directories.map(decode), name: decode(name) };
}

/** Encodes the segments of a path: a `/` within one becomes `%2F`. */
export function encodePath(directories: readonly Octets[] = [], name: Octets = ''): FilePath {
  return {
    directories: directories.map((directory) => encode(directory, SEGMENT_PLAIN)),
    name: encode(name, SEGMENT_PLAIN),
  };
}

function format(url: Components<FtpUrl>): string {
  const { directories, name, typecode } = url;
  const absent = directories === undefined && name === undefined && typecode === undefined;
  return formatLogin(url) + (absent ? '' : formatPath(url)) + (typecode === undefined ? '' : TYPE + typecode);
}

/** Encodes raw input as components. */
export function encodeFtp(raw: RawFtp): Components<FtpUrl> {
  const { directories, name, typecode } = raw;
  const absent = directories === undefined && name === undefined && typecode === undefined;
  return {
    grammar: 'ftp',
    scheme: raw.scheme ?? 'ftp',
    ...encodeLogin(raw),
    ...(!absent && encodePath(directories, name)),
    ...(typecode !== undefined && { typecode }),
  };
}

export const ftp: Grammar<FtpUrl> = { schemes: ['ftp', 'ftps'], parse, format };
