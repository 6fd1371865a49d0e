/**
 * Asking for some octets of a document (RFC 1625: Search, QueryType 1): terms and operators in postfix order. Doc-id, type and
 * both ends always go together: without a type freeWAIS-sf crashes, without a range it answers nothing at all.
 */
import { ascii } from '@retriever/driver';
import { pdu, pduTypes } from './pdu.ts';
import { databaseField, searchTags } from './search.ts';
import { concatenated, tagged } from './tagged.ts';

const tags = { attributes: 44, term: 45, operator: 46 } as const;

/** As freeWAIS sends them: 10, 16, 15, on. */
const setSizes = Uint8Array.of(0, 0, 10, 0, 0, 16, 0, 0, 15, 1);
/** The element set wanted: a space for whatever database, a separator, and its name. */
const documentText = concatenated([[0x20, 0x1f], ascii('Document Text')]);
const and = tagged(tags.operator, 'a');

export interface DocumentRequest {
  readonly database: Uint8Array;
  readonly docId: Uint8Array;
  readonly type: Uint8Array;
  /** Octets from `start` up to `end`, which is not among them. */
  readonly start: number;
  readonly end: number;
}

export function documentRequest({ database, docId, type, start, end }: DocumentRequest): Uint8Array {
  const query = concatenated([
    ...term('un re', docId),
    ...term('wt re', type),
    and,
    ...term('wb ro', String(start)),
    and,
    ...term('wb rl', String(end)),
    and,
  ]);
  return pdu(
    pduTypes.search,
    [
      setSizes,
      tagged(searchTags.resultSetName, 'FOO'),
      ...databaseField(database),
      tagged(searchTags.queryType, '1'),
      tagged(searchTags.elementSets, documentText),
      tagged(searchTags.referenceId, '3'),
    ],
    tagged(searchTags.query, query),
  );
}

/** A use and a relation attribute, and four that are ignored. */
const term = (attributes: string, value: Uint8Array | string): Uint8Array[] => [
  tagged(tags.attributes, `${attributes} ig ig ig ig`),
  tagged(tags.term, value),
];
