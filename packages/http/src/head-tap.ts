/** Stands between a connection and undici until the head of the final response is complete, and bounds what comes till then. */
import type { Duplex } from 'node:stream';
import { RetrievalError } from '@retriever/driver';
import { endOfHead, headLines, isInterim, mayBeginHead, plainHead, type HeadLines } from './head-lines.ts';

const nothing: Buffer = Buffer.alloc(0);

/**
 * Holds back the octets of heads; undici gets the final one in plain form, and none of the interim ones: it fails a `100`
 * nobody waits for, loses a reason phrase split over packets, and bounds fields only.
 *
 * Everything before the body counts towards `maxBytes`: status lines and interim (1xx) responses too.
 */
export class HeadTap {
  readonly #connection: Duplex;
  readonly #maxBytes: number;
  #open = false;
  #touched = false;
  /** What came and is not passed on yet. */
  #held: Buffer = nothing;
  /** Octets of interim heads that were taken already. */
  #taken = 0;
  #heads: HeadLines[] = [];

  constructor(connection: Duplex, maxBytes: number) {
    this.#connection = connection;
    this.#maxBytes = maxBytes;
    const read = connection.read.bind(connection) as (size?: number) => Buffer | null;
    connection.read = (size?: number): Buffer | null => {
      for (let chunk = read(size); chunk !== null; chunk = read(size)) {
        if (!this.#open) return chunk;
        const ready = this.#take(chunk);
        if (ready) return ready;
      }
      return null;
    };
  }

  /** Whether any octet of a response came since {@link open}. */
  get touched(): boolean {
    return this.#touched;
  }

  /** The heads that came, as they came: interim ones, and the final one last. */
  get heads(): readonly HeadLines[] {
    return this.#heads;
  }

  /** Begins to listen, for the next request. */
  open(): void {
    this.#open = true;
    this.#touched = false;
    this.#held = nothing;
    this.#taken = 0;
    this.#heads = [];
  }

  /** The octets that undici may have now: the final head and what followed it. */
  #take(chunk: Buffer): Buffer | undefined {
    this.#touched = true;
    // Copied, though it be the first: the connection reads into the same memory again.
    this.#held = Buffer.concat([this.#held, chunk]);
    // What is no response at all undici can tell why.
    if (!mayBeginHead(this.#held)) return this.#passOn(this.#held);
    for (let end = endOfHead(this.#held); end !== undefined; end = endOfHead(this.#held)) {
      if (this.#taken + end > this.#maxBytes) return this.#giveUp();
      const lines = headLines(this.#held.subarray(0, end));
      this.#heads.push(lines);
      this.#taken += end;
      this.#held = this.#held.subarray(end);
      if (!isInterim(lines)) return this.#passOn(Buffer.concat([plainHead(lines), this.#held]));
    }
    return this.#taken + this.#held.length > this.#maxBytes ? this.#giveUp() : undefined;
  }

  #passOn(octets: Buffer): Buffer {
    this.#open = false;
    this.#held = nothing;
    return octets;
  }

  #giveUp(): undefined {
    const error = new RetrievalError('limit', `the response's head is longer than ${this.#maxBytes} octets`);
    this.#connection.destroy(error);
  }
}
