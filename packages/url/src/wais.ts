/**
 * Wide Area Information Servers, RFC 1738 §3.9:
 *
 *     waisurl      = waisdatabase | waisindex | waisdoc
 *     waisdatabase = "wais://" hostport "/" database
 *     waisindex    = "wais://" hostport "/" database "?" search
 *     waisdoc      = "wais://" hostport "/" database "/" wtype "/" wpath
 *     database     = *uchar
 *     wtype        = *uchar
 *     wpath        = *uchar
 *
 * libwww writes a wpath with bare `/`, `;` and `=`: each is a tolerated departure.
 */
import { production } from './characters.ts';
import type { Components, Grammar } from './grammar.ts';
import { decodeLogin, encodeLogin, formatLogin, readLogin, type ParsedLogin, type RawLogin } from './login.ts';
import { draft } from './parsed-url.ts';
import { decode, encode, type Octets } from './percent.ts';
import type { Reading } from './reading.ts';
import type { WaisUrl } from './url.ts';
import { UrlSyntaxError } from './violation.ts';

const database = production('database');
const search = production('search', ';:@&=');
const wtype = production('wtype');
const wpath = production('wpath');

/** Raw input for `build.wais`: a database, with a search or with a type and a path. */
export interface RawWais extends RawLogin {
  readonly database: Octets;
  readonly search?: Octets;
  readonly wtype?: Octets;
  readonly wpath?: Octets;
  readonly fragment?: Octets;
}

function decodeComponents(url: WaisUrl): WaisUrl['octets'] {
  return {
    ...decodeLogin(url),
    database: decode(url.database),
    ...(url.search !== undefined && { search: decode(url.search) }),
    ...(url.wtype !== undefined && { wtype: decode(url.wtype) }),
    ...(url.wpath !== undefined && { wpath: decode(url.wpath) }),
  };
}

function finish(reading: Reading, login: ParsedLogin, path: WaisPath): WaisUrl {
  const url = draft<WaisUrl>('wais', reading, login, decodeComponents);
  url.database = path.database;
  if (path.search !== undefined) url.search = path.search;
  if (path.wtype !== undefined) url.wtype = path.wtype;
  if (path.wpath !== undefined) url.wpath = path.wpath;
  return url;
}

type WaisPath = Pick<WaisUrl, 'database' | 'search' | 'wtype' | 'wpath'>;

function parse(reading: Reading): WaisUrl {
  const login = readLogin(reading, 'hostport');
  if (login.end === reading.end) {
    reading.tolerate('waisurl', login.end, 'the "/" before the database is missing');
    return finish(reading, login, { database: '' });
  }
  return finish(reading, login, readPath(reading, login.end + 1));
}

function readPath(reading: Reading, start: number): WaisPath {
  const { text, end } = reading;
  let at = start;
  while (at < end && text[at] !== '/' && text[at] !== '?') at++;
  const name = reading.component(database, start, at);
  if (at === end) return { database: name };
  if (text[at] === '?') return { database: name, search: reading.component(search, at + 1, end) };
  return { database: name, ...readDocument(reading, at + 1) };
}

function readDocument(reading: Reading, start: number): Pick<WaisUrl, 'wtype' | 'wpath'> {
  const { text, end } = reading;
  const slash = text.indexOf('/', start);
  if (slash >= 0 && slash < end) {
    return { wtype: reading.component(wtype, start, slash), wpath: reading.component(wpath, slash + 1, end) };
  }
  const type = reading.component(wtype, start, end);
  reading.tolerate('waisdoc', end, 'the wpath is missing');
  return type === '' ? {} : { wtype: type };
}

function format(url: Components<WaisUrl>): string {
  const { search: query, wtype: type, wpath: path } = url;
  const document = path === undefined ? (type === undefined ? '' : `/${type}`) : `/${type ?? ''}/${path}`;
  return `${formatLogin(url)}/${url.database}${query === undefined ? document : `?${query}`}`;
}

/** Encodes raw input as components. */
export function encodeWais(raw: RawWais): Components<WaisUrl> {
  if (raw.search !== undefined && (raw.wtype !== undefined || raw.wpath !== undefined)) {
    throw new UrlSyntaxError('waisurl', 0, 'a wais URL names a search or a document, not both');
  }
  return {
    grammar: 'wais',
    scheme: 'wais',
    ...encodeLogin(raw),
    database: encode(raw.database),
    ...(raw.search !== undefined && { search: encode(raw.search, ';:@&=') }),
    ...(raw.wtype !== undefined && { wtype: encode(raw.wtype) }),
    ...(raw.wpath !== undefined && { wpath: encode(raw.wpath) }),
  };
}

export const wais: Grammar<WaisUrl> = { schemes: ['wais'], parse, format };
