/** Text that ends with a line holding one dot, lines that begin with a dot stuffed with another (RFC 3977 §3.1.1, RFC 1436 §3.8). */

export interface DotDecoderOptions {
  /**
   * `line`: the lone dot ends the text wherever it comes (NNTP). `eof`: it counts only as the very last line, and may be
   * missing (gopher, whose servers often neither stuff nor end).
   */
  readonly endsAt: 'line' | 'eof';
}

const LF = 0x0a;
const CR = 0x0d;
const DOT = 0x2e;

/**
 * Decodes dot-stuffed text as it arrives, in chunks split anywhere, with lines of any length and no copy of what is unchanged.
 *
 * @example
 * const decoder = new DotDecoder({ endsAt: 'line' });
 * for await (const chunk of chunks) {
 *   for (const part of decoder.decode(chunk)) sink(part);
 *   if (decoder.ended) break;
 * }
 */
export class DotDecoder {
  readonly #endsAt: DotDecoderOptions['endsAt'];
  /** `start`: at a line's start · `dot`: after a dot there · `cr`: after that dot and a CR · `held`: after a lone dot's line (`eof` only) · `text`: inside a line. */
  #state: 'start' | 'dot' | 'cr' | 'held' | 'text' = 'start';
  /** The line end of the lone dot being held. */
  // oxlint-disable-next-line no-unused-private-class-members -- `decode` yields it
  #held: Uint8Array = lone.lf;
  #rest: Uint8Array | undefined;

  constructor({ endsAt }: DotDecoderOptions) {
    this.#endsAt = endsAt;
  }

  /** Whether the lone dot came (`endsAt: 'line'`); what followed it is {@link rest}. */
  get ended(): boolean {
    return this.#rest !== undefined;
  }

  /** Whether the text read so far ends with the lone dot: at the peer's end, whether the terminator came. */
  get terminated(): boolean {
    return this.ended || this.#state === 'held' || this.#state === 'dot' || this.#state === 'cr';
  }

  /** Octets after the lone dot's line: they belong to whatever the peer says next. */
  get rest(): Uint8Array {
    return this.#rest ?? new Uint8Array(0);
  }

  /** The decoded parts of one chunk, as views on it where possible. */
  *decode(chunk: Uint8Array): Generator<Uint8Array> {
    let from = 0;
    for (let at = 0; at < chunk.length;) {
      if (this.#state === 'text') {
        const end = chunk.indexOf(LF, at);
        if (end === -1) break;
        at = end + 1;
        this.#state = 'start';
        continue;
      }
      if (this.#state === 'held') {
        // The dot's line was not the last one: it was text after all.
        yield this.#held;
        this.#state = 'start';
      }
      const octet = chunk[at];
      if (this.#state === 'start') {
        if (octet === DOT) {
          if (at > from) yield chunk.subarray(from, at);
          from = at + 1;
          this.#state = 'dot';
        } else this.#state = octet === LF ? 'start' : 'text';
        at += 1;
      } else if (octet === LF) {
        this.#held = this.#state === 'cr' ? lone.crlf : lone.lf;
        from = at += 1;
        if (this.#endsAt === 'line') {
          this.#rest = chunk.subarray(at);
          return;
        }
        this.#state = 'held';
      } else if (this.#state === 'dot' && octet === CR) {
        from = at += 1;
        this.#state = 'cr';
      } else {
        // A stuffed dot loses one dot; a dot before anything else was never stuffed and stays.
        if (this.#state === 'cr') yield lone.dotCr;
        else if (octet !== DOT) yield lone.dot;
        from = at;
        this.#state = 'text';
        // The octet is looked at again as text: it may be an LF after a CR.
      }
    }
    if (from < chunk.length) yield chunk.subarray(from);
  }

  /** What is left when the peer ended without a lone dot. With `endsAt: 'line'` that is an incomplete text: the caller's to judge. */
  *end(): Generator<Uint8Array> {
    // A final dot without its line end still is the terminator of servers that forget it.
    if (this.#endsAt === 'eof') return;
    if (this.#state === 'dot') yield lone.dot;
    if (this.#state === 'cr') yield lone.dotCr;
  }
}

const lone = {
  dot: Uint8Array.of(DOT),
  dotCr: Uint8Array.of(DOT, CR),
  lf: Uint8Array.of(DOT, LF),
  crlf: Uint8Array.of(DOT, CR, LF),
};
