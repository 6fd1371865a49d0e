/** Which octets of an object of known size a range asks for (RFC 9110 §14.1.2). */
import type { ByteRange } from './driver.ts';
import { RetrievalError } from './retrieval-error.ts';

/**
 * The range with its ends filled in, `end` inclusive.
 *
 * @throws RetrievalError `range` when it lies outside the object.
 */
export function rangeWithin(range: ByteRange, size: number): { readonly start: number; readonly end: number } {
  const start = 'suffix' in range ? Math.max(0, size - range.suffix) : range.start;
  const end = 'suffix' in range ? size - 1 : Math.min(range.end ?? size - 1, size - 1);
  if (start >= size || end < start) {
    throw new RetrievalError('range', `the range lies outside the object, which has ${size} octets`);
  }
  return { start, end };
}
