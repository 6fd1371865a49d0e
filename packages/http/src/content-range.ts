/** Whether a partial response is the part that was asked for, RFC 9110 §14.4. */
import { RetrievalError, type ByteRange } from '@retriever/driver';
import { field, type Fields } from './fields.ts';
import { shown } from './trace.ts';

/** The part of an object that a 206 carries. */
export interface Part {
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
  /** Octets of the whole object; undefined when the server does not know (`*`). */
  readonly size: number | undefined;
}

/**
 * The part in a 206's `Content-Range`.
 *
 * @throws RetrievalError `protocol` when it is missing, impossible, or not what was asked for: appended to what is there it would ruin it.
 */
export function partOf(fields: Fields, asked: ByteRange): Part {
  const value = field(fields, 'content-range') ?? '';
  const [, first, last, whole] = /^bytes\s+(\d+)-(\d+)\/(\d+|\*)$/i.exec(value) ?? [];
  const start = Number(first);
  const end = Number(last);
  const size = whole === '*' ? undefined : Number(whole);
  if (
    first === undefined ||
    ![start, end, size ?? 0].every(Number.isSafeInteger) ||
    end < start ||
    end >= (size ?? Infinity)
  ) {
    throw new RetrievalError('protocol', `a 206 without a usable Content-Range (${JSON.stringify(shown(value))})`);
  }
  if (!answers({ start, end, size }, asked)) {
    throw new RetrievalError('protocol', `the server sent another range than was asked for: ${shown(value)}`);
  }
  return { start, end, size };
}

/** The start must be exact; a server may send less than asked for (RFC 9110 §15.3.7), never more. */
function answers({ start, end, size }: Part, asked: ByteRange): boolean {
  if (!('suffix' in asked)) return start === asked.start && end <= (asked.end ?? Infinity);
  if (size === undefined) return end - start < asked.suffix;
  return start === Math.max(0, size - asked.suffix);
}
