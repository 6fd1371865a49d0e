/** Which octets of a file are wanted. */
import { RetrievalError, type RetrievalRequest } from '@retriever/driver';

/** Octets from `start` to `end` inclusive. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** The part asked for, or undefined for the whole. @throws RetrievalError `range` when it lies outside the file. */
export function partOf({ range, ifRange }: RetrievalRequest, size: number, modified: Date): Part | undefined {
  if (!range || !isSameVersion(ifRange, modified)) return undefined;
  if (!Object.values(range).every((octet) => octet === undefined || (Number.isSafeInteger(octet) && octet >= 0)))
    throw noRange(size);
  const part =
    'suffix' in range
      ? { start: Math.max(0, size - range.suffix), end: size - 1 }
      : { start: range.start, end: Math.min(range.end ?? Infinity, size - 1) };
  if (part.start >= size || part.end < part.start) throw noRange(size);
  return part;
}

/** Files have no entity tags, so only a date can name their version; HTTP's dates count seconds. */
function isSameVersion(ifRange: RetrievalRequest['ifRange'], modified: Date): boolean {
  if (ifRange === undefined) return true;
  return ifRange instanceof Date && seconds(ifRange) === seconds(modified);
}

/** Whether the file is no newer than the caller's copy. */
export function isUnchanged({ ifModifiedSince }: RetrievalRequest, modified: Date): boolean {
  return ifModifiedSince !== undefined && seconds(modified) <= seconds(ifModifiedSince);
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

function noRange(size: number): RetrievalError {
  return new RetrievalError('range', `the range lies outside the file, which has ${size} octets`);
}
