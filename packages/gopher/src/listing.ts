/** Menus and attributes as listings. */
import { createBody, emptyBody, textOf, type Body, type Entry, type Listing, type Metadata } from '@retriever/driver';
import { build } from '@retriever/url';
import { attributeEntries, type AttributeListing } from './attribute-entry.ts';
import { itemTypeOf } from './item-types.ts';
import type { Meaning } from './meaning.ts';
import type { MenuServer } from './menu-entry.ts';
import { bounded, menuEntries, type MenuLimits } from './menu.ts';
import type { GopherReply } from './reply.ts';
import type { GopherRequest } from './request.ts';

/** What makes a listing of an answer. */
export interface ListingContext {
  readonly meaning: Exclude<Meaning, 'object'>;
  readonly request: GopherRequest;
  readonly server: MenuServer;
  readonly limits: MenuLimits;
  readonly metadata: Metadata;
  readonly note: (text: string) => void;
}

/** Entries and body read the same octets: whoever comes second is told. */
export function listing(reply: GopherReply, context: ListingContext): Listing {
  async function* entries(): AsyncGenerator<Entry> {
    reply.take();
    try {
      yield* entriesOf(reply, context);
    } finally {
      reply.close();
    }
  }
  const { metadata, note } = context;
  return { kind: 'listing', entries: { [Symbol.asyncIterator]: entries }, body: bodyOfReply(reply, note), metadata };
}

/** A listing of which only the metadata was wanted. */
export function emptyListing(metadata: Metadata): Listing {
  return { kind: 'listing', entries: { [Symbol.asyncIterator]: nothing }, body: emptyBody(), metadata };
}

/** The item's octets. */
export function bodyOfReply(reply: GopherReply, note: (text: string) => void): Body {
  return createBody({
    size: reply.header?.ends === 'count' ? reply.header.count : undefined,
    async pump(sink) {
      reply.take();
      await reply.pump(sink, note);
      reply.close();
    },
    cancel: () => reply.close(),
  });
}

function entriesOf(reply: GopherReply, context: ListingContext): AsyncGenerator<Entry> {
  const { meaning, server, limits, note } = context;
  if (meaning === 'attributes') return attributesOf(reply, context);
  // Where no header tells the end, the menu's reader looks for the dot itself.
  return reply.isPlain
    ? menuEntries(reply, server, limits, note)
    : menuEntries(reply.unframed(), server, limits, note, 'no');
}

async function* attributesOf(
  reply: GopherReply,
  { request, server, limits, note }: ListingContext,
): AsyncGenerator<Entry> {
  const { plus } = request;
  const names = plus?.kind === 'form' ? ['ASK'] : plus?.kind === 'attributes' ? plus.names : [];
  const source = bounded(reply.unframed(), limits.maxMenuBytes);
  let hasForm = false;
  for await (const entry of attributeEntries(source, { names, item: itemOf(request, server), server }, limits, note)) {
    hasForm ||= entry.facts?.['ask'] !== undefined;
    yield entry;
  }
  if (plus?.kind === 'form' && !hasForm) note('the item has no form (+ASK)');
}

/** The item that was asked about. */
function itemOf({ type, selector }: GopherRequest, { scheme, host, port }: MenuServer): AttributeListing['item'] {
  const url = build.gopher({ scheme, host, ...(port !== 70 && { port }), gophertype: type, selector });
  return { name: textOf(selector), rawName: selector, kind: itemTypeOf(type).kind, url: url.toString() };
}

async function* nothing(): AsyncGenerator<Entry> {
  // Nothing was transferred.
}
