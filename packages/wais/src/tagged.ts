/**
 * Tagged values: tag, length, octets. Tag and length are numbers to the base 128, the high bit saying "more"; numbers as
 * values are unsigned, big-endian and as short as can be. It looks like BER and is not: `81 05` is 133.
 */
import { ascii, RetrievalError } from '@retriever/driver';

/** A tagged value as it stands in a message. */
export interface Tagged {
  readonly tag: number;
  readonly value: Uint8Array;
}

/** The longest tag or length, in octets; 28 bits are more than any message has. */
const maxNumberBytes = 4;

function base128(number: number): number[] {
  const octets = [number & 0x7f];
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) octets.unshift((rest & 0x7f) | 0x80);
  return octets;
}

/** One tagged value; text is ASCII, a number takes as few octets as it can. */
export function tagged(tag: number, value: Uint8Array | string | number): Uint8Array {
  const octets = typeof value === 'string' ? ascii(value) : typeof value === 'number' ? unsigned(value) : value;
  return concatenated([base128(tag), base128(octets.length), octets]);
}

/** A number in as few octets as it can be written, one at the least. */
function unsigned(number: number): Uint8Array {
  const octets = [number % 256];
  for (let rest = Math.floor(number / 256); rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256);
  return Uint8Array.from(octets);
}

export function concatenated(parts: readonly ArrayLike<number>[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The number that up to four octets are. @throws RetrievalError `protocol` for more of them, or none. */
export function numberOf(octets: Uint8Array, what: string): number {
  if (octets.length === 0 || octets.length > 4) {
    throw new RetrievalError('protocol', `${what} is a number of ${octets.length} octets; 1 to 4 are possible`);
  }
  return octets.reduce((number, octet) => number * 256 + octet, 0);
}

/** Reads octets in order and never beyond their end. */
export class Octets {
  readonly #octets: Uint8Array;
  #at = 0;

  constructor(octets: Uint8Array) {
    this.#octets = octets;
  }

  get left(): number {
    return this.#octets.length - this.#at;
  }

  /** The next octet without taking it; undefined at the end. */
  get next(): number | undefined {
    return this.#octets[this.#at];
  }

  /** @throws RetrievalError `protocol` when there are not so many. */
  take(count: number): Uint8Array {
    if (count > this.left) {
      throw new RetrievalError('protocol', `a field of ${count} octets stands where ${this.left} are left`);
    }
    this.#at += count;
    return this.#octets.subarray(this.#at - count, this.#at);
  }

  /** An untagged number of so many octets. */
  number(count: number): number {
    return numberOf(this.take(count), 'a field');
  }

  rest(): Uint8Array {
    return this.take(this.left);
  }

  tagged(): Tagged {
    const tag = this.#base128();
    return { tag, value: this.take(this.#base128()) };
  }

  #base128(): number {
    let number = 0;
    for (let count = 0; count < maxNumberBytes; count++) {
      const octet = this.number(1);
      number = number * 128 + (octet & 0x7f);
      if (octet < 0x80) return number;
    }
    throw new RetrievalError('protocol', `a tag or a length has more than ${maxNumberBytes} octets`);
  }
}

/** The tagged values that octets are made of, one by one. @throws RetrievalError `protocol`. */
export function* taggedIn(octets: Uint8Array): Generator<Tagged> {
  const reader = new Octets(octets);
  while (reader.left > 0) yield reader.tagged();
}
