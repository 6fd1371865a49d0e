/** Messages from the wire, bounded; the server may split them anywhere. */
import { RetrievalError, type OctetSource } from '@retriever/driver';
import { checkBeginning, headerBytes, messageLength } from './message-header.ts';

export interface MessageReaderOptions {
  /** The longest message taken, in octets, without its header. */
  readonly maxMessageBytes: number;
}

export class MessageReader {
  readonly #source: OctetSource;
  readonly #maxMessageBytes: number;
  #buffer: Uint8Array = new Uint8Array(0);

  constructor(source: OctetSource, { maxMessageBytes }: MessageReaderOptions) {
    this.#source = source;
    this.#maxMessageBytes = maxMessageBytes;
  }

  /** Whether octets came beyond the last message. */
  get holdsOctets(): boolean {
    return this.#buffer.length > 0;
  }

  /**
   * The next message without its header; undefined when the server closed instead of sending one.
   *
   * @throws RetrievalError `incomplete` when it ends short, `limit` when it is too long, `protocol` when it is none.
   */
  async message(): Promise<Uint8Array | undefined> {
    const header = await this.#header();
    if (!header) return undefined;
    const length = messageLength(header);
    if (length > this.#maxMessageBytes) {
      throw new RetrievalError(
        'limit',
        `the server announced a message of ${length} octets; ${this.#maxMessageBytes} are allowed`,
      );
    }
    const message = await this.#take(length);
    if (message) return message;
    throw new RetrievalError('incomplete', `the server closed the connection within a message of ${length} octets`);
  }

  async #header(): Promise<Uint8Array | undefined> {
    while (this.#buffer.length < headerBytes) {
      if (this.#buffer.length > 0) checkBeginning(this.#buffer);
      const chunk = await this.#source.read();
      if (chunk) this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk]);
      else if (this.#buffer.length === 0) return undefined;
      else throw new RetrievalError('incomplete', 'the server closed the connection within a message header');
    }
    return this.#take(headerBytes);
  }

  /** Exactly so many octets, no more than a message may have; undefined when the server ended before. */
  async #take(count: number): Promise<Uint8Array | undefined> {
    const taken = new Uint8Array(count);
    for (let at = 0; at < count;) {
      if (this.#buffer.length === 0) {
        const chunk = await this.#source.read();
        if (!chunk) return undefined;
        this.#buffer = chunk;
      }
      const part = this.#buffer.subarray(0, count - at);
      taken.set(part, at);
      at += part.length;
      this.#buffer = this.#buffer.subarray(part.length);
    }
    return taken;
  }
}
