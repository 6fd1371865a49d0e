/** Reads a document in ranges of octets, each with a request of its own. */
import { latin1Of, RetrievalError } from '@retriever/driver';
import { isOutOfRange, refusal, shownDiagnostic } from './diagnostic.ts';
import { documentRequest, type DocumentRequest } from './document-request.ts';
import { databaseOf, note, shownDatabase, type Job } from './job.ts';
import { readSearchResponse, type SearchResponse } from './search-response.ts';

/** Octets from the place asked for. */
export interface Chunk {
  readonly text: Uint8Array;
  /** The server says that there are no more. */
  readonly ended: boolean;
}

/** What a reply has besides the doc-id and the octets asked for, with room to spare. */
const replyOverhead = 200;

export class DocumentReader {
  readonly #job: Job;
  readonly #document: Pick<DocumentRequest, 'docId' | 'type'>;
  #chunkBytes: number;
  #halved = false;

  /** @throws RetrievalError `limit` when the doc-id leaves no room for text in the server's replies. */
  constructor(job: Job, document: Pick<DocumentRequest, 'docId' | 'type'>) {
    this.#job = job;
    this.#document = document;
    const room = job.lease.session.messageBytes - document.docId.length - replyOverhead;
    this.#chunkBytes = Math.min(job.settings.chunkBytes, room);
    if (this.#chunkBytes >= 1) return;
    throw new RetrievalError(
      'limit',
      `replies of ${job.lease.session.messageBytes} octets are too short for the document's doc-id`,
    );
  }

  /** How many octets are asked for at a time. */
  get chunkBytes(): number {
    return this.#chunkBytes;
  }

  /**
   * The octets from `start`, up to `end` or as many as one reply holds.
   *
   * @throws RetrievalError when there are none to be had.
   */
  async chunk(start: number, end: number = Infinity): Promise<Chunk> {
    for (;;) {
      const until = Math.min(end, start + this.#chunkBytes);
      const message = await this.#ask(start, until);
      if (message.length > 0) return this.#chunkIn(message, start, until);
      // freeWAIS-sf when the reply would be longer than agreed.
      if (this.#halved || this.#chunkBytes < 2) {
        throw new RetrievalError(
          'refused',
          `${this.#what()} was answered with empty replies, also when half as much was asked for`,
        );
      }
      this.#halved = true;
      this.#chunkBytes >>>= 1;
    }
  }

  #ask(start: number, end: number): Promise<Uint8Array> {
    const request = documentRequest({ ...this.#document, database: databaseOf(this.#job), start, end });
    const { connection } = this.#job.lease.session;
    return connection.ask(
      request,
      `Search ${shownDatabase(this.#job)} for a ${this.#type} document, octets ${start} to ${end}`,
    );
  }

  #chunkIn(message: Uint8Array, start: number, end: number): Chunk {
    const response = readSearchResponse(message, this.#job.settings.maxRecords);
    this.#job.lease.session.connection.received(shownText(response));
    const { text, diagnostics } = response;
    const outOfRange = diagnostics.find(isOutOfRange);
    if (!text) throw this.#failure(response, start);
    if (text.length > end - start && !outOfRange) {
      throw new RetrievalError('protocol', `${text.length} octets came where ${end - start} were asked for`);
    }
    for (const diagnostic of diagnostics) {
      if (diagnostic !== outOfRange) note(this.#job, `beside the text: ${shownDiagnostic(diagnostic)}`);
    }
    return { text, ended: outOfRange !== undefined };
  }

  #failure({ diagnostics: [diagnostic] }: SearchResponse, start: number): RetrievalError {
    if (!diagnostic)
      return new RetrievalError('protocol', `${this.#what()} was answered with neither text nor a diagnostic`);
    // Every document has a beginning; without one it is not there.
    return refusal(this.#what(), diagnostic, isOutOfRange(diagnostic) && start === 0 ? 'not-found' : undefined);
  }

  get #type(): string {
    return latin1Of(this.#document.type);
  }

  #what(): string {
    return `a document of ${shownDatabase(this.#job)} at ${this.#job.request.url.host}`;
  }
}

const shownText = ({ text, diagnostics }: SearchResponse): string =>
  [
    `SearchResponse with ${text ? `${text.length} octets of text` : 'no text'}`,
    ...diagnostics.map(shownDiagnostic),
  ].join(', ');
