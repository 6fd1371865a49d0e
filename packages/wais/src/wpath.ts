/**
 * The wpath of a URL: a doc-id, and perhaps the length of the document (RFC 1738 §3.9). Two spellings exist.
 *
 * - RFC 1738's: the octets of the doc-id, escaped as §2.2 has it
 * - libwww's, which Lynx and libwww write and read: `length/` and, for each tagged value that the doc-id is made of, tag `=`
 *   value `;`. Only this one tells the length, and only this one do those clients take.
 */
import { latin1Of, RetrievalError } from '@retriever/driver';
import { decode, encode } from '@retriever/url';
import { concatenated, tagged, taggedIn, type Tagged } from './tagged.ts';

export interface DocumentPath {
  readonly docId: Uint8Array;
  /** Octets of the document; 0 if unknown. */
  readonly length: number;
}

const libwwwForm = /^(\d+)\/((?:\d+=[^;]*;)+)$/;
/** What libwww leaves as it is in a value. */
const literal = /[A-Za-z0-9./_$-]/;
const maxTag = 2 ** 28 - 1;

/** @throws RetrievalError `unsupported` for what is neither spelling. */
export function readWpath(wpath: string): DocumentPath {
  const [, length, values] = libwwwForm.exec(wpath) ?? [];
  if (length !== undefined && values !== undefined) {
    return {
      docId: concatenated(pairs(values).map(({ tag, value }) => tagged(tag, value))),
      length: checked(length, Number.MAX_SAFE_INTEGER),
    };
  }
  // A doc-id has its "/" escaped; a bare one hints at a broken libwww spelling, of which half a doc-id would come.
  if (wpath.includes('/')) {
    throw new RetrievalError(
      'unsupported',
      'the wpath is neither an escaped doc-id nor length/tag=value;… as libwww writes it',
    );
  }
  return { docId: decode(wpath), length: 0 };
}

const pairs = (values: string): Tagged[] =>
  values
    .split(';')
    .slice(0, -1)
    .map((pair) => {
      const equals = pair.indexOf('=');
      return { tag: checked(pair.slice(0, equals), maxTag), value: decode(pair.slice(equals + 1)) };
    });

function checked(digits: string, most: number): number {
  const number = Number(digits);
  if (number <= most) return number;
  throw new RetrievalError('unsupported', `a number in the wpath is too large: ${digits.slice(0, 20)}`);
}

/** libwww's spelling, unless the doc-id would not come back octet for octet; then RFC 1738's, which takes any. */
export function writeWpath({ docId, length }: DocumentPath): string {
  const values = taggedValues(docId);
  // A bare "/" would look like libwww's.
  if (!values) return encode(docId);
  return `${length}/${values.map(({ tag, value }) => `${tag}=${escaped(value)};`).join('')}`;
}

/** Undefined when the doc-id is not made of tagged values, or of such as have unusual lengths. */
function taggedValues(docId: Uint8Array): Tagged[] | undefined {
  try {
    const values = [...taggedIn(docId)];
    const again = concatenated(values.map(({ tag, value }) => tagged(tag, value)));
    return values.length > 0 && latin1Of(again) === latin1Of(docId) ? values : undefined;
  } catch {
    return undefined;
  }
}

/** What each octet is written as. */
const spelling = Array.from({ length: 256 }, (_, octet) => {
  const character = String.fromCharCode(octet);
  return literal.test(character) ? character : `%${octet.toString(16).toUpperCase().padStart(2, '0')}`;
});

function escaped(octets: Uint8Array): string {
  let text = '';
  for (const octet of octets) text += spelling[octet];
  return text;
}
