/** Item types: RFC 1436 §3.8, and those that servers have added since. */
import { mediaTypeOf, type EntryKind } from '@retriever/driver';

/**
 * How an answer without a Gopher+ header is laid out: `menu` and `text` are lines that a lone dot may end (RFC 1436 §3.8),
 * `octets` run to the end of the connection, untouched.
 */
export type Framing = 'menu' | 'text' | 'octets';

/** What an item type means. */
export interface ItemType {
  /** What an entry of this type is in a listing. */
  readonly kind: EntryKind;
  readonly framing: Framing;
  /** The media type it stands for, if it stands for one. */
  readonly mediaType?: string;
  /** Where the type names a family only (`image/`, `audio/`), or says nothing (``), the item's name is asked, within the family. */
  readonly guess?: string;
}

const menu = 'application/gopher-menu';

const table = new Map<string, ItemType>([
  ['0', { kind: 'file', framing: 'text', mediaType: 'text/plain' }],
  ['1', { kind: 'directory', framing: 'menu', mediaType: menu }],
  ['2', { kind: 'search', framing: 'text', mediaType: 'text/plain' }], // CSO phone book
  ['3', { kind: 'error', framing: 'menu', mediaType: menu }],
  ['4', { kind: 'file', framing: 'octets', mediaType: 'application/mac-binhex40' }],
  ['5', { kind: 'file', framing: 'octets', guess: '' }], // DOS archive
  ['6', { kind: 'file', framing: 'octets', mediaType: 'text/x-uuencode' }],
  ['7', { kind: 'search', framing: 'menu', mediaType: menu }],
  ['8', { kind: 'service', framing: 'octets' }], // telnet
  ['9', { kind: 'file', framing: 'octets', guess: '' }],
  ['T', { kind: 'service', framing: 'octets' }], // tn3270
  ['g', { kind: 'file', framing: 'octets', mediaType: 'image/gif' }],
  ['I', { kind: 'file', framing: 'octets', guess: 'image/' }],
  // Not in RFC 1436, but in use.
  [':', { kind: 'file', framing: 'octets', guess: 'image/' }], // Gopher+ bitmap
  [';', { kind: 'file', framing: 'octets', guess: 'video/' }], // Gopher+ movie
  ['<', { kind: 'file', framing: 'octets', guess: 'audio/' }], // Gopher+ sound
  ['s', { kind: 'file', framing: 'octets', guess: 'audio/' }],
  ['p', { kind: 'file', framing: 'octets', mediaType: 'image/png' }],
  ['P', { kind: 'file', framing: 'octets', mediaType: 'application/pdf' }],
  ['d', { kind: 'file', framing: 'octets', guess: '' }], // a word processor's document
  ['r', { kind: 'file', framing: 'octets', mediaType: 'application/rtf' }],
  ['h', { kind: 'file', framing: 'octets', mediaType: 'text/html' }],
  ['X', { kind: 'file', framing: 'octets', mediaType: 'application/xml' }],
  ['M', { kind: 'file', framing: 'octets', mediaType: 'message/rfc822' }],
  ['c', { kind: 'file', framing: 'octets', mediaType: 'text/calendar' }],
  ['i', { kind: 'info', framing: 'text', mediaType: 'text/plain' }],
]);

/** A letter that nobody has told us about: an object like any other, its octets left alone. */
const unknown: ItemType = { kind: 'file', framing: 'octets', guess: '' };

/**
 * What an item type means; a letter not in the table is an object of unknown form.
 *
 * @example
 * itemTypeOf('1').framing; // 'menu'
 */
export function itemTypeOf(type: string): ItemType {
  return table.get(type) ?? unknown;
}

/**
 * The media type of an item: its type's own, else what its name's suffix says if that agrees with the type.
 *
 * @example
 * mediaTypeOfItem('I', '/photo.jpg'); // 'image/jpeg'
 */
export function mediaTypeOfItem(type: string, selector: string): string | undefined {
  const { mediaType, guess } = itemTypeOf(type);
  if (mediaType !== undefined || guess === undefined) return mediaType;
  const guessed = mediaTypeOf(selector);
  return guessed?.startsWith(guess) ? guessed : 'application/octet-stream';
}
