/** A listing's octets as entries, streaming: no more than one line is held. */
import {
  emptyBody,
  LineReader,
  RetrievalError,
  type Body,
  type Entry,
  type Listing,
  type Metadata,
  type OctetSource,
} from '@retriever/driver';
import type { NntpSettings } from './options.ts';

/** The entry that a line tells of. */
export type LineParser = (line: Uint8Array) => Entry;

type Bounds = Pick<NntpSettings, 'maxEntries' | 'maxOverviewLineBytes'>;

export function listingOf(body: Body, metadata: Metadata, parser: LineParser, bounds: Bounds): Listing {
  return {
    kind: 'listing',
    entries: { [Symbol.asyncIterator]: () => entriesOf(body, parser, bounds) },
    body,
    metadata,
  };
}

export function emptyListing(metadata: Metadata): Listing {
  return { kind: 'listing', entries: { async *[Symbol.asyncIterator]() {} }, body: emptyBody(), metadata };
}

/** @throws RetrievalError `limit` beyond the bounds, and whatever the body fails with. */
async function* entriesOf(body: Body, parser: LineParser, bounds: Bounds): AsyncGenerator<Entry, void, undefined> {
  const chunks = body[Symbol.asyncIterator]();
  const lines = new LineReader(sourceOf(chunks), { maxLineBytes: bounds.maxOverviewLineBytes });
  let count = 0;
  try {
    for (let line = await lines.line(); line; line = await lines.line()) {
      if (line.length === 0) continue;
      count += 1;
      if (count > bounds.maxEntries) {
        throw new RetrievalError('limit', `the listing has more than ${bounds.maxEntries} entries`);
      }
      yield parser(line);
    }
  } finally {
    await chunks.return?.();
  }
}

function sourceOf(chunks: AsyncIterator<Uint8Array>): OctetSource {
  return {
    async read() {
      const next = await chunks.next();
      return next.done ? undefined : next.value;
    },
  };
}
