/** What may stand around a URL: white space, `<…>` and the prefix `URL:` of RFC 1738's Appendix. */
import type { Violation } from './violation.ts';

/** A URL freed of what stood around it. */
export interface Unwrapped {
  readonly text: string;
  readonly violations: readonly Violation[];
  /** The offset in the text given that an offset in the URL stands for. */
  readonly origin: (position: number) => number;
}

/** Takes off white space, brackets and prefix; white space inside brackets "should be ignored" (Appendix). */
export function unwrap(given: string): Unwrapped {
  const violations: Violation[] = [];
  const note = (rule: string, message: string): number => violations.push({ rule, position: 0, message });
  let text = given.trim();
  let start = given.length - given.trimStart().length;
  if (text !== given) note('whitespace', 'white space stands around the URL');
  const wrapped = text.startsWith('<') && text.endsWith('>');
  if (wrapped) {
    note('wrapper', 'angle brackets stand around the URL');
    text = text.slice(1, -1).replaceAll(/\s+/g, '');
    start = skipSpace(given, start + 1);
  }
  if (/^url:/i.test(text)) {
    note('prefix', '"URL:" stands before the URL');
    start = skipLetters(given, start, 4);
    text = text.slice(4).trimStart();
    start = skipSpace(given, start);
  }
  return { text, violations, origin: (position) => (wrapped ? skipLetters(given, start, position) : start + position) };
}

/** The offset after a number of characters that are no white space, and after the white space behind them. */
function skipLetters(text: string, start: number, count: number): number {
  let at = skipSpace(text, start);
  for (let left = count; left > 0 && at < text.length; left--) at = skipSpace(text, at + 1);
  return at;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && text[at]!.trim() === '') at++;
  return at;
}
