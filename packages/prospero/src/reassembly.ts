/** Packets of one answer, in any order and any number of times, put together again. */
import { RetrievalError } from '@retriever/driver';
import type { Packet } from './packet.ts';

export interface ReassemblyLimits {
  readonly maxPackets: number;
  readonly maxMessageBytes: number;
}

export class Reassembly {
  readonly #limits: ReassemblyLimits;
  readonly #parts = new Map<number, Uint8Array>();
  #total: number | undefined;
  #highest = 0;
  #bytes = 0;
  #receivedThrough = 0;

  constructor(limits: ReassemblyLimits) {
    this.#limits = limits;
  }

  /** Packets 1 to this one are there. */
  get receivedThrough(): number {
    return this.#receivedThrough;
  }

  /** How many packets the answer has, once the server knows. */
  get total(): number | undefined {
    return this.#total;
  }

  get isComplete(): boolean {
    return this.#receivedThrough === this.#total;
  }

  /** Whether a packet is missing before one that came. */
  get hasGap(): boolean {
    return this.#highest > this.#receivedThrough;
  }

  /**
   * Takes a sequenced packet; false when it was there already, and then the first one counts.
   *
   * @throws RetrievalError `limit` for more than is allowed, `protocol` for numbers that contradict each other.
   */
  add({ number, total, data, isControl }: Pick<Packet, 'number' | 'total' | 'data' | 'isControl'>): boolean {
    this.#count(number, total);
    if (this.#parts.has(number)) return false;
    this.#bytes += isControl ? 0 : data.length;
    const { maxMessageBytes } = this.#limits;
    if (this.#bytes > maxMessageBytes)
      throw new RetrievalError('limit', `the answer is longer than ${maxMessageBytes} octets`);
    this.#parts.set(number, isControl ? data.subarray(0, 0) : data);
    while (this.#parts.has(this.#receivedThrough + 1)) this.#receivedThrough += 1;
    return true;
  }

  #count(number: number, total: number | undefined): void {
    const { maxPackets } = this.#limits;
    if (Math.max(number, total ?? 0) > maxPackets)
      throw new RetrievalError('limit', `the answer has more than ${maxPackets} packets`);
    if (total !== undefined && this.#total !== undefined && total !== this.#total)
      throw new RetrievalError('protocol', `the answer has ${this.#total} packets and then ${total}`);
    this.#total ??= total;
    this.#highest = Math.max(this.#highest, number);
    if (this.#total !== undefined && this.#highest > this.#total)
      throw new RetrievalError('protocol', `packet ${this.#highest} of an answer of ${this.#total}`);
  }

  /** The octets, joined before anything is read: a packet may end within a word. */
  message(): Uint8Array {
    const message = new Uint8Array(this.#bytes);
    let at = 0;
    for (let number = 1; number <= this.#receivedThrough; number += 1) {
      const part = this.#parts.get(number)!;
      message.set(part, at);
      at += part.length;
    }
    return message;
  }
}
