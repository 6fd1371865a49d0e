/** Searching a database (RFC 1625: Search, QueryType 3). */
import { pdu, pduTypes } from './pdu.ts';
import { concatenated, tagged } from './tagged.ts';

/** Fields of a Search, whatever its query. */
export const searchTags = {
  referenceId: 2,
  resultSetName: 17,
  databases: 18,
  elementSets: 19,
  queryType: 20,
  query: 21,
} as const;
const userInformationTag = 99;
const tags = { seedWords: 106, dateFactor: 111, maxDocuments: 114 } as const;

/** SmallSetUpperBound, LargeSetLowerBound, MediumSetPresentNumber, ReplaceIndicator: 30, 5000, 30, on; as freeWAIS sends them. */
const setSizes = Uint8Array.of(0, 0, 30, 0x00, 0x13, 0x88, 0, 0, 30, 1);

/**
 * @param database Its name; empty for none, and then freeWAIS searches its list of databases.
 * @param words The query; empty to ask a database what it is.
 */
export function searchRequest(database: Uint8Array, words: Uint8Array, maxDocuments: number): Uint8Array {
  const query = concatenated([
    tagged(tags.seedWords, words),
    tagged(tags.dateFactor, 1),
    tagged(tags.maxDocuments, maxDocuments),
  ]);
  return pdu(
    pduTypes.search,
    [setSizes, tagged(searchTags.resultSetName, ''), ...databaseField(database), tagged(searchTags.queryType, '3')],
    tagged(userInformationTag, query),
  );
}

export const databaseField = (database: Uint8Array): Uint8Array[] =>
  database.length === 0 ? [] : [tagged(searchTags.databases, database)];
