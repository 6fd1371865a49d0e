/** The encoding of octets as `%` and two hexadecimal digits, RFC 1738 §2.2. */
import { characterSet, hexValue, unreserved } from './characters.ts';
import { fromUtf8, utf8 } from './platform.ts';

const HEX = '0123456789ABCDEF';
const UNRESERVED = characterSet(unreserved);

/** Octets, or text that stands for its UTF-8 octets. */
export type Octets = string | Uint8Array;

/**
 * Encodes octets as text that may stand anywhere in a URL: all but `unreserved` characters become escapes.
 *
 * @param plain - Reserved characters to leave as they are, for a component in which they are not reserved.
 *
 * @example
 * ```ts
 * encode('a/b ü'); // 'a%2Fb%20%C3%BC'
 * encode('a/b ü', '/'); // 'a/b%20%C3%BC'
 * ```
 */
export function encode(octets: Octets, plain = ''): string {
  if (typeof octets === 'string' && isUnreserved(octets)) return octets;
  const bytes = typeof octets === 'string' ? utf8(octets) : octets;
  let text = '';
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    text += UNRESERVED[byte] === 1 || (byte < 128 && plain.includes(character)) ? character : escape(byte);
  }
  return text;
}

function isUnreserved(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (UNRESERVED[text.charCodeAt(at)] !== 1) return false;
  return true;
}

/** One octet as an escape, its hexadecimal digits in upper case. */
export function escape(octet: number): string {
  return `%${HEX[octet >> 4]}${HEX[octet & 15]}`;
}

/**
 * Decodes a component to the octets it stands for. Characters outside US-ASCII stand for their UTF-8 octets, and a `%`
 * that begins no escape for itself.
 *
 * @example
 * ```ts
 * decode('%2Fetc'); // Uint8Array of '/etc'
 * ```
 */
export function decode(text: string): Uint8Array {
  const octets = utf8(text);
  if (!text.includes('%')) return octets;
  let length = 0;
  for (let at = 0; at < octets.length; at++) {
    const octet = escapedOctet(octets, at);
    octets[length++] = octet < 0 ? octets[at]! : octet;
    if (octet >= 0) at += 2;
  }
  return octets.slice(0, length);
}

function escapedOctet(octets: Uint8Array, at: number): number {
  if (octets[at] !== 0x25 || at + 2 >= octets.length) return -1;
  const high = hexValue(octets[at + 1]!);
  const low = hexValue(octets[at + 2]!);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/**
 * Decodes a component to text for people: UTF-8 if its octets are valid UTF-8, else ISO 8859-1.
 *
 * @example
 * ```ts
 * decodeText('caf%C3%A9'); // 'café'
 * decodeText('caf%E9'); // 'café'
 * ```
 */
export function decodeText(component: string): string {
  const octets = decode(component);
  return fromUtf8(octets) ?? latin1(octets);
}

function latin1(octets: Uint8Array): string {
  let text = '';
  for (const octet of octets) text += String.fromCharCode(octet);
  return text;
}
