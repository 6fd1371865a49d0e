/** Recomposes URLs from their components. */
import type { Components, Grammar } from './grammar.ts';
import { grammars } from './grammars.ts';
import { ParsedUrl } from './parsed-url.ts';
import type { Url } from './url.ts';

/**
 * Composes the text of a URL from its components, which are encoded already; to encode raw strings use `build`.
 *
 * A conforming URL that `parse` returned is its own best form and comes back as it was given.
 *
 * @example
 * ```ts
 * format({ grammar: 'ftp', scheme: 'ftp', host: 'host.dom', directories: ['%2Fetc'], name: 'motd' });
 * // 'ftp://host.dom/%2Fetc/motd'
 * ```
 */
export function format(url: Components | Url): string {
  if (url instanceof ParsedUrl && url.violations.length === 0) return url.toString();
  const fragment = url.fragment === undefined ? '' : `#${url.fragment}`;
  return `${url.scheme}:${(grammars[url.grammar] as Grammar<Url>).format(url)}${fragment}`;
}
