/**
 * One line of a CSO phone book's answer (RFC 2378 §2.1):
 *
 *     [ "-" ] code ":" [ entry ":" [ field ":" ] ] text
 *
 * A minus sign means that more lines follow; a code of 200 or more without one ends the answer.
 */

export interface PhoneBookLine {
  readonly code: number;
  /** Whether the answer ends here. */
  readonly last: boolean;
  /** The number of the entry that the line belongs to. */
  readonly entry?: number;
  /** Empty on a line that goes on with the field before. */
  readonly field?: string;
  readonly text: string;
}

/**
 * Reads a line; undefined when it is none of the protocol.
 *
 * @example
 * phoneBookLine('-200:1:         email: dorner@garcon.cso.uiuc.edu');
 * // { code: 200, last: false, entry: 1, field: 'email', text: 'dorner@garcon.cso.uiuc.edu' }
 */
export function phoneBookLine(line: string): PhoneBookLine | undefined {
  const [, minus, number, rest = ''] = /^\s*(-?)\s*([1-5]\d\d)\s*:(.*)$/s.exec(line) ?? [];
  if (number === undefined) return undefined;
  const code = Number(number);
  const head = { code, last: minus === '' && code >= 200 };
  const [, entry, afterEntry = ''] = /^\s*(\d{1,9})\s*:(.*)$/s.exec(rest) ?? [];
  if (minus === '' || entry === undefined) return { ...head, text: rest.trim() };
  const colon = afterEntry.indexOf(':');
  if (colon === -1) return { ...head, entry: Number(entry), text: afterEntry.trim() };
  return {
    ...head,
    entry: Number(entry),
    field: afterEntry.slice(0, colon).trim(),
    text: afterEntry.slice(colon + 1).trim(),
  };
}
