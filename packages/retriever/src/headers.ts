/** Header fields of a response, from a peer that may say anything. */
import type { Metadata } from '@retriever/driver';

/** Fields as the protocol sent them: what cannot stand in a `Headers` is left out. Like Node's `fetch`, of a decoded body too. */
export function sentHeaders(fields: NonNullable<Metadata['headers']>): Headers {
  const headers = new Headers();
  for (const [name, value] of fields) append(headers, name, value);
  return headers;
}

/** Fields made from what is known of an object of a protocol without them. */
export function madeHeaders({ mediaType, charset, language, size, modified, range, etag }: Metadata): Headers {
  const headers = new Headers();
  if (mediaType) append(headers, 'content-type', charset ? `${mediaType}; charset=${charset}` : mediaType);
  if (language) append(headers, 'content-language', language);
  if (modified) append(headers, 'last-modified', modified.toUTCString());
  if (etag) append(headers, 'etag', etag);
  if (range?.end !== undefined) append(headers, 'content-range', `bytes ${range.start}-${range.end}/${size ?? '*'}`);
  const length = range ? (range.end ?? NaN) - range.start + 1 : size;
  if (length !== undefined && !Number.isNaN(length)) append(headers, 'content-length', String(length));
  return headers;
}

function append(headers: Headers, name: string, value: string): void {
  try {
    headers.append(name, value);
  } catch {
    // Not a field name or value (RFC 9110 §5): no reason to lose the rest.
  }
}

/** A status text is a byte string (Fetch standard): anything else would throw. */
export function reasonPhrase(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the very characters a reason phrase may not hold
  return text.replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, '?');
}
