/** One line of a listing, understood; the URL is added later. */
import type { Entry } from '@retriever/driver';

export interface ListedLine extends Omit<Entry, 'name' | 'url'> {
  /** What to put into the URL instead of `rawName`: VMS adds `.DIR;1` to a directory's name. */
  readonly urlName?: Uint8Array;
}

/** Understands one line; `text` is `line` as latin1, so positions agree. Undefined: not this format. `skip`: nothing to list in it. */
export type LineParser = (line: Uint8Array, text: string) => ListedLine | 'skip' | undefined;

/** Whether a name stands for the directory itself or the one above. */
export const isDots = (name: string): boolean => name === '.' || name === '..';

/** A copy, since a line is a view of a buffer that may be much larger. */
export const octetsAt = (line: Uint8Array, start: number, end?: number): Uint8Array =>
  Uint8Array.from(line.subarray(start, end));
