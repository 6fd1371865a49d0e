/** What each grammar's file provides. */
import type { Reading } from './reading.ts';
import type { Url } from './url.ts';

/** A URL's components alone, as encoded text: what `format` takes. */
export type Components<U extends Url = Url> = U extends Url
  ? Omit<U, 'violations' | 'octets' | 'toString' | 'toJSON'>
  : never;

/** One grammar of RFC 1738 §5. */
export interface Grammar<U extends Url> {
  /** The schemes it is the grammar of; none for the generic one. */
  readonly schemes: readonly string[];
  parse(reading: Reading): U;
  /** The scheme-specific part that the components stand for. */
  format(url: Components<U>): string;
}
