/** The URLs of a listing's entries: the same login and directories, the name behind them. */
import type { FtpUrl } from '@retriever/url';

/** Octets that stand for themselves in an fsegment (RFC 1738 §5), less `?`, which other readers take for a query. */
const plain = /^[A-Za-z0-9$\-_.+!*'(),:@&=]$/;

/** A segment's octets, percent-encoded. */
export function encodeSegment(octets: Uint8Array): string {
  return Array.from(octets, (octet) => {
    const character = String.fromCharCode(octet);
    return plain.test(character) ? character : `%${octet.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}

/**
 * The URL of a directory, ending in `/`.
 *
 * The password is left out: entries are printed, saved and passed on.
 */
export function directoryUrl(url: FtpUrl, directories: readonly Uint8Array[]): string {
  const host = url.host.includes(':') ? `[${url.host}]` : url.host;
  const authority = `${url.user === undefined ? '' : `${url.user}@`}${host}${url.port === undefined ? '' : `:${url.port}`}`;
  return `${url.scheme}://${authority}/${directories.map((segment) => `${encodeSegment(segment)}/`).join('')}`;
}

const unsafe = new Set([0x00, 0x0a, 0x0d, 0x2f]);

/** The entry's URL; undefined for a name that is more than a name in its directory, or that no command line can hold. */
export function entryUrl(base: string, name: Uint8Array, isDirectory: boolean): string | undefined {
  if (name.some((octet) => unsafe.has(octet))) return undefined;
  return `${base}${encodeSegment(name)}${isDirectory ? '/' : ''}`;
}
