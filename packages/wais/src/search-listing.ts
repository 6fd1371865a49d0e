/** Searching a database; without words, the database describes itself (RFC 1738 §3.9). */
import {
  bodyOf,
  emptyBody,
  RetrievalError,
  textOf,
  type Body,
  type Entry,
  type Listing,
  type Metadata,
} from '@retriever/driver';
import { refusal, shownDiagnostic } from './diagnostic.ts';
import type { DocumentHeader } from './document-header.ts';
import { databaseUrl, documentEntry } from './entry.ts';
import { databaseOf, note, shownDatabase, type Job } from './job.ts';
import { searchRequest } from './search.ts';
import { readSearchResponse, type SearchResponse } from './search-response.ts';
import { sourceDescription } from './source-description.ts';

/** @throws RetrievalError when the server refuses; the lease is the caller's to end then. */
export async function search(job: Job, words: Uint8Array): Promise<Listing> {
  const headers = await found(job, words);
  const { metadataOnly = false, url } = job.request;
  const entries = headers.map((header) => documentEntry(header, url));
  if (words.length > 0 || metadataOnly) {
    job.lease.end();
    return listingOf(metadataOnly ? [] : entries, metadataOnly ? emptyBody() : table(entries), {
      mediaType: 'text/plain',
    });
  }
  const source = await sourceDescription(job, headers);
  job.lease.end();
  const described = entries.length > 0 ? entries : [searchEntry(job)];
  if (!source) return listingOf(described, table(described), { mediaType: 'text/plain' });
  return listingOf(described, bodyOf(source), { mediaType: 'application/x-wais-source' });
}

async function found(job: Job, words: Uint8Array): Promise<readonly DocumentHeader[]> {
  const { maxDocuments } = job.settings;
  const { connection } = job.lease.session;
  const request = searchRequest(databaseOf(job), words, maxDocuments);
  const query = words.length > 0 ? JSON.stringify(textOf(words)) : 'nothing';
  const message = await connection.ask(
    request,
    `Search ${shownDatabase(job)} for ${query}, ${maxDocuments} documents at most`,
  );
  const what = `a search of ${shownDatabase(job)} at ${connection.host}`;
  if (message.length === 0) throw new RetrievalError('refused', `${what} was answered with an empty reply`);
  const response = readSearchResponse(message, job.settings.maxRecords);
  connection.received(shownRecords(response));
  const { headers, diagnostics } = response;
  const [first] = diagnostics;
  if (first && headers.length === 0) throw refusal(what, first);
  for (const diagnostic of diagnostics) note(job, `beside the records: ${shownDiagnostic(diagnostic)}`);
  if (words.length > 0 && headers.length >= maxDocuments) {
    note(job, `the list has the ${maxDocuments} documents that were asked for; there may be more`);
  }
  return headers;
}

function shownRecords({ headers, diagnostics, announced }: SearchResponse): string {
  const lied = announced === headers.length ? '' : ` (it says ${announced})`;
  return [`SearchResponse with ${headers.length} records${lied}`, ...diagnostics.map(shownDiagnostic)].join(', ');
}

/** For a database that does not describe itself: it can be searched all the same. */
function searchEntry(job: Job): Entry {
  const { url } = job.request;
  const { database } = url.octets;
  return { name: textOf(database), rawName: database, kind: 'search', url: databaseUrl(url) };
}

function listingOf(entries: readonly Entry[], body: Body, metadata: Metadata): Listing {
  return {
    kind: 'listing',
    entries: {
      async *[Symbol.asyncIterator]() {
        yield* entries;
      },
    },
    body,
    metadata,
  };
}

/** A SearchResponse has no words of its own to be read: score, lines, octets, types, headline and URL of each record, a line each. */
function table(entries: readonly Entry[]): Body {
  const lines = entries.map(({ name, size, url, facts }) =>
    [facts?.['score'], facts?.['lines'], size, facts?.['types'], name, url]
      // What a server put there must not look like another field or record.
      .map((field) => String(field ?? '').replaceAll(/\p{Cc}/gu, ' '))
      .join('\t'),
  );
  return bodyOf(Buffer.from(lines.map((line) => `${line}\n`).join('')));
}
