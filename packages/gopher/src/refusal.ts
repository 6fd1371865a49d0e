/**
 * How gopher servers say no. RFC 1436 has no status: an error is an answer like any other, made of a type 3 line.
 *
 * - pygopherd, geomyidae, motsognir: one type 3 line, whatever was asked for; pygopherd's host is `error.host`
 * - UMN gopherd: the same with type 0, `0'/x' does not exist!!\t\terror.host\t1`
 * - gophernicus: a type 3 line with host `null.host` and a footer of type i lines where the selector ends with a slash, else
 *   a line of prose, `Error: …`, and for a `.gif` a picture that says so. Only in place of a menu can prose be told from what
 *   was asked for.
 */
import { textOf, type Reply } from '@retriever/driver';
import type { Framing } from './item-types.ts';
import { menuLine } from './menu-line.ts';

/** How much of an answer is looked at. */
export const maxRefusalBytes = 4096;

const LF = 0x0a;
const CR = 0x0d;
const DOT = 0x2e;
const ZERO = 0x30;
const THREE = 0x33;
const INFO = 0x69;
const E = 0x45;

/**
 * Judges the beginning of an answer.
 *
 * @param head What came so far.
 * @param ended Whether that is all.
 * @returns The refusal; `undefined` when the answer is none; `'more'` when that cannot be told yet.
 */
export function refusalIn(head: Uint8Array, ended: boolean, framing: Framing): Reply | 'more' | undefined {
  if (head.length === 0) return ended ? undefined : 'more';
  // Most answers are judged by their first octet, so that nothing waits for more of them.
  if (head[0] !== THREE && head[0] !== ZERO && !(head[0] === E && framing === 'menu')) return undefined;
  if (head.length > maxRefusalBytes) return undefined;
  const end = head.indexOf(LF);
  if (end === -1 && !ended) return 'more';
  const first = end === -1 ? head : head.subarray(0, end);
  const reply = refusal(first, framing);
  if (!reply || !isOnly(head.subarray(first.length + 1), framing)) return undefined;
  return ended ? reply : 'more';
}

function refusal(octets: Uint8Array, framing: Framing): Reply | undefined {
  const { type, name, selector, host } = menuLine(octets);
  if (type === 'E') return selector === undefined ? prose(octets) : undefined;
  const reply: Reply = { code: Number(type), text: textOf(name.subarray(0, 512)) };
  const placeholder = host !== undefined && /^(error|null)\.host$/i.test(host);
  if (type === '0') return placeholder ? reply : undefined;
  if (framing === 'menu' || placeholder) return reply;
  // Anything else may be the object itself, even one line of a table that begins with a 3. geomyidae's selector is `Err`.
  return host !== undefined && selector !== undefined && textOf(selector) === 'Err' ? reply : undefined;
}

/** gophernicus in place of a menu. */
function prose(octets: Uint8Array): Reply | undefined {
  const text = textOf(octets.subarray(0, 512)).trimEnd();
  return text.startsWith('Error: ') ? { code: 3, text } : undefined;
}

/** Whether nothing that counts follows the first line: the lone dot, blank lines and, in a menu, a footer for people. */
function isOnly(rest: Uint8Array, framing: Framing): boolean {
  for (let at = 0; at < rest.length;) {
    const end = rest.indexOf(LF, at);
    const line = rest.subarray(at, end === -1 ? rest.length : end);
    const [octet, next] = line;
    const blank = octet === undefined || octet === CR;
    const lone = octet === DOT && (next === undefined || next === CR);
    if (!blank && !lone && !(framing === 'menu' && octet === INFO)) return false;
    at += line.length + 1;
  }
  return true;
}
