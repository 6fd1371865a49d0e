/** The name a server suggests for a file, RFC 6266. */
import { textOf } from '@retriever/driver';
import { decode } from '@retriever/url';
import { parameter } from './fields.ts';

/**
 * The name in a `Content-Disposition`, `filename*` before `filename` (RFC 6266 §4.3). It is whatever the server wrote,
 * paths included: hostile until proven otherwise.
 *
 * @example
 * suggestedName('attachment; filename="x"; filename*=UTF-8\'\'na%C3%AFve.txt'); // 'naïve.txt'
 */
export function suggestedName(disposition: string): string | undefined {
  // Some servers leave out the type in front.
  const parameters = /^\s*[^\s;=]+\s*=/.test(disposition) ? `;${disposition}` : disposition;
  const extended = extendedValue(parameter(parameters, 'filename*'));
  if (extended) return extended;
  // Servers send UTF-8 here too, which RFC 9110 §5.5 leaves to luck.
  const plain = parameter(parameters, 'filename');
  return plain ? textOf(Buffer.from(plain, 'latin1')) : undefined;
}

/** RFC 8187 §3.2: `charset'[language]'value`. */
function extendedValue(value: string | undefined): string | undefined {
  const [, charset, encoded] = /^([^']*)'[^']*'(.*)$/.exec(value ?? '') ?? [];
  if (charset === undefined || encoded === undefined) return undefined;
  const octets = decode(encoded);
  if (/^utf-8$/i.test(charset)) return textOf(octets);
  return /^iso-8859-1$/i.test(charset) ? Buffer.from(octets).toString('latin1') : undefined;
}
