/**
 * Gopher, RFC 1738 §3.4, and `gophers:`:
 *
 *     gopherurl      = "gopher://" hostport [ / [ gtype [ selector
 *                      [ "%09" search [ "%09" gopher+_string ] ] ] ] ]
 *     gtype          = xchar
 *     selector       = *xchar
 *     gopher+_string = *xchar
 */
import { production } from './characters.ts';
import type { Components, Grammar } from './grammar.ts';
import { decodeLogin, encodeLogin, formatLogin, readLogin, type ParsedLogin, type RawLogin } from './login.ts';
import { draft } from './parsed-url.ts';
import { decode, encode, type Octets } from './percent.ts';
import type { Reading } from './reading.ts';
import type { GopherUrl } from './url.ts';
import { UrlSyntaxError } from './violation.ts';

const XCHAR = ';/?:@&=';
const gtype = production('gtype', XCHAR);
const selector = production('selector', XCHAR);
const search = production('search', XCHAR);
const gopherPlus = production('gopher+_string', XCHAR);
const TAB = '%09';

/** Raw input for `build.gopher`; the item type is `1` when anything but it is given. */
export interface RawGopher extends RawLogin {
  readonly scheme?: 'gopher' | 'gophers';
  readonly gophertype?: string;
  readonly selector?: Octets;
  readonly search?: Octets;
  readonly gopherPlus?: Octets;
  readonly fragment?: Octets;
}

function decodeComponents(url: GopherUrl): GopherUrl['octets'] {
  return {
    ...decodeLogin(url),
    selector: decode(url.selector ?? ''),
    ...(url.search !== undefined && { search: decode(url.search) }),
    ...(url.gopherPlus !== undefined && { gopherPlus: decode(url.gopherPlus) }),
  };
}

function finish(reading: Reading, login: ParsedLogin, path: GopherPath | undefined): GopherUrl {
  const url = draft<GopherUrl>('gopher', reading, login, decodeComponents);
  if (path === undefined) return url;
  url.gophertype = path.gophertype;
  url.selector = path.selector;
  if (path.search !== undefined) url.search = path.search;
  if (path.gopherPlus !== undefined) url.gopherPlus = path.gopherPlus;
  return url;
}

interface GopherPath {
  readonly gophertype: string;
  readonly selector: string;
  readonly search: string | undefined;
  readonly gopherPlus: string | undefined;
}

function parse(reading: Reading): GopherUrl {
  const login = readLogin(reading, 'hostport');
  if (login.end + 1 >= reading.end) return finish(reading, login, undefined);
  return finish(reading, login, readPath(reading, login.end + 1));
}

function readPath(reading: Reading, start: number): GopherPath {
  const { text, end } = reading;
  if (text.charCodeAt(start) > 127) reading.fail('gtype', start, 'an item type is one US-ASCII character');
  const typeEnd = start + (text[start] === '%' ? TAB.length : 1);
  const gophertype = reading.component(gtype, start, Math.min(typeEnd, end));
  const selectorEnd = reading.find(TAB, typeEnd);
  const selectorText = reading.component(selector, typeEnd, selectorEnd);
  if (selectorEnd === end) return { gophertype, selector: selectorText, search: undefined, gopherPlus: undefined };
  const searchEnd = reading.find(TAB, selectorEnd + TAB.length);
  return {
    gophertype,
    selector: selectorText,
    search: reading.component(search, selectorEnd + TAB.length, searchEnd),
    // Further tabs belong to the Gopher+ string: §3.4.9 has one.
    gopherPlus: searchEnd === end ? undefined : reading.component(gopherPlus, searchEnd + TAB.length, end),
  };
}

function format(url: Components<GopherUrl>): string {
  const { selector: selectorText = '', search: query, gopherPlus: plus } = url;
  const bare = selectorText === '' && query === undefined && plus === undefined;
  const gophertype = url.gophertype ?? (bare ? '' : '1');
  const tail = plus === undefined ? (query === undefined ? '' : TAB + query) : `${TAB}${query ?? ''}${TAB}${plus}`;
  return `${formatLogin(url)}/${gophertype}${selectorText}${tail}`;
}

/** Encodes raw input as components. */
export function encodeGopher(raw: RawGopher): Components<GopherUrl> {
  const bare = (raw.selector ?? raw.search ?? raw.gopherPlus) === undefined;
  const gophertype = raw.gophertype ?? (bare ? undefined : '1');
  return {
    grammar: 'gopher',
    scheme: raw.scheme ?? 'gopher',
    ...encodeLogin(raw),
    ...(gophertype !== undefined && { gophertype: encodeType(gophertype), selector: '' }),
    ...(raw.selector !== undefined && { selector: encodeTabless('selector', raw.selector) }),
    ...(raw.search !== undefined && { search: encodeTabless('search', raw.search) }),
    ...(raw.gopherPlus !== undefined && { gopherPlus: encode(raw.gopherPlus, XCHAR) }),
  };
}

function encodeType(gophertype: string): string {
  if (!/^[!-~]$/.test(gophertype)) throw new UrlSyntaxError('gtype', 0, 'an item type is one US-ASCII character');
  return encode(gophertype, XCHAR);
}

/** "Any octets except" tab, LF and CR (§3.4.1); LF and CR are the driver's to refuse. */
function encodeTabless(rule: string, octets: Octets): string {
  const text = encode(octets, XCHAR);
  if (text.includes(TAB)) throw new UrlSyntaxError(rule, 0, `a tab cannot be part of the ${rule}`);
  return text;
}

export const gopher: Grammar<GopherUrl> = { schemes: ['gopher', 'gophers'], parse, format };
