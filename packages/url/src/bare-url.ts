/** URLs that stand in prose without a wrapper. The rules are ours: RFC 1738 only recommends to use wrappers. */
import { isAlpha, isControl, isDigit } from './characters.ts';
import { isDefined } from './grammars.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
}

const MAX_SCHEME = 32;
/** End a bare URL: unsafe characters of §2.2 that delimit in prose and code, and the punctuation of other scripts. */
const DELIMITERS = new Set('<>"`{}|\\^、。，．；：！？（）［］｛｝＜＞｜＂＇「」『』【】《》〈〉〔〕“”„‘’‚«»‹›…—');
/** End a bare URL too: they are not seen, and direct the text around it. The joiners U+200C and U+200D belong to words. */
const INVISIBLE = /[\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069]/;
/** `<`, `>` and `"` as HTML writes them. `&amp;` is left: it may stand for the `&` of a search. */
const ENTITIES = ['&lt;', '&gt;', '&quot;'];
/** Stripped from the end: they punctuate the prose. */
const TRAILING = new Set(`.,;:!?'"([–،؛؟।`);

/** The URL whose scheme ends with the colon at an offset and begins at `from` or later; whether it parses is open. */
export function findBare(text: string, colon: number, from: number): Span | undefined {
  const start = schemeStart(text, colon, from);
  if (start === undefined) return undefined;
  const scheme = text.slice(start, colon).toLowerCase();
  if (!mayFollow(text, colon + 1, scheme)) return undefined;
  const end = trimEnd(text, start, findEnd(text, start, colon + 1));
  return end > colon + 1 && looksReal(scheme, text.slice(colon + 1, end)) ? { start, end } : undefined;
}

/** Where the scheme before a colon begins; after a `.`, `+` or `-` of the prose if only the rest is a defined scheme. */
function schemeStart(text: string, colon: number, from: number): number | undefined {
  let start = colon;
  while (start > from && isSchemeCharacter(text.charCodeAt(start - 1))) {
    start--;
    if (colon - start > MAX_SCHEME) return undefined;
  }
  const name = text.slice(start, colon).toLowerCase();
  const tail = Math.max(name.lastIndexOf('.'), name.lastIndexOf('+'), name.lastIndexOf('-')) + 1;
  if (isDefined(name.slice(tail))) return start + tail;
  while (start < colon && !isAlpha(text.charCodeAt(start))) start++;
  // A single letter is a drive: "C:\x", "c://x".
  return colon - start >= 2 ? start : undefined;
}

function isSchemeCharacter(code: number): boolean {
  return isAlpha(code) || isDigit(code) || code === 0x2b || code === 0x2d || code === 0x2e;
}

/** Whether what follows a scheme's colon can begin its URL: `//` and a host, or an address or group. */
function mayFollow(text: string, at: number, scheme: string): boolean {
  if (!text.startsWith('//', at)) return scheme === 'mailto' || scheme === 'news' || scheme === 'snews';
  if (scheme === 'mailto') return false;
  const code = text.charCodeAt(at + 2);
  return isDefined(scheme) || isAlpha(code) || isDigit(code) || code === 0x5b;
}

/**
 * Offset of what ends a bare URL: white space, a delimiter, a closing bracket that the URL did not open, or a comma or
 * semicolon before another URL. Without `//` a colon ends it too, so that in `mailto:mailto:…` nothing is looked at twice.
 */
function findEnd(text: string, start: number, from: number): number {
  const quote = text[start - 1] === "'" ? "'" : undefined;
  const colon = text.startsWith('//', from) ? undefined : ':';
  let round = 0;
  let square = 0;
  for (let at = from; at < text.length; at++) {
    const character = text[at]!;
    if (isControl(text.charCodeAt(at)) || character.trim() === '' || INVISIBLE.test(character)) return at;
    if (DELIMITERS.has(character) || character === quote || character === colon) return at;
    if (character === '&' && ENTITIES.some((entity) => text.startsWith(entity, at))) return at;
    if ((character === ',' || character === ';') && beginsUrl(text, at + 1)) return at;
    if (character === '(') round++;
    else if (character === '[') square++;
    else if (character === ')' && --round < 0) return at;
    else if (character === ']' && --square < 0) return at;
  }
  return text.length;
}

/** Whether a defined scheme and `://` stand at an offset: `http://a/b,http://c/d` lists two URLs. */
function beginsUrl(text: string, at: number): boolean {
  const colon = text.slice(at, at + MAX_SCHEME).indexOf('://');
  return colon > 0 && isDefined(text.slice(at, at + colon).toLowerCase());
}

/** The end without trailing punctuation, and without emphasis (`*…*`) that the URL stands in. */
function trimEnd(text: string, start: number, end: number): number {
  const before = text[start - 1];
  const emphasis = before === '*' || before === '_' || before === '~' ? before : undefined;
  let at = end;
  while (at > start && (TRAILING.has(text[at - 1]!) || text[at - 1] === emphasis)) at--;
  return at;
}

/** Without `//` a word and a colon are seldom a URL ("news: today"): an address or a dotted group must follow. */
function looksReal(scheme: string, part: string): boolean {
  if (part.startsWith('//')) return part.length > 2;
  const at = part.indexOf('@');
  if (at >= 0) return at > 0 && isWordCharacter(part, at + 1);
  return scheme !== 'mailto' && isDottedName(part);
}

function isDottedName(part: string): boolean {
  const dot = part.indexOf('.');
  return isAlpha(part.charCodeAt(0)) && dot > 0 && isWordCharacter(part, dot + 1);
}

function isWordCharacter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return isAlpha(code) || isDigit(code) || code > 127;
}
