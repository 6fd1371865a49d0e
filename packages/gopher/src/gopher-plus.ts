/** The Gopher+ string of a URL, RFC 1738 §3.4.4 to §3.4.9: what it asks for. */
import { latin1Of } from '@retriever/driver';

/** What a Gopher+ string asks for. */
export type GopherPlus = ViewRequest | AttributesRequest | FormRequest | UnknownRequest;

/** `+` and `+view language` (§3.4.4, §3.4.8), with or without answers to the item's form (§3.4.9). */
export interface ViewRequest {
  readonly kind: 'view';
  readonly view: GopherView | undefined;
  /** Whether answers to the item's form follow (§3.4.9). */
  readonly answers: boolean;
}

/** `!` and `$`, with or without the names of attributes (§3.4.6, §3.4.7). */
export interface AttributesRequest {
  readonly kind: 'attributes';
  /** `item` for `!`, `directory` for `$`. */
  readonly of: 'item' | 'directory';
  /** In upper case, without the plus sign; empty means all. */
  readonly names: readonly string[];
}

/** `?`: the form of an item (§3.4.5), which is its +ASK attribute. */
export interface FormRequest {
  readonly kind: 'form';
}

/** What RFC 1738 does not know: sent as it is. */
export interface UnknownRequest {
  readonly kind: 'unknown';
}

/** One representation of an item: a line of +VIEWS, or what a URL asks for. */
export interface GopherView {
  /** Lower case, without parameters: `application/postscript`. Gopher+ has types of its own, such as `directory/recursive`. */
  readonly mediaType: string;
  readonly charset?: string;
  /** A language as Gopher+ writes it: `En_US`. */
  readonly language?: string;
  /** How large it is in the server's words, a rough number: `.1k`. */
  readonly size?: string;
}

/**
 * Reads a Gopher+ string.
 *
 * @example
 * gopherPlusOf(ascii('!+ABSTRACT +SMELL')); // { kind: 'attributes', of: 'item', names: ['ABSTRACT', 'SMELL'] }
 */
export function gopherPlusOf(octets: Uint8Array): GopherPlus {
  const text = latin1Of(octets);
  const rest = text.slice(1);
  switch (text[0]) {
    case '+': {
      const [view = '', dataFlag] = rest.split(/\t|\r\n/, 2);
      return { kind: 'view', view: gopherView(view), answers: dataFlag === '1' };
    }
    case '!':
      return { kind: 'attributes', of: 'item', names: attributeNames(rest) };
    case '$':
      return { kind: 'attributes', of: 'directory', names: attributeNames(rest) };
    case '?':
      return { kind: rest === '' ? 'form' : 'unknown' };
    default:
      return { kind: 'unknown' };
  }
}

/**
 * A view as +VIEWS and URLs name it: a media type and, perhaps, a language.
 *
 * @example
 * gopherView('Text/plain En_US'); // { mediaType: 'text/plain', language: 'En_US' }
 */
export function gopherView(text: string): GopherView | undefined {
  const [[mediaType, ...words] = [], ...parameters] = text.split(';').map((part) => part.trim().split(/\s+/));
  // What is none goes no further: media types end up in header fields.
  if (mediaType === undefined || !/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(mediaType)) return undefined;
  const charset = parameters.map(([parameter = '']) => /^charset="?([\w.:-]+)/i.exec(parameter)?.[1]).find(Boolean);
  const language = [words, ...parameters.map((parameter) => parameter.slice(1))].flat().find(isLanguage);
  return {
    mediaType: mediaType.toLowerCase(),
    ...(charset !== undefined && { charset: charset.toLowerCase() }),
    ...(language !== undefined && { language }),
  };
}

function isLanguage(word: string): boolean {
  return /^[A-Za-z][\w.-]*$/.test(word);
}

/** RFC 1738 §3.4.7 puts blanks between the names, the UMN client nothing. */
function attributeNames(text: string): string[] {
  return text
    .split(/[+\s]+/)
    .filter((name) => name !== '')
    .map((name) => name.toUpperCase());
}
