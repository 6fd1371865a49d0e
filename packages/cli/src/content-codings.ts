/** `--compressed`: a coding that cannot be undone is an error; without the option it is what was asked for. */
import type { Metadata } from '@retriever/driver';
import { Failure } from './failure.ts';

const known = new Set(['', 'identity', 'none', 'gzip', 'x-gzip', 'deflate', 'br', 'zstd']);

/** @throws Failure 61 */
export function requireKnownCodings({ headers = [] }: Metadata): void {
  const codings = headers.filter(([name]) => /^content-encoding$/i.test(name)).flatMap(([, value]) => value.split(','));
  const unknown = codings.map((coding) => coding.trim().toLowerCase()).find((coding) => !known.has(coding));
  if (unknown !== undefined) throw new Failure(61, `the content coding ${JSON.stringify(unknown)} is unknown`);
}
