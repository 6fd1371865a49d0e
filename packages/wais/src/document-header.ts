/** What a search tells of one document (RFC 1625: document headers). */
import { latin1Of } from '@retriever/driver';
import { numberOf, taggedIn } from './tagged.ts';

export interface DocumentHeader {
  /** What the server knows the document by; opaque to everybody else (RFC 1738 §3.9). Absent if the server sent none. */
  readonly docId?: Uint8Array;
  readonly headline: Uint8Array;
  /** How well it matches; not normalised: more than 1000 was seen. */
  readonly score?: number;
  /** Octets of the document in its first type. */
  readonly length?: number;
  readonly lines?: number;
  /** The types it is to be had in, as latin1; none from a server that speaks version 1 of the message header. */
  readonly types: readonly string[];
  /** In the server's words; `0` for unknown. */
  readonly date?: string;
  readonly city?: string;
}

/** Each type gets a URL of its own, doc-id included: a server that named thousands would fill the memory with them. */
const maxTypes = 16;

const tags = {
  docId: 116,
  score: 118,
  length: 120,
  date: 122,
  headline: 123,
  city: 124,
  lines: 131,
  types: 132,
  type: 133,
} as const;

/** @throws RetrievalError `protocol`. */
export function readDocumentHeader(octets: Uint8Array): DocumentHeader {
  const types: string[] = [];
  const header: { -readonly [Name in keyof DocumentHeader]: DocumentHeader[Name] } = {
    headline: new Uint8Array(0),
    types,
  };
  for (const { tag, value } of taggedIn(octets)) {
    if (tag === tags.docId) header.docId = value;
    else if (tag === tags.headline) header.headline = value;
    else if (tag === tags.score) header.score = numberOf(value, 'the score');
    else if (tag === tags.length) header.length = numberOf(value, 'the document length');
    else if (tag === tags.lines) header.lines = numberOf(value, 'the number of lines');
    else if (tag === tags.types) addTypes(types, value);
    else if (tag === tags.date) header.date = latin1Of(value);
    else if (tag === tags.city) header.city = latin1Of(value);
  }
  return header;
}

function addTypes(types: string[], octets: Uint8Array): void {
  for (const { tag, value } of taggedIn(octets)) {
    if (tag === tags.type && types.length < maxTypes) types.push(latin1Of(value));
  }
}
