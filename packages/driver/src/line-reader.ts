/** Lines of a protocol, bounded, split by the peer anywhere. */
import type { OctetSource } from './access.ts';
import { RetrievalError } from './retrieval-error.ts';

export interface LineReaderOptions {
  /** The longest line taken, in octets, without its line end. Default 8192. */
  readonly maxLineBytes?: number | undefined;
}

const LF = 0x0a;
const CR = 0x0d;
const nothing = new Uint8Array(0);

/**
 * Reads lines ended by CR LF, or by a bare LF as many servers send.
 *
 * @example
 * const reader = new LineReader(socketSource(socket), { maxLineBytes: 512 });
 * const greeting = await reader.line();
 */
export class LineReader {
  readonly #source: OctetSource;
  readonly #maxLineBytes: number;
  #buffer: Uint8Array = nothing;
  /** How much of the buffer is known to hold no LF. */
  #scanned = 0;

  constructor(source: OctetSource, { maxLineBytes = 8192 }: LineReaderOptions = {}) {
    this.#source = source;
    this.#maxLineBytes = maxLineBytes;
  }

  /**
   * The next line without its line end; undefined when the peer ended. A last line without a line end counts as a line.
   *
   * @throws RetrievalError `limit` when the line is longer than `maxLineBytes`.
   */
  async line(): Promise<Uint8Array | undefined> {
    for (;;) {
      const line = this.lineAtHand();
      if (line) return line;
      const chunk = await this.#source.read();
      if (!chunk) return this.#last();
      this.#buffer = this.#buffer.length === 0 ? chunk : joined(this.#buffer, chunk);
    }
  }

  /** Like {@link line}, for a dialogue in which the peer must answer. @throws RetrievalError `incomplete` when it ended. */
  async requireLine(): Promise<Uint8Array> {
    const line = await this.line();
    if (!line) throw new RetrievalError('incomplete', 'the server closed the connection where a reply was due');
    return line;
  }

  /** The octets read ahead of the last line, handed over for good: what follows is not lines. */
  takeRest(): Uint8Array {
    const rest = this.#buffer;
    this.#buffer = nothing;
    this.#scanned = 0;
    return rest;
  }

  /**
   * The next line if it was read ahead already, else undefined: a loop over many lines need not wait for each.
   *
   * @example
   * for (let line = await reader.line(); line; line = reader.lineAtHand() ?? (await reader.line())) take(line);
   * @throws RetrievalError `limit` when the line is longer than `maxLineBytes`.
   */
  lineAtHand(): Uint8Array | undefined {
    const end = this.#buffer.indexOf(LF, this.#scanned);
    const length = end === -1 ? this.#buffer.length : end;
    // One octet more is allowed for the CR of a line end not yet seen.
    if (length > this.#maxLineBytes + 1) throw this.#tooLong();
    if (end === -1) {
      this.#scanned = length;
      return undefined;
    }
    const line = this.#buffer.subarray(0, end > 0 && this.#buffer[end - 1] === CR ? end - 1 : end);
    if (line.length > this.#maxLineBytes) throw this.#tooLong();
    this.#buffer = this.#buffer.subarray(end + 1);
    this.#scanned = 0;
    return line;
  }

  #last(): Uint8Array | undefined {
    if (this.#buffer.length > this.#maxLineBytes) throw this.#tooLong();
    return this.#buffer.length === 0 ? undefined : this.takeRest();
  }

  #tooLong(): RetrievalError {
    return new RetrievalError('limit', `the server sent a line longer than ${this.#maxLineBytes} octets`);
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}
