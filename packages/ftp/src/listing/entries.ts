/** A listing's octets as entries, streaming: no more than one line is held. */
import {
  latin1Of,
  LineReader,
  RetrievalError,
  textOf,
  type Body,
  type Entry,
  type OctetSource,
} from '@retriever/driver';
import type { LineParser, ListedLine } from './listed-line.ts';
import { entryUrl } from './url-base.ts';

export interface EntriesOptions {
  readonly parser: () => Promise<LineParser>;
  /** The URL of the directory, for an entry of this name; ends in `/`. */
  readonly baseFor: (rawName: Uint8Array) => string;
  readonly maxLineBytes: number;
  readonly maxEntries: number;
}

/** @throws RetrievalError `limit` beyond the bounds, and whatever the body fails with. */
export async function* entriesOf(body: Body, options: EntriesOptions): AsyncGenerator<Entry, void, undefined> {
  const parse = await options.parser();
  const chunks = body[Symbol.asyncIterator]();
  const lines = new LineReader(sourceOf(chunks), { maxLineBytes: options.maxLineBytes });
  let count = 0;
  try {
    for (let line = await lines.line(); line; line = lines.lineAtHand() ?? (await lines.line())) {
      const listed = parse(line, latin1Of(line));
      if (listed === undefined || listed === 'skip') continue;
      count += 1;
      if (count > options.maxEntries)
        throw new RetrievalError('limit', `the listing has more than ${options.maxEntries} entries`);
      yield entryOf(listed, options);
    }
  } finally {
    await chunks.return?.();
  }
}

function entryOf({ urlName, ...listed }: ListedLine, { baseFor }: EntriesOptions): Entry {
  const isText = listed.kind === 'info' || listed.kind === 'error';
  const url = isText
    ? undefined
    : entryUrl(baseFor(listed.rawName), urlName ?? listed.rawName, listed.kind === 'directory');
  return { name: textOf(listed.rawName), ...listed, ...(url !== undefined && { url }) };
}

function sourceOf(chunks: AsyncIterator<Uint8Array>): OctetSource {
  return {
    async read() {
      const next = await chunks.next();
      return next.done ? undefined : next.value;
    },
  };
}
