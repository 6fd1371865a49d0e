/** From the octets of an answer to those of the item: how each framing ends, and what is taken off. */
import { DotDecoder, latin1Of, RetrievalError } from '@retriever/driver';
import type { ReplyHeader } from './reply-header.ts';

/** Takes the framing off an answer, chunk by chunk. */
export interface Unframing {
  /** The item's octets in a chunk, as views on it where possible. @throws RetrievalError when the framing is broken. */
  decode(chunk: Uint8Array): Iterable<Uint8Array>;
  /** What is left when the server closed. @throws RetrievalError `incomplete` when it had more to send. */
  end(): Iterable<Uint8Array>;
  /** Whether all octets are here for certain, whatever becomes of the connection. */
  readonly complete: boolean;
  /** Whether nothing is taken off at all. */
  readonly transparent?: true;
}

/** Octets to the end of the connection: plain gopher's objects, and `+-2`. */
export function toTheClose(): Unframing {
  return { decode: (chunk) => [chunk], end: () => [], complete: false, transparent: true };
}

/**
 * Lines that a lone dot may end (RFC 1436 §3.8): plain gopher's texts. It counts only as the last line, since UMN gopherd
 * and others do not stuff.
 *
 * @param note Told when the dot is missing.
 */
export function toADotPerhaps(note: (text: string) => void): Unframing {
  const decoder = new DotDecoder({ endsAt: 'eof' });
  return {
    decode: (chunk) => decoder.decode(chunk),
    *end() {
      yield* decoder.end();
      if (!decoder.terminated) note('the text ended without a lone dot (RFC 1436 §3.8)');
    },
    complete: false,
  };
}

/** The framing that a Gopher+ header announced. */
export function announced(header: ReplyHeader): Unframing {
  if (header.ends === 'close') return toTheClose();
  return header.ends === 'dot' ? toTheDot() : toTheCount(header.count);
}

/** `+-1`: the server promised a dot, so its absence is a loss. */
function toTheDot(): Unframing {
  const decoder = new DotDecoder({ endsAt: 'eof' });
  return {
    decode: (chunk) => decoder.decode(chunk),
    *end() {
      yield* decoder.end();
      if (!decoder.terminated)
        throw new RetrievalError('incomplete', 'the answer ended without the lone dot that its header promised');
    },
    complete: false,
  };
}

/** What may follow counted octets: UMN gopherd sends the lone dot all the same. */
const afterwards = /^(?:\r?\n)?(?:\.(?:\r?\n)?)?$/;

/**
 * `+<octets>`: exactly that many. The rest is judged when the server closes: octets that it did not announce mean that the
 * count is wrong, or that the server ignores Gopher+ and the item itself begins like a header.
 */
function toTheCount(count: number): Unframing {
  let length = 0;
  let after = '';
  return {
    *decode(chunk) {
      const body = chunk.subarray(0, count - length);
      length += body.length;
      if (body.length > 0) yield body;
      after += latin1Of(chunk.subarray(body.length, body.length + 8));
      if (after.length > 8 || chunk.length - body.length > 8) throw tooMany(count);
    },
    end() {
      if (length < count)
        throw new RetrievalError('incomplete', `the answer ended after ${length} of ${count} octets announced`);
      if (!afterwards.test(after)) throw tooMany(count);
      return [];
    },
    get complete() {
      return length === count && after === '';
    },
  };
}

function tooMany(count: number): RetrievalError {
  return new RetrievalError(
    'protocol',
    `the server announced ${count} octets and sent more; without the Gopher+ string (%09%09+) it may be understood`,
  );
}
