/** Retrieving a document: chunk by chunk, strictly one after another, to its exact length (RFC 1738 §3.9). */
import {
  bodyOf,
  createBody,
  emptyBody,
  latin1Of,
  RetrievalError,
  type BodySink,
  type Content,
  type Metadata,
  rangeWithin,
} from '@retriever/driver';
import { DocumentReader, type Chunk } from './document-reader.ts';
import { mediaTypeOfDocument } from './document-type.ts';
import { note, type Job } from './job.ts';
import type { Target } from './target.ts';

type Document = Extract<Target, { kind: 'document' }>;

/** @throws RetrievalError when there is no such document; the lease is the caller's to end then. */
export async function retrieveDocument(job: Job, document: Document): Promise<Content> {
  const { request, settings, lease } = job;
  requireLength(document.length, settings.maxDocumentBytes);
  const mediaType = mediaTypeOfDocument(latin1Of(document.type));
  const told = document.length > 0 ? document.length : undefined;
  const reader = new DocumentReader(job, document);
  if (request.metadataOnly) {
    // One octet tells whether there is such a document; nothing would tell its length.
    await reader.chunk(0, 1);
    lease.end();
    return { kind: 'content', metadata: { mediaType, ...(told && { size: told }) }, body: emptyBody() };
  }
  // Without the length nobody knows where a range ends.
  const range = request.range && told ? rangeWithin(request.range, told) : undefined;
  const start = range?.start ?? 0;
  const end = range ? range.end + 1 : told;
  const first = await reader.chunk(start, end);
  if (range && first.text.length === 0) throw new RetrievalError('range', 'the range lies outside the document');
  const extent = extentOf(job, { start, end, told }, first, reader.chunkBytes);
  const metadata: Metadata = {
    mediaType,
    ...(extent.size !== undefined && { size: extent.size }),
    ...(range && extent.end !== undefined && { range: { start, end: extent.end - 1 } }),
  };
  if (extent.end === start + first.text.length) {
    lease.end();
    return { kind: 'content', metadata, body: bodyOf(first.text) };
  }
  return { kind: 'content', metadata, body: bodyFrom(job, reader, first, { start, end: extent.end }) };
}

interface Extent {
  /** Where the octets wanted end; undefined if unknown. */
  readonly end: number | undefined;
  /** Octets of the whole document; undefined if unknown. */
  readonly size: number | undefined;
}

/** What the first octets tell of the rest. */
function extentOf(
  job: Job,
  { start, end, told }: { readonly start: number; readonly end: number | undefined; readonly told: number | undefined },
  { text, ended }: Chunk,
  chunkBytes: number,
): Extent {
  const reached = start + text.length;
  if (end === undefined)
    return ended || text.length < chunkBytes ? { end: reached, size: reached } : { end, size: told };
  if (ended && reached !== end) {
    // The URL's length may be of another of the document's types, or of its former self. The server knows.
    note(job, `the URL says that the document has ${told} octets; the server says ${reached}`);
    return { end: reached, size: reached };
  }
  if (text.length < Math.min(chunkBytes, end - start)) throw shortened(reached, end);
  return { end, size: told };
}

function bodyFrom(
  job: Job,
  reader: DocumentReader,
  first: Chunk,
  { start, end }: { readonly start: number; readonly end: number | undefined },
): Content['body'] {
  const { lease, access } = job;
  return createBody({
    ...(end !== undefined && { size: end - start }),
    async pump(sink) {
      try {
        await sink(first.text);
        await pumpRest(job, reader, sink, { start: start + first.text.length, end });
      } catch (error) {
        // Whatever broke because of the abort, the abort is the reason.
        access.signal.throwIfAborted();
        throw error;
      } finally {
        lease.end();
      }
    },
    cancel: () => lease.end(),
  });
}

async function pumpRest(
  { settings }: Job,
  reader: DocumentReader,
  sink: BodySink,
  { start, end }: { readonly start: number; readonly end: number | undefined },
): Promise<void> {
  for (let at = start; at !== end;) {
    const { text, ended } = await restChunk(reader, at, end);
    const asked = Math.min(reader.chunkBytes, (end ?? Infinity) - at);
    at += text.length;
    requireLength(at, settings.maxDocumentBytes);
    if (end !== undefined && (at > end || text.length < asked)) throw shortened(at, end);
    if (text.length > 0) await sink(text);
    if (end === undefined && (ended || text.length < asked)) return;
  }
}

/** A refusal in the middle of a document is an end too soon, but where nobody knows the length and the last chunk was a full one. */
async function restChunk(reader: DocumentReader, at: number, end: number | undefined): Promise<Chunk> {
  try {
    return await reader.chunk(at, end);
  } catch (error) {
    if (!(error instanceof RetrievalError) || !error.reply) throw error;
    if (end === undefined && error.code === 'range') return { text: new Uint8Array(0), ended: true };
    throw new RetrievalError('incomplete', `the document broke off after ${at} octets: ${error.message}`, {
      reply: error.reply,
      cause: error,
    });
  }
}

const shortened = (at: number, end: number): RetrievalError =>
  new RetrievalError('incomplete', `the document ended at octet ${at}; ${end} were announced`);

function requireLength(length: number, maxDocumentBytes: number): void {
  if (length <= maxDocumentBytes) return;
  throw new RetrievalError('limit', `the document has ${length} octets or more; ${maxDocumentBytes} are allowed`);
}
