/** Schemes read off texts that may be no URLs. */

/** The scheme that a text begins with (RFC 1738 §2.1), in lower case; undefined where it begins otherwise, if only with a space. */
export function schemeOf(text: string): string | undefined {
  return /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
}
