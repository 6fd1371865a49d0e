/**
 * Electronic mail addresses, RFC 1738 §3.5:
 *
 *     mailtourl      = "mailto:" encoded822addr
 *     encoded822addr = 1*xchar               ; further defined in RFC822
 *
 * Departs from RFC 1738 §3.5: `?` begins the header fields of RFC 6068 §2, because everybody writes them.
 *
 *     hfields = "?" hfield *( "&" hfield )
 *     hfield  = hfname "=" hfvalue
 */
import { production } from './characters.ts';
import type { Components, Grammar } from './grammar.ts';
import { draft } from './parsed-url.ts';
import { decode, encode, type Octets } from './percent.ts';
import type { Reading } from './reading.ts';
import type { MailtoUrl } from './url.ts';
import { UrlSyntaxError } from './violation.ts';

const encoded822addr = production('encoded822addr', ';/?:@&=');
const hfname = production('hfname', ';/?:@');
const hfvalue = production('hfvalue', ';/?:@=');

type Header = MailtoUrl['headers'][number];

/** Raw input for `build.mailto`. */
export interface RawMailto {
  readonly address?: Octets;
  readonly headers?: readonly { readonly name: Octets; readonly value: Octets }[];
  readonly fragment?: Octets;
}

function decodeComponents(url: MailtoUrl): MailtoUrl['octets'] {
  return {
    address: decode(url.address),
    headers: url.headers.map(({ name, value }) => ({ name: decode(name), value: decode(value) })),
  };
}

function finish(reading: Reading, address: string, headers: readonly Header[]): MailtoUrl {
  const url = draft<MailtoUrl>('mailto', reading, undefined, decodeComponents);
  url.address = address;
  url.headers = headers;
  return url;
}

function parse(reading: Reading): MailtoUrl {
  const { start, end } = reading;
  const addressEnd = reading.find('?', start);
  const address = reading.component(encoded822addr, start, addressEnd);
  const headers = addressEnd === end ? [] : readHeaders(reading, addressEnd);
  if (address === '' && headers.length === 0) reading.fail('encoded822addr', start, 'the address is empty');
  return finish(reading, address, headers);
}

function readHeaders(reading: Reading, mark: number): Header[] {
  const { end } = reading;
  reading.tolerate('encoded822addr', mark, 'header fields are no part of an address (they are RFC 6068)');
  const headers: Header[] = [];
  for (let start = mark + 1; start <= end;) {
    const fieldEnd = reading.find('&', start);
    if (fieldEnd === start) reading.tolerate('hfield', start, 'a header field is empty');
    else headers.push(readHeader(reading, start, fieldEnd));
    start = fieldEnd + 1;
  }
  return headers;
}

function readHeader(reading: Reading, start: number, end: number): Header {
  const equals = start + reading.text.slice(start, end).indexOf('=');
  if (equals < start) {
    const name = reading.component(hfname, start, end);
    reading.tolerate('hfield', end, 'a header field has no "="');
    return { name, value: '' };
  }
  return { name: reading.component(hfname, start, equals), value: reading.component(hfvalue, equals + 1, end) };
}

function format({ address, headers }: Components<MailtoUrl>): string {
  const fields = headers.map(({ name, value }) => `${name}=${value}`);
  return address + (fields.length === 0 ? '' : `?${fields.join('&')}`);
}

/** Encodes raw input as components. */
export function encodeMailto({ address = '', headers = [] }: RawMailto): Components<MailtoUrl> {
  if (address.length === 0 && headers.length === 0) {
    throw new UrlSyntaxError('encoded822addr', 0, 'the address is empty');
  }
  return {
    grammar: 'mailto',
    scheme: 'mailto',
    address: encode(address, ';/:@&='),
    headers: headers.map(({ name, value }) => ({ name: encode(name, '/:@'), value: encode(value, '/:@?') })),
  };
}

export const mailto: Grammar<MailtoUrl> = { schemes: ['mailto'], parse, format };
