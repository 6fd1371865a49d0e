/** Archie queries as URLs: a query is the name of a directory that holds the answer. */
import { build } from '@retriever/url';
import { prosperoPort } from './question.ts';

/** How names are compared: Archie's letters for it. */
const letters = {
  exact: '=',
  substring: 'S',
  'case-sensitive': 'C',
  regex: 'R',
  'exact-or-substring': 's',
  'exact-or-case-sensitive': 'c',
  'exact-or-regex': 'r',
} as const;

export interface ArchieQuery {
  /** The Archie server. */
  readonly host: string;
  /** Default 1525. */
  readonly port?: number;
  /** What to look for: a file's name or a part of it. */
  readonly search: string;
  /** Default `substring`, whatever the case; `exact-or-…` tries the whole name first. */
  readonly match?: keyof typeof letters;
  /** Files in the answer. Default 95. */
  readonly maxHits?: number;
  /** Different names in the answer. Default: `maxHits`. */
  readonly maxMatches?: number;
  /** Files of one name. Default: `maxHits`. */
  readonly maxHitsPerMatch?: number;
  /** Matches to leave out at the beginning. Default 0. */
  readonly offset?: number;
}

/**
 * The URL whose listing is Archie's answer; its entries are URLs of files at FTP servers.
 *
 * @example
 * archieUrl({ host: 'archie.example', search: 'prospero.tar.Z', match: 'exact' });
 * // 'prospero://archie.example/ARCHIE/MATCH(95,95,95,0,=)/prospero.tar.Z'
 * @throws UrlSyntaxError when the host is none.
 */
export function archieUrl({
  host,
  port = prosperoPort,
  search,
  match = 'substring',
  maxHits = 95,
  maxMatches = maxHits,
  maxHitsPerMatch = maxHits,
  offset = 0,
}: ArchieQuery): string {
  const how = [maxHits, maxMatches, maxHitsPerMatch, offset, letters[match]].join(',');
  const hsoname = `ARCHIE/MATCH(${how})/${search}`;
  return build.prospero({ host, ...(port !== prosperoPort && { port }), hsoname }).toString();
}
