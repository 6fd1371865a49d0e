/**
 * The answer to a Search of either kind (RFC 1625: SearchResponse). Its status and counts are not to be trusted: freeWAIS-sf
 * gives every retrieval status 0, counts diagnostics or does not, and counts records that are not there. What came is what is
 * in it.
 */
import { RetrievalError } from '@retriever/driver';
import { diagnosticTag, readDiagnostic, type Diagnostic } from './diagnostic.ts';
import { readDocumentHeader, type DocumentHeader } from './document-header.ts';
import { pduTypes, readPdu } from './pdu.ts';
import { Octets, taggedIn, type Tagged } from './tagged.ts';

export interface SearchResponse {
  readonly headers: readonly DocumentHeader[];
  /** Octets of the document asked for, in order; undefined when there is no text record at all. */
  readonly text: Uint8Array | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** How many records the server says there are. */
  readonly announced: number;
}

const recordsTag = 99;
const textTag = 127;
/** Document headers in full, short and long. */
const headerTags: ReadonlySet<number> = new Set([150, 151, 152]);
const documentTextTag = 153;

/** @throws RetrievalError `protocol`, or `limit` for more than `maxRecords`. */
export function readSearchResponse(message: Uint8Array, maxRecords: number): SearchResponse {
  const { fields, userInformation } = readPdu(message, pduTypes.searchResponse);
  // SearchStatus, ResultCount.
  fields.take(4);
  const announced = fields.number(3);
  // NextPosition; of the tagged values after it none matters, but broken ones make the message doubtful.
  fields.take(3);
  while (fields.left > 0) fields.tagged();
  const headers: DocumentHeader[] = [];
  const texts: Uint8Array[] = [];
  const diagnostics: Diagnostic[] = [];
  let count = 0;
  for (const record of recordsIn(userInformation)) {
    count += 1;
    if (count > maxRecords) throw new RetrievalError('limit', `the server sent more than ${maxRecords} records`);
    if ('code' in record) diagnostics.push(record);
    else if (headerTags.has(record.tag)) headers.push(readDocumentHeader(record.value));
    else if (record.tag === documentTextTag) texts.push(textIn(record.value));
  }
  const text = texts.length > 1 ? Buffer.concat(texts) : texts[0];
  return { headers, text, diagnostics, announced };
}

function* recordsIn(userInformation: Uint8Array): Generator<Tagged | Diagnostic> {
  for (const { tag, value } of taggedIn(userInformation)) {
    if (tag !== recordsTag) continue;
    const records = new Octets(value);
    while (records.left > 0) yield records.next === diagnosticTag ? readDiagnostic(records) : records.tagged();
  }
}

function textIn(octets: Uint8Array): Uint8Array {
  for (const { tag, value } of taggedIn(octets)) if (tag === textTag) return value;
  return new Uint8Array(0);
}
