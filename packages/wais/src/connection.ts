/** A connection to a WAIS server: one request, one reply. Two requests at a time make freeWAIS-sf close without a word. */
import type { Socket } from 'node:net';
import { RetrievalError, socketSource, type TraceEvent } from '@retriever/driver';
import { framed } from './message-header.ts';
import { MessageReader, type MessageReaderOptions } from './message-reader.ts';

export interface ConnectionOptions extends MessageReaderOptions {
  /** Where it leads, for errors. */
  readonly host: string;
}

export class WaisConnection {
  readonly host: string;
  /** Where the trace goes: to the retrieval that holds the session now. */
  report: (event: TraceEvent) => void;
  readonly #socket: Socket;
  readonly #messages: MessageReader;
  /** A request is under way, or failed, or the connection was closed: what comes next belongs to nobody. */
  #spoiled = false;

  constructor(socket: Socket, options: ConnectionOptions, report: (event: TraceEvent) => void) {
    this.#socket = socket;
    this.host = options.host;
    this.report = report;
    this.#messages = new MessageReader(socketSource(socket), options);
    // An end is noticed only by who reads.
    socket.on('readable', () => {
      if (!this.#spoiled && socket.readableLength === 0) socket.read(0);
    });
  }

  /** Whether a request can be sent and the reply will belong to it. */
  get usable(): boolean {
    const socket = this.#socket;
    return (
      !this.#spoiled &&
      !this.#messages.holdsOctets &&
      !socket.destroyed &&
      !socket.readableEnded &&
      socket.writable &&
      socket.readableLength === 0
    );
  }

  /**
   * Sends a request and waits for the reply; an empty one is how freeWAIS says that the reply would be too long, or that it
   * does not know the request.
   *
   * @param line The request for people.
   * @throws RetrievalError `incomplete` when the server closed instead.
   */
  async ask(request: Uint8Array, line: string): Promise<Uint8Array> {
    if (!this.usable) throw new RetrievalError('incomplete', `the connection to ${this.host} is not in order any more`);
    this.#spoiled = true;
    this.report({ type: 'sent', text: line });
    this.#socket.write(framed(request));
    const message = await this.#messages.message();
    if (!message) {
      throw new RetrievalError(
        'incomplete',
        `${this.host} closed the connection where a reply was due; freeWAIS does so when the database does not exist or the query is beyond it`,
      );
    }
    this.#spoiled = false;
    if (message.length === 0) this.received('an empty reply');
    return message;
  }

  received(line: string): void {
    this.report({ type: 'received', text: line });
  }

  close(): void {
    this.#spoiled = true;
    this.#socket.end();
  }
}
