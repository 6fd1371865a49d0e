/** Names for files, made of URLs and of servers' suggestions: one plain name, always inside the output directory. */
import { textOf } from '@retriever/driver';
import { decode, type Url } from '@retriever/url';
import { Failure } from './failure.ts';

/**
 * The name `-O` writes to: the last name of the URL's path, decoded; no user, password, typecode or search is part of it.
 *
 * @throws Failure 23 when the URL ends in no name.
 */
export function fileNameOf(url: Url): string {
  const name = safeFileName(textOf(lastName(url)));
  if (name === undefined) throw new Failure(23, 'the URL has no file name at its end; use -o FILE in place of -O');
  return name;
}

const empty = new Uint8Array(0);

function lastName(url: Url): Uint8Array {
  switch (url.grammar) {
    case 'ftp':
    case 'file':
      return url.octets.name;
    case 'http':
      return lastSegment(url.path ?? '');
    case 'gopher':
      return afterLastSlash(url.octets.selector);
    case 'news':
    case 'nntp':
      return decode(url.article ?? url.group ?? '');
    case 'wais':
      return afterLastSlash(url.octets.wpath ?? url.octets.database);
    case 'prospero':
      return afterLastSlash(url.octets.hsoname);
    case 'generic':
      return afterLastSlash(url.octets.urlPath ?? empty);
    default:
      return empty;
  }
}

/** The segment is cut off before it is decoded: `%2F` is data inside it. */
function lastSegment(path: string): Uint8Array {
  return decodeLoosely(path.slice(path.lastIndexOf('/') + 1));
}

/** A lone `%` stands for itself, as http URLs may have it. */
function decodeLoosely(text: string): Uint8Array {
  return decode(text.replaceAll(/%(?![\da-f]{2})/gi, '%25'));
}

function afterLastSlash(octets: Uint8Array): Uint8Array {
  return octets.subarray(octets.lastIndexOf(0x2f) + 1);
}

/** Names that Windows keeps for devices, whatever their suffix. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(\.|$)/i;
/** Longer names no common file system takes. */
const maxNameOctets = 255;

/**
 * A name that is nothing but a name: no separator, no control, no device, not too long. Undefined when nothing is left.
 *
 * @example
 * safeFileName('../../etc/passwd'); // '.._.._etc_passwd'
 */
export function safeFileName(suggestion: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- a name must not hold them
  const plain = suggestion.replaceAll(/[\u0000-\u001f\u007f-\u009f/\\\u202a-\u202e\u2066-\u2069]/g, '_');
  if (/^\.{0,2}$/.test(plain)) return undefined;
  return shortened(reserved.test(plain) ? `_${plain}` : plain);
}

/** Cut in front of the suffix, between characters. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= maxNameOctets) return name;
  const suffix = /\.[^.]{1,15}$/.exec(name)?.[0] ?? '';
  const stem = Buffer.from(name.slice(0, name.length - suffix.length)).subarray(
    0,
    maxNameOctets - Buffer.byteLength(suffix),
  );
  // A character cut in two decodes to a replacement character.
  return stem.toString().replace(/\uFFFD$/, '') + suffix;
}

/** The server's suggestion as a name; what stands before its last separator is a path of the server's and nobody else's. */
export function suggestedFileName(suggestion: string | undefined): string | undefined {
  return suggestion === undefined ? undefined : safeFileName(suggestion.replace(/^.*[/\\]/s, ''));
}
