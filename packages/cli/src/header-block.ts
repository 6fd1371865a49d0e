/** The header of a retrieval as `-i`, `-I` and `-D` print it: HTTP's own, or what curl makes of size and time. */
import type { Retrieved } from '@retriever/client';
import type { Metadata } from '@retriever/driver';

/**
 * Undefined where there is no header to print.
 *
 * @param bodyFollows - With a body behind it curl makes a header of files, but none of FTP.
 */
export function headerBlock(retrieved: Retrieved, bodyFollows = false): Buffer | undefined {
  if (!('metadata' in retrieved)) return undefined;
  const { metadata, url } = retrieved;
  if (metadata.heads) return httpHeaders(metadata.heads);
  if (retrieved.kind === 'listing' || (bodyFollows && url.grammar !== 'file')) return undefined;
  // An FTP server that does not tell the size may know REST all the same.
  const ranges = metadata.size === undefined && url.grammar !== 'ftp' ? [] : ['Accept-ranges: bytes'];
  const size = metadata.size === undefined ? ranges : [`Content-Length: ${metadata.size}`, ...ranges];
  const modified = metadata.modified === undefined ? [] : [`Last-Modified: ${metadata.modified.toUTCString()}`];
  // The order is curl's, and it differs.
  const lines = url.grammar === 'ftp' ? [...modified, ...size] : [...size, ...modified];
  return lines.length === 0
    ? undefined
    : Buffer.from(lines.map((line) => `${line}\r\n`).join('') + (bodyFollows ? '\r\n' : ''));
}

/** As they came, interim responses included; they are octets, read as latin1. */
function httpHeaders(heads: NonNullable<Metadata['heads']>): Buffer {
  return Buffer.from(heads.map((lines) => `${lines.join('\r\n')}\r\n\r\n`).join(''), 'latin1');
}
