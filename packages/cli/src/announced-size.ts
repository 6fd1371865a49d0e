/** How long an object is, as far as its header tells. */
import type { Metadata } from '@retriever/driver';

/** Octets. The answer to HEAD tells a length that is no body's, and that is not in `size`. */
export function announcedSize({ size, headers = [] }: Metadata): number | undefined {
  if (size !== undefined) return size;
  const field = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
  return field !== undefined && /^\d{1,15}$/.test(field) ? Number(field) : undefined;
}
