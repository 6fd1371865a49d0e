/**
 * Prospero's lines and words. Octets stand as characters U+0000 to U+00FF: the protocol names no character set.
 *
 * A line ends at an unquoted LF. Words stand between spaces and tabs, and an apostrophe anywhere in a word begins or ends a
 * quotation, in which all octets are meant as they are and two apostrophes are one: `it'''s' new'` is `it's new`.
 */
import { RetrievalError } from '@retriever/driver';

/** A line that holds a word at least. */
export interface Line {
  readonly words: readonly string[];
  /** As it stands in the answer, for people. */
  readonly text: string;
}

/** Characters that no server has a reason to take for anything else. */
const PLAIN = /^[A-Za-z0-9._:=()#-]+$/;

/** Quotes a word where it needs it. Command words must stand unquoted. */
export function quoted(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", "''")}'`;
}

/** Splits an answer into lines; empty ones are left out. @throws RetrievalError `protocol` when a quotation does not end. */
export function* readLines(answer: string): Generator<Line, void, undefined> {
  for (let at = 0; at < answer.length;) {
    const words: string[] = [];
    const start = at;
    while (at < answer.length && !isLineEnd(answer.charCodeAt(at))) {
      if (isSpace(answer.charCodeAt(at))) {
        at += 1;
        continue;
      }
      const { word, end } = readWord(answer, at);
      words.push(word);
      at = end;
    }
    if (words.length > 0) yield { words, text: answer.slice(start, at) };
    at += 1;
  }
}

function readWord(answer: string, start: number): { readonly word: string; readonly end: number } {
  let word = '';
  let at = start;
  while (at < answer.length) {
    const code = answer.charCodeAt(at);
    if (isSpace(code) || isLineEnd(code)) break;
    if (code !== APOSTROPHE) {
      const end = endOfPlain(answer, at);
      word += answer.slice(at, end);
      at = end;
      continue;
    }
    const close = endOfQuotation(answer, at + 1);
    word += answer.slice(at + 1, close).replaceAll("''", "'");
    at = close + 1;
  }
  return { word, end: at };
}

function endOfPlain(answer: string, start: number): number {
  let at = start;
  for (; at < answer.length; at += 1) {
    const code = answer.charCodeAt(at);
    if (code === APOSTROPHE || isSpace(code) || isLineEnd(code)) break;
  }
  return at;
}

function endOfQuotation(answer: string, start: number): number {
  for (let at = answer.indexOf("'", start); at >= 0; at = answer.indexOf("'", at + 2))
    if (answer.charCodeAt(at + 1) !== APOSTROPHE) return at;
  throw new RetrievalError('protocol', 'a quotation in the answer does not end');
}

const APOSTROPHE = 0x27;

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** LF; CR is accepted. */
function isLineEnd(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}

/** The octets that a word stands for. */
export function octetsOf(word: string): Uint8Array {
  return Uint8Array.from(word, (character) => character.charCodeAt(0));
}
