/** URLs without their passwords, for messages, traces and logs (RFC 1738 §6). */
import { isDigit } from './characters.ts';
import type { Url } from './url.ts';

const MASK = '***';

/**
 * The text of a URL with `***` for its password.
 *
 * @example
 * ```ts
 * redact(parse('ftp://foo:secret@host.com/')); // 'ftp://foo:***@host.com/'
 * ```
 */
export function redact(url: Url): string {
  const text = url.toString();
  const { user, password } = url as { user?: string; password?: string };
  if (password === undefined) return redactText(url.grammar === 'generic' ? withoutScheme(text) : text);
  const start = url.scheme.length + '://'.length + (user ?? '').length + 1;
  return redactText(text.slice(0, start) + MASK + text.slice(start + password.length));
}

/** `user:password@host` typed without a scheme reads as a URL of the scheme `user`. */
function withoutScheme(text: string): string {
  return text.replace(/^([^:]*:)(?!\/\/)[^/?#]*@/, `$1${MASK}@`);
}

/**
 * Any text with `***` for what looks like the password of a URL in it, whether or not the URL parses. In doubt it takes
 * too much.
 *
 * @example
 * ```ts
 * redactText('cannot read ftp://foo:p/w@host.com:x/'); // 'cannot read ftp://foo:***@host.com:x/'
 * ```
 */
export function redactText(text: string): string {
  let result = '';
  let copied = 0;
  let word: Word = { end: 0, at: -1 };
  for (let start = slashes(text, 0); start < text.length; start = slashes(text, Math.max(start, copied))) {
    if (start >= word.end) word = readWord(text, start);
    const secret = findSecret(text, start, word);
    if (secret === undefined) continue;
    result += text.slice(copied, secret.start) + MASK;
    copied = secret.end;
  }
  return result + text.slice(copied);
}

/** The offset after the next `//`, or after a colon and one slash or backslash or two of them. */
function slashes(text: string, from: number): number {
  for (let at = from; at + 1 < text.length; at++) {
    if (!isSlash(text, at)) continue;
    if (text[at - 1] !== ':' && !isSlash(text, at + 1)) continue;
    while (isSlash(text, at)) at++;
    return at;
  }
  return text.length;
}

function isSlash(text: string, at: number): boolean {
  return text[at] === '/' || text[at] === '\\';
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A run without white space and quotes; found once for all logins in it, so that hostile text costs no more. */
interface Word {
  readonly end: number;
  /** Offset of its last `@`, or less than its start. */
  readonly at: number;
}

function readWord(text: string, start: number): Word {
  const end = endBefore(text, start, '<>" \t\r\n');
  return { end, at: text.slice(start, end).lastIndexOf('@') + start };
}

/** What stands between the first colon and the last `@` of the login at `start`. */
function findSecret(text: string, start: number, word: Word): Span | undefined {
  const end = endBefore(text, start, '/#<>"\r\n');
  const colon = start + text.slice(start, end).indexOf(':');
  if (colon < start) return undefined;
  const port = isPort(text, colon + 1, endBefore(text, colon + 1, '/\\?#<>" \t\r\n'));
  const at = start + text.slice(start, end).lastIndexOf('@');
  if (at > colon) return port ? undefined : { start: colon + 1, end: at };
  // No "@" before the path: it is `host:port`, or else the password holds a "/", "?" or "#".
  return !port && word.at > colon ? { start: colon + 1, end: word.at } : undefined;
}

function endBefore(text: string, start: number, delimiters: string): number {
  let at = start;
  while (at < text.length && !delimiters.includes(text[at]!)) at++;
  return at;
}

function isPort(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isDigit(text.charCodeAt(at))) return false;
  return end > start;
}
