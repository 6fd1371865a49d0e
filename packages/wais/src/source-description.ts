/** The `(:source …)` text in which a database says where it is, who keeps it and what is in it. */
import { RetrievalError } from '@retriever/driver';
import type { DocumentHeader } from './document-header.ts';
import { DocumentReader } from './document-reader.ts';
import { note, type Job } from './job.ts';

const type = 'WSRC';
/** The longest description read; the longest seen had 533 octets. */
const maxBytes = 256 * 1024;

/** Undefined when the database has none, or it is not to be had: what the search found is worth showing without. */
export async function sourceDescription(job: Job, headers: readonly DocumentHeader[]): Promise<Uint8Array | undefined> {
  const header = headers.find(({ types, docId }) => types[0] === type && docId !== undefined);
  if (!header?.docId) return undefined;
  try {
    return await read(new DocumentReader(job, { docId: header.docId, type: Buffer.from(type) }), header.length);
  } catch (error) {
    job.access.signal.throwIfAborted();
    if (!(error instanceof RetrievalError)) throw error;
    note(job, `the database's description is not to be had: ${error.message}`);
    return undefined;
  }
}

async function read(reader: DocumentReader, length: number | undefined): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at !== length;) {
    const { text, ended } = await reader.chunk(at, length);
    chunks.push(text);
    at += text.length;
    if (at > maxBytes) throw new RetrievalError('limit', `it has more than ${maxBytes} octets`);
    if (ended || text.length < Math.min(reader.chunkBytes, (length ?? Infinity) - at + text.length)) break;
  }
  return Buffer.concat(chunks);
}
