/**
 * The line before the answer to a Gopher+ request (Gopher+ 1993, §2.3):
 *
 *     ( "+" | "-" ) ( octets | "-1" | "-2" ) CR LF
 *
 * `+` means success, `-` an error. The number counts the octets that follow; -1 announces a lone dot at their end, -2 the
 * end of the connection.
 */
import { latin1Of } from '@retriever/driver';

/** What the line says. */
export interface ReplyHeader {
  readonly success: boolean;
  /** How the octets after the header end. */
  readonly ends: 'count' | 'dot' | 'close';
  /** How many octets come; only for `count`. */
  readonly count: number;
  /** The line, without its end. */
  readonly text: string;
  /** The length of the line itself. */
  readonly length: number;
}

/** Sixteen digits would be more octets than a number counts exactly. */
const whole = /^([+-])(-[12]|\d{1,15})[ \t]*\r\n/;
const beginning = /^(?:[+-](?:-[12]?|\d{0,15})[ \t]*\r?)?$/;
const maxHeaderBytes = 32;

/**
 * Looks for the header at the beginning of an answer.
 *
 * A server that ignores Gopher+ sends none. Text that begins with a plus sign is told from one by the rest of its line:
 * nothing but a number, and CR LF.
 *
 * @returns The header; `undefined` when there is none; `'more'` when that cannot be told yet.
 */
export function replyHeader(head: Uint8Array): ReplyHeader | 'more' | undefined {
  const text = latin1Of(head.subarray(0, maxHeaderBytes));
  const [line, sign, number] = whole.exec(text) ?? [];
  if (line === undefined) return text.length < maxHeaderBytes && beginning.test(text) ? 'more' : undefined;
  const ends = number === '-1' ? 'dot' : number === '-2' ? 'close' : 'count';
  return {
    success: sign === '+',
    ends,
    count: ends === 'count' ? Number(number) : 0,
    text: line.trimEnd(),
    length: line.length,
  };
}
