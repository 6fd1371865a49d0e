/**
 * The Prospero Directory Service, RFC 1738 §3.11:
 *
 *     prosperourl = "prospero://" hostport "/" ppath *[ fieldspec ]
 *     ppath       = psegment *[ "/" psegment ]
 *     psegment    = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
 *     fieldspec   = ";" fieldname "=" fieldvalue
 *     fieldname   = *[ uchar | "?" | ":" | "@" | "&" ]
 *     fieldvalue  = *[ uchar | "?" | ":" | "@" | "&" ]
 */
import { production } from './characters.ts';
import type { Components, Grammar } from './grammar.ts';
import { decodeLogin, encodeLogin, formatLogin, readLogin, type ParsedLogin, type RawLogin } from './login.ts';
import { draft } from './parsed-url.ts';
import { decode, encode, type Octets } from './percent.ts';
import type { Reading } from './reading.ts';
import type { ProsperoUrl } from './url.ts';

// The hsoname is opaque (§3.11), so its slashes split nothing.
const ppath = production('psegment', '/?:@&=');
const fieldname = production('fieldname', '?:@&');
const fieldvalue = production('fieldvalue', '?:@&');

type Field = ProsperoUrl['fields'][number];

/** Raw input for `build.prospero`. */
export interface RawProspero extends RawLogin {
  readonly hsoname: Octets;
  readonly fields?: readonly { readonly name: Octets; readonly value: Octets }[];
  readonly fragment?: Octets;
}

function decodeComponents(url: ProsperoUrl): ProsperoUrl['octets'] {
  return {
    ...decodeLogin(url),
    hsoname: decode(url.hsoname),
    fields: url.fields.map(({ name, value }) => ({ name: decode(name), value: decode(value) })),
  };
}

function finish(reading: Reading, login: ParsedLogin, hsoname: string, fields: readonly Field[]): ProsperoUrl {
  const url = draft<ProsperoUrl>('prospero', reading, login, decodeComponents);
  url.hsoname = hsoname;
  url.fields = fields;
  return url;
}

function parse(reading: Reading): ProsperoUrl {
  const { end } = reading;
  const login = readLogin(reading, 'hostport');
  if (login.end === end) {
    reading.tolerate('prosperourl', end, 'the "/" before the hsoname is missing');
    return finish(reading, login, '', []);
  }
  let fieldStart = reading.find(';', login.end + 1);
  const hsoname = reading.component(ppath, login.end + 1, fieldStart);
  const fields: Field[] = [];
  while (fieldStart < end) {
    const fieldEnd = reading.find(';', fieldStart + 1);
    fields.push(readField(reading, fieldStart + 1, fieldEnd));
    fieldStart = fieldEnd;
  }
  return finish(reading, login, hsoname, fields);
}

function readField(reading: Reading, start: number, end: number): Field {
  const equals = start + reading.text.slice(start, end).indexOf('=');
  if (equals < start) {
    const name = reading.component(fieldname, start, end);
    reading.tolerate('fieldspec', end, 'a field has no "="');
    return { name, value: '' };
  }
  return {
    name: reading.component(fieldname, start, equals),
    value: reading.component(fieldvalue, equals + 1, end),
  };
}

function format(url: Components<ProsperoUrl>): string {
  const fields = url.fields.map(({ name, value }) => `;${name}=${value}`);
  return `${formatLogin(url)}/${url.hsoname}${fields.join('')}`;
}

/** Encodes raw input as components. */
export function encodeProspero(raw: RawProspero): Components<ProsperoUrl> {
  return {
    grammar: 'prospero',
    scheme: 'prospero',
    ...encodeLogin(raw),
    hsoname: encode(raw.hsoname, '/?:@&='),
    fields: (raw.fields ?? []).map(({ name, value }) => ({ name: encode(name, '?:@&'), value: encode(value, '?:@&') })),
  };
}

export const prospero: Grammar<ProsperoUrl> = { schemes: ['prospero'], parse, format };
