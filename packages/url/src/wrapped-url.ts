/** URLs in `<URL:…>` and `<…>`, RFC 1738 Appendix. */
import { isDefined } from './grammars.ts';

/** What stands in a pair of angle brackets. */
export interface Wrapped {
  /** Without prefix and white space. */
  readonly text: string;
  /** Without the hyphens at its lines' ends, if there are any. */
  readonly alternative?: string;
  /** The prefix `URL:` announces a URL. */
  readonly prefixed: boolean;
  readonly start: number;
  readonly end: number;
}

/** Longer brackets are not closed; an announcement of nothing must not cost more. */
const MAX_LENGTH = 65_536;

/** Reads the brackets that open at an offset; `undefined` when they do not close, or hold nothing like a URL. */
export function findWrapped(text: string, open: number): Wrapped | undefined {
  const close = findClose(text, open);
  if (close === undefined) return undefined;
  const inside = text.slice(open + 1, close);
  const prefix = /^\s*(?:url:\s*)?/i.exec(inside)![0];
  const body = inside.slice(prefix.length).trimEnd();
  const joined = joinLines(body, body.includes('\n') && isQuoted(text, open));
  const prefixed = prefix.trim() !== '';
  if (joined.text === '' || (!prefixed && !looksLikeUrl(joined.text))) return undefined;
  const start = open + 1 + prefix.length;
  return { ...joined, prefixed, start, end: start + body.length };
}

/** Offset of the `>` that closes: before any other `<`, and before an empty line. */
function findClose(text: string, open: number): number | undefined {
  const limit = Math.min(text.length, open + MAX_LENGTH);
  let lineIsEmpty = false;
  let quoted: boolean | undefined;
  for (let at = open + 1; at < limit; at++) {
    const character = text[at]!;
    if (character === '<') return undefined;
    // Where the `<` stands in quoted mail, a `>` that begins a line quotes too.
    if (character === '>' && !(lineIsEmpty && (quoted ??= isQuoted(text, open)))) return at;
    if (character === '\n') {
      if (lineIsEmpty) return undefined;
      lineIsEmpty = true;
    } else if (character.trim() !== '' && character !== '>') {
      lineIsEmpty = false;
    }
  }
  return undefined;
}

/** Whether the line of an offset begins with `>`: then it quotes mail, and so do the lines after it. */
function isQuoted(text: string, at: number): boolean {
  return /^[ \t]*>/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at));
}

/** Leaves out white space and quoting; notes what the text is without hyphens at line breaks. */
function joinLines(body: string, quoted: boolean): { text: string; alternative?: string } {
  const lines = body.split('\n').map((line, index) => {
    const own = quoted && index > 0 ? line.replace(/^[ \t>]+/, '') : line;
    return own.replaceAll(/\s/g, '');
  });
  const text = lines.join('');
  const last = lines.pop()!;
  if (!lines.some((line) => line.endsWith('-'))) return { text };
  return { text, alternative: lines.map((line) => line.replace(/-$/, '')).join('') + last };
}

/** Without `URL:`, only a scheme that is defined or followed by `//`: `<a href="…">` and `<xs:element>` are none. */
function looksLikeUrl(text: string): boolean {
  if (text.includes('"')) return false;
  const scheme = /^([a-z][a-z\d+.-]*):(?=(\/\/)?)/i.exec(text);
  return scheme !== null && (scheme[2] !== undefined || isDefined(scheme[1]!.toLowerCase()));
}
