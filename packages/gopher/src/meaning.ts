/** What an answer is: a menu, attributes or an object, and of which media type. */
import { textOf, type Metadata } from '@retriever/driver';
import type { GopherView } from './gopher-plus.ts';
import { itemTypeOf, mediaTypeOfItem } from './item-types.ts';
import type { ReplyHeader } from './reply-header.ts';
import type { GopherRequest } from './request.ts';

/** `menu` lines of RFC 1436 §3.9 · `attributes` blocks of Gopher+ · `object` anything else. */
export type Meaning = 'menu' | 'attributes' | 'object';

/** The media type of attributes, as UMN gopherd names it among the views of a directory. */
const attributesType = 'application/gopher+-menu';

/** Views of directories (UMN gopherd). */
const meanings = new Map<string, Meaning>([
  ['application/gopher-menu', 'menu'],
  ['directory/recursive', 'menu'],
  [attributesType, 'attributes'],
  ['directory+/recursive', 'attributes'],
]);

/**
 * What the answer to a request is.
 *
 * @param header Undefined when the answer is plain: the item's type then says all, whatever the Gopher+ string asked for.
 */
export function meaningOf({ type, plus }: GopherRequest, header: ReplyHeader | undefined): Meaning {
  const byType = itemTypeOf(type).framing === 'menu' ? 'menu' : 'object';
  if (!header || !plus) return byType;
  if (plus.kind === 'attributes' || plus.kind === 'form') return 'attributes';
  const view = plus.kind === 'view' ? plus.view : undefined;
  return view ? (meanings.get(view.mediaType) ?? 'object') : byType;
}

/** What is known before the body. Of a view it is what was asked for: no header says what was sent, and servers ignore views. */
export function metadataOf(request: GopherRequest, header: ReplyHeader | undefined): Metadata {
  const size = header?.ends === 'count' ? { size: header.count } : {};
  if (meaningOf(request, header) === 'attributes') return { ...size, mediaType: attributesType };
  const { type, selector, plus } = request;
  const view = header && plus?.kind === 'view' ? plus.view : undefined;
  if (view) return { ...size, ...typeOfView(view) };
  return { ...size, mediaType: mediaTypeOfItem(type, textOf(selector)) };
}

function typeOfView({ mediaType, charset, language }: GopherView): Metadata {
  return {
    mediaType,
    ...(charset !== undefined && { charset }),
    // Es_ES, as RFC 5646 writes it.
    ...(language !== undefined && { language: language.replaceAll('_', '-') }),
  };
}
