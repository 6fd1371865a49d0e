/** Arbitrary octets and spoilt recordings: no hang, no other failure than a typed one. */
import { chunkSource, RetrievalError } from '@retriever/driver';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { retrieveSpoilt } from '../testing/fuzz.ts';
import { dice, exchanges, spoil } from '../testing/mutation.ts';
import { readInitResponse } from './init.ts';
import { MessageReader } from './message-reader.ts';
import { readSearchResponse } from './search-response.ts';
import { concatenated, tagged, taggedIn } from './tagged.ts';
import { readWpath, writeWpath } from './wpath.ts';

/** Octets that look a little like the protocol. */
const octets = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc
    .array(
      fc.record({
        tag: fc.constantFrom(28, 99, 116, 127, 131, 132, 133, 150, 153),
        value: fc.uint8Array({ maxLength: 60 }),
      }),
    )
    .map((values) =>
      concatenated([
        [0, 14, 23, 1, 0, 0, 0, 0, 0, 9, 0, 0, 0, 27, 1, 0],
        tagged(99, concatenated(values.map(({ tag, value }) => tagged(tag, value)))),
      ]),
    ),
);

function typed(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof RetrievalError)) throw error;
  }
}

test('no octets make the parsers fail otherwise than by a RetrievalError', () => {
  fc.assert(
    fc.property(octets, (message) => {
      typed(() => readSearchResponse(message, 100));
      typed(() => readInitResponse(message));
      typed(() => [...taggedIn(message)]);
    }),
    { numRuns: 5000 },
  );
});

test('no stream of octets makes the reader of messages hang or fail otherwise than by a RetrievalError', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.constant(Buffer.from('0000000003z2wais        0abc')))),
      async (chunks) => {
        const reader = new MessageReader(chunkSource(chunks), { maxMessageBytes: 100 });
        try {
          while (await reader.message());
        } catch (error) {
          expect(error).toBeInstanceOf(RetrievalError);
        }
      },
    ),
    { numRuns: 2000 },
  ));

test('a doc-id comes back octet for octet from either spelling of the wpath, whatever it is made of', () => {
  const values = fc.array(fc.tuple(fc.nat(2 ** 28 - 1), fc.uint8Array({ maxLength: 400 })), {
    minLength: 1,
    maxLength: 9,
  });
  const docId = fc.oneof(
    values.map((pairs) => concatenated(pairs.map(([tag, value]) => tagged(tag, value)))),
    fc.uint8Array({ minLength: 1, maxLength: 300 }),
  );
  fc.assert(
    fc.property(docId, fc.nat(), (id, length) => {
      const wpath = writeWpath({ docId: id, length });
      const read = readWpath(wpath);
      expect(Buffer.from(read.docId)).toEqual(Buffer.from(id));
      if (/^\d+\//.test(wpath)) expect(read.length).toBe(length);
      expect(wpath).toMatch(/^[!-~]+$/);
    }),
    { numRuns: 2000 },
  );
});

test('no spoilt recording makes the driver hang or fail otherwise than by a RetrievalError', async () => {
  const all = exchanges();
  const outcomes = new Set<string>();
  for (let seed = 1; seed <= 3000; seed++) {
    const roll = dice(seed * 7919);
    const { path, replies } = all[roll(all.length)]!;
    outcomes.add(await retrieveSpoilt(path, spoil(replies, roll)));
  }
  // All of them are reached, or the recordings are not spoilt enough.
  expect([...outcomes]).toEqual(expect.arrayContaining(['ok', 'protocol', 'incomplete', 'not-found', 'limit']));
}, 60_000);
