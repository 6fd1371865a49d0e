/** Bodies of every framing, split, cut and followed by garbage, several at once on reused connections, read in every way. */
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { RetrievalError, type Body, type Content } from '@retriever/driver';
import { scriptedPeer, testAccess, type PeerConnection } from '@retriever/driver/testing';
import { parse, type HttpUrl } from '@retriever/url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { http } from './index.ts';

/** A response, and what becomes of it. */
interface Plan {
  readonly framing: 'length' | 'chunked' | 'close';
  readonly gzip: boolean;
  readonly size: number;
  /** The sizes of chunks, and of the pieces it is sent in, over and over. */
  readonly pieces: readonly number[];
  /** Where it is cut off, as a part of its length; beyond 1 not at all. */
  readonly cut: number;
  readonly garbage: string;
  readonly reader: keyof typeof readers;
}

const contentOf = (size: number): Buffer => Buffer.from(Uint8Array.from({ length: size }, (_, at) => (at * 7919) >> 4));

/** The pieces of the octets, in the sizes given, over and over. */
function* piecesOf(octets: Buffer, sizes: readonly number[]): Generator<Buffer> {
  for (let at = 0, n = 0; at < octets.length; n += 1) {
    const size = sizes[n % sizes.length]!;
    yield octets.subarray(at, at + size);
    at += size;
  }
}

/** The response's octets, and whether all of them will be sent. */
function responseOf({ framing, gzip, size, pieces, cut, garbage }: Plan): { octets: Buffer; whole: boolean } {
  const body = gzip ? gzipSync(contentOf(size)) : contentOf(size);
  const head = ['HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK', ...(gzip ? ['Content-Encoding: gzip'] : [])];
  if (framing === 'length') head.push(`Content-Length: ${body.length}`);
  if (framing === 'chunked') head.push('Transfer-Encoding: chunked');
  const chunk = (part: Buffer): Buffer =>
    Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]);
  const framed =
    framing === 'chunked' ? Buffer.concat([...[...piecesOf(body, pieces)].map(chunk), Buffer.from('0\r\n\r\n')]) : body;
  const complete = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), framed]);
  if (cut >= 1)
    return { octets: Buffer.concat([complete, Buffer.from(framing === 'close' ? '' : garbage)]), whole: true };
  return { octets: complete.subarray(0, cut * complete.length), whole: false };
}

async function readStream(body: Body, options?: { mode: 'byob' }): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  if (!options) {
    for await (const part of body) parts.push(part);
    return Buffer.concat(parts);
  }
  const reader = body.stream().getReader(options);
  for (let view = new Uint8Array(10_000); ;) {
    const { done, value } = await reader.read(view);
    if (value) parts.push(Buffer.from(value));
    if (done) return Buffer.concat(parts);
    view = new Uint8Array(value.buffer);
  }
}

async function pipe(body: Body, wait: () => Promise<void> | void): Promise<Buffer> {
  const parts: Buffer[] = [];
  await body.pipeTo(async (chunk) => {
    await wait();
    parts.push(Buffer.from(chunk));
  });
  return Buffer.concat(parts);
}

const readers = {
  bytes: (body: Body) => body.bytes(),
  pipe: (body: Body) => pipe(body, () => undefined),
  slow: (body: Body) => sleep(3).then(() => pipe(body, () => sleep(1))),
  iterator: (body: Body) => readStream(body),
  byob: (body: Body) => readStream(body, { mode: 'byob' }),
};

async function serve(connection: PeerConnection, plans: readonly Plan[]): Promise<void> {
  for (;;) {
    const number = Number(/\d+/.exec(await connection.line())![0]);
    while ((await connection.line()) !== '');
    const plan = plans[number]!;
    const { octets, whole } = responseOf(plan);
    for (const piece of piecesOf(octets, plan.pieces)) await connection.send(piece.toString('latin1'));
    if (!whole || plan.framing === 'close') return;
  }
}

/** Checks one retrieval: its octets, or the error that a cut must be. */
async function check(plan: Plan, retrieving: Promise<Content>): Promise<void> {
  const { whole } = responseOf(plan);
  try {
    const { body } = await retrieving;
    const octets = await readers[plan.reader](body);
    // Cut off where only the end tells, nobody can know, unless compressed data end early.
    if (!whole && plan.framing === 'close' && (!plan.gzip || octets.length === 0)) return;
    expect([whole, Buffer.compare(octets, contentOf(plan.size))]).toEqual([true, 0]);
  } catch (error) {
    if (whole || !(error instanceof RetrievalError)) throw error;
    expect(error.code).toBe('incomplete');
  }
}

const size = fc.oneof(fc.constantFrom(0, 1, 65_535, 65_536, 65_537), fc.nat(200_000));
const plan: fc.Arbitrary<Plan> = fc.record({
  framing: fc.constantFrom('length', 'chunked', 'close'),
  gzip: fc.boolean(),
  size,
  pieces: fc.array(fc.integer({ min: 500, max: 100_000 }), { minLength: 1, maxLength: 4 }),
  cut: fc.double({ min: 0, max: 4, noNaN: true }),
  garbage: fc.constantFrom('', '', '\r\n', 'garbage', 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL'),
  reader: fc.constantFrom('bytes', 'pipe', 'slow', 'iterator', 'byob'),
});

test('each body comes whole, octet for octet, or fails as incomplete', { timeout: 120_000 }, async () => {
  const driver = http();
  await fc.assert(
    fc.asyncProperty(fc.array(plan, { minLength: 3, maxLength: 3 }), async (plans) => {
      await using peer = await scriptedPeer((connection) => serve(connection, plans));
      const access = testAccess();
      try {
        const retrieve = async (number: number): Promise<Content> => {
          const url = parse(`http://127.0.0.1:${peer.port}/${number}`) as HttpUrl;
          return (await driver.retrieve({ url, compressed: true }, access)) as Content;
        };
        // One after another on one connection as far as it goes, and a third beside them.
        const beside = check(plans[2]!, retrieve(2));
        beside.catch(() => undefined);
        for (const number of [0, 1]) await check(plans[number]!, retrieve(number));
        await beside;
      } finally {
        access.close();
      }
    }),
    { numRuns: 150, seed: 1738 },
  );
});
