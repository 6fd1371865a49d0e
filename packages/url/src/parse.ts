/** Reads a text as a URL, RFC 1738 §2.1: the scheme names the grammar of all that follows. */
import { grammarOf } from './grammars.ts';
import { Reading } from './reading.ts';
import type { Url } from './url.ts';
import { UrlSyntaxError } from './violation.ts';
import { unwrap } from './wrapper.ts';

export interface ParseOptions {
  /** Throws on the first departure from RFC 1738 instead of noting it in `violations`. Default `false`. */
  readonly strict?: boolean;
  /** The longest text taken, in UTF-16 code units. Default 65,536. */
  readonly maxLength?: number;
}

/**
 * Parses a URL by RFC 1738 §5. Tolerated departures are listed in `url.violations`.
 *
 * @throws UrlSyntaxError with the rule that failed and the offset in `text`.
 *
 * @example
 * ```ts
 * const url = parse('ftp://myname@host.dom/%2Fetc/motd;type=a');
 * if (url.grammar === 'ftp') {
 *   url.directories; // ['%2Fetc']
 *   url.name; // 'motd'
 *   url.octets.directories; // [Uint8Array of '/etc']
 * }
 * ```
 */
export function parse(text: string, { strict = false, maxLength = 65_536 }: ParseOptions = {}): Url {
  if (text.length > maxLength) {
    throw new UrlSyntaxError('url', maxLength, `the text is longer than ${maxLength} characters`);
  }
  return mayBeWrapped(text) ? parseWrapped(text, strict) : read(new Reading(text, strict));
}

/**
 * Whether {@link parse} takes a text.
 *
 * @example
 * ```ts
 * canParse('gopher://host.dom/00README'); // true
 * canParse('README'); // false
 * ```
 */
export function canParse(text: string, options?: ParseOptions): boolean {
  try {
    parse(text, options);
    return true;
  } catch (error) {
    if (error instanceof UrlSyntaxError) return false;
    throw error;
  }
}

function read(reading: Reading): Url {
  return grammarOf(reading.scheme).parse(reading);
}

/** Cheap: only what begins or ends oddly, or with a `u`, is looked at closely. */
function mayBeWrapped(text: string): boolean {
  const first = text.charCodeAt(0);
  const last = text.charCodeAt(text.length - 1);
  return first <= 0x20 || first > 0x7e || last <= 0x20 || last > 0x7e || first === 0x3c || (first | 0x20) === 0x75;
}

function parseWrapped(given: string, strict: boolean): Url {
  const { text, violations, origin } = unwrap(given);
  try {
    return read(new Reading(text, strict, violations));
  } catch (error) {
    if (!(error instanceof UrlSyntaxError)) throw error;
    throw new UrlSyntaxError(error.rule, origin(error.position), error.reason);
  }
}
