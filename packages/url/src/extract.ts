/** Finds the URLs in a text, RFC 1738 Appendix "Recommendations for URLs in Context". */
import { findBare } from './bare-url.ts';
import { parse } from './parse.ts';
import type { Url } from './url.ts';
import { UrlSyntaxError } from './violation.ts';
import { findWrapped } from './wrapped-url.ts';

/** A URL found in a text. */
export interface ExtractedUrl {
  /** The parsed URL; absent when what `<URL:…>` announces is none. */
  readonly url?: Url;
  /** The URL without wrapper and prefix, and without the white space inside them. */
  readonly text: string;
  /** Offset of the URL's first character, behind wrapper and prefix, in UTF-16 code units. */
  readonly start: number;
  /** Offset after the URL's last character. */
  readonly end: number;
  /** It stood in `<…>` or `<URL:…>`. */
  readonly wrapped: boolean;
  /** The URL without the hyphens that end its lines, which may be the typesetter's. */
  readonly alternative?: string;
}

/**
 * Finds the URLs in a text: in `<URL:…>` and `<…>`, where white space is ignored, and bare ones, without the punctuation
 * of the prose around them. Takes time linear in the text, whatever it holds; a URL longer than 65,536 is none.
 *
 * @example
 * ```ts
 * const [first] = extract('I found it under <URL:ftp://info.cern.ch/pub/www/doc;\n type=d>.');
 * first?.text; // 'ftp://info.cern.ch/pub/www/doc;type=d'
 * ```
 */
export function extract(text: string): ExtractedUrl[] {
  const found: ExtractedUrl[] = [];
  for (let at = 0, from = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === 0x3c) {
      const wrapped = extractWrapped(text, at);
      if (wrapped !== undefined) {
        found.push(wrapped);
        at = wrapped.end;
        from = at;
        continue;
      }
    } else if (code === 0x3a) {
      const span = findBare(text, at, from);
      if (span !== undefined) {
        found.push(...extractBare(text, span.start, span.end));
        // On past what does not parse too: each character is looked at once.
        at = Math.max(span.end, at + 1);
        from = at;
        continue;
      }
    }
    at++;
  }
  return found;
}

function extractWrapped(text: string, open: number): ExtractedUrl | undefined {
  const wrapped = findWrapped(text, open);
  if (wrapped === undefined) return undefined;
  const { prefixed, ...item } = wrapped;
  const url = tryParse(item.text);
  if (url === undefined) return prefixed ? { ...item, wrapped: true } : undefined;
  return { url, ...item, wrapped: true };
}

function extractBare(text: string, start: number, end: number): ExtractedUrl[] {
  const bare = text.slice(start, end);
  const url = tryParse(bare);
  return url === undefined ? [] : [{ url, text: bare, start, end, wrapped: false }];
}

function tryParse(text: string): Url | undefined {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof UrlSyntaxError) return undefined;
    throw error;
  }
}
