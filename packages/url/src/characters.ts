/**
 * The character classes of RFC 1738 §5:
 *
 *     safe        = "$" | "-" | "_" | "." | "+"
 *     extra       = "!" | "*" | "'" | "(" | ")" | ","
 *     reserved    = ";" | "/" | "?" | ":" | "@" | "&" | "="
 *     unreserved  = alpha | digit | safe | extra
 *     uchar       = unreserved | escape
 *     xchar       = unreserved | reserved | escape
 */

/** What the production `unreserved` admits. */
export const unreserved: string = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789$-_.+!*'(),";

/** A production of §5 that is a run of characters: its name and, by character code, what it admits besides `escape`. */
export interface Production {
  readonly rule: string;
  /** 1 for each US-ASCII code the production admits. */
  readonly admits: Uint8Array;
  /** A lone `%` is a tolerated departure, because the component goes on the wire as written. */
  readonly looseEscapes: boolean;
}

/** `rule = *[ uchar | …also ]`. */
export function production(rule: string, also = '', options: { looseEscapes?: boolean } = {}): Production {
  return { rule, admits: characterSet(unreserved + also), looseEscapes: options.looseEscapes ?? false };
}

/** A table of 128 cells, 1 for each of the characters. */
export function characterSet(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

export const xchar: Production = production('xchar', ';/?:@&=');

/** The value of a hexadecimal digit's character code, or -1. */
export function hexValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** The octet of the `escape` at an offset (`%41` is 65), or -1 when none stands there before `end`. */
export function escapeAt(text: string, at: number, end: number = text.length): number {
  if (at + 2 >= end || text.charCodeAt(at) !== 0x25) return -1;
  const high = hexValue(text.charCodeAt(at + 1));
  const low = hexValue(text.charCodeAt(at + 2));
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

export function isAlpha(code: number): boolean {
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x7a;
}

/** C0 and DEL: "control characters; these must be encoded" (§2.2). */
export function isControl(code: number): boolean {
  return code < 0x20 || code === 0x7f;
}
