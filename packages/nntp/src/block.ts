/** A multi-line data block (RFC 3977 §3.1.1): dot-stuffed lines up to a lone dot, without which it is incomplete. */
import { DotDecoder, RetrievalError, type BodySink, type OctetSource } from '@retriever/driver';

/** How much of a text that nobody wants is read and forgotten, in octets, to keep the session. */
export const maxVainBytes: number = 1024 * 1024;

/** Where a block comes from and what follows it goes back to. */
export interface BlockOrigin extends OctetSource {
  unread(octets: Uint8Array): void;
}

export class Block implements OctetSource {
  readonly #origin: BlockOrigin;
  readonly #host: string;
  readonly #decoder = new DotDecoder({ endsAt: 'line' });
  /** Decoded parts not yet handed out. */
  #parts: Generator<Uint8Array> | undefined;
  #ended = false;

  constructor(origin: BlockOrigin, host: string) {
    this.#origin = origin;
    this.#host = host;
  }

  /** Whether the lone dot was read. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The next octets of the text, never none; undefined after the lone dot. @throws RetrievalError `incomplete` when the server closed before it. */
  async read(): Promise<Uint8Array | undefined> {
    while (!this.#ended) {
      const next = this.#parts?.next();
      if (next?.done === false) {
        if (next.value.length > 0) return next.value;
        continue;
      }
      if (this.#decoder.ended) {
        this.#origin.unread(this.#decoder.rest);
        this.#ended = true;
        break;
      }
      const chunk = await this.#origin.read();
      if (!chunk) {
        throw new RetrievalError('incomplete', `${this.#host} closed the connection before the dot that ends the text`);
      }
      this.#parts = this.#decoder.decode(chunk);
    }
    return undefined;
  }

  /** Pushes the whole text into the sink. */
  async pump(sink: BodySink): Promise<void> {
    for (let part = await this.read(); part; part = await this.read()) await sink(part);
  }

  /** Reads to the lone dot and forgets. @throws RetrievalError `limit` beyond `maxBytes`. */
  async skip(maxBytes: number): Promise<void> {
    let count = 0;
    for (let part = await this.read(); part; part = await this.read()) {
      count += part.length;
      if (count > maxBytes)
        throw new RetrievalError(
          'limit',
          `${this.#host} sent a text of more than ${maxBytes} octets that nobody asked for`,
        );
    }
  }
}
