/** When to send again: arithmetic on waits alone, since a driver has no clock. */
import { RetrievalError } from '@retriever/driver';

export interface RetransmissionTimes {
  readonly retransmitAfter: number;
  readonly maxSends: number;
  readonly gapPatience: number;
  readonly maxExchangeTime: number;
}

/**
 * The times of the original clients: the wait doubles with each sending, and progress starts it anew. With 4 s and four
 * sendings they sent at 0, 4, 12 and 28 s and gave up at 60 s.
 */
export class Retransmission {
  readonly #times: RetransmissionTimes;
  /** Milliseconds until something is to be sent again. */
  #left: number;
  #wait: number;
  #sends = 1;
  #spent = 0;
  #nudging = false;
  /** Seconds that the server last asked for. */
  #askedFor = 0;

  constructor(times: RetransmissionTimes) {
    this.#times = times;
    this.#wait = times.retransmitAfter;
    this.#left = this.#wait;
  }

  /** How long to wait for the next datagram. @throws RetrievalError `timeout` when the time for all of it is over. */
  next(): number {
    const { maxExchangeTime } = this.#times;
    const rest = maxExchangeTime - this.#spent;
    if (rest <= 0)
      throw new RetrievalError(
        'timeout',
        `the exchange took longer than ${maxExchangeTime} ms${this.#askedForWords()}`,
      );
    return Math.min(this.#left, rest);
  }

  /** Whether the server asked for the patience that {@link next} takes. */
  get isAskedFor(): boolean {
    return this.#askedFor > 0;
  }

  /** Time went by, up to all of what {@link next} said. */
  passed(ms: number): void {
    this.#spent += ms;
    this.#left = Math.max(0, this.#left - ms);
  }

  /** Nothing came. Undefined when it is not yet time to send. @throws RetrievalError `timeout` after the last sending. */
  due(): { readonly why: 'gap' } | { readonly why: 'silence'; readonly sending: number } | undefined {
    if (this.#left > 0) return undefined;
    if (this.#nudging) {
      this.#nudging = false;
      this.#left = this.#wait;
      return { why: 'gap' };
    }
    if (this.#sends >= this.#times.maxSends)
      throw new RetrievalError('timeout', `no answer after sending ${this.#sends} times${this.#askedForWords()}`);
    this.#sends += 1;
    this.#wait *= 2;
    this.#left = this.#wait;
    return { why: 'silence', sending: this.#sends };
  }

  /** Something new came; with a gap before it, what is missing is asked for sooner than by the usual wait. */
  progressed({ hasGap }: { readonly hasGap: boolean }): void {
    this.#restart();
    this.#nudging = hasGap;
    if (hasGap) this.#left = Math.min(this.#left, this.#times.gapPatience);
  }

  /** The server asks for patience: advice about sending again, not a promise. 0 takes it back. */
  askedToWait(seconds: number): void {
    this.#restart();
    this.#askedFor = seconds;
    this.#left = Math.max(this.#left, seconds * 1000);
  }

  #restart(): void {
    this.#wait = this.#times.retransmitAfter;
    this.#left = this.#wait;
    this.#sends = 1;
    this.#askedFor = 0;
    this.#nudging = false;
  }

  #askedForWords(): string {
    return this.#askedFor > 0 ? `; the server last asked to wait ${this.#askedFor} s` : '';
  }
}
