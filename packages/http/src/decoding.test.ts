import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { response, webPeer } from '../testing/web-peer.ts';

const text = Buffer.from('All work and no play makes Jack a dull boy.\n'.repeat(5000));
const coders: [string, (octets: Buffer) => Buffer][] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
];
const encoded = (coding: string, body: Buffer): Buffer => response('200 OK', [`Content-Encoding: ${coding}`], body);
const compressed = { compressed: true };

describe.each(coders)('%s', (coding, encode) => {
  test('is undone when it was asked for; the size then is not known', async () => {
    await using web = await webPeer([encoded(coding, encode(text))]);
    const { body, metadata } = await web.content('/', compressed);
    expect(metadata.size).toBeUndefined();
    expect(body.size).toBeUndefined();
    expect(Buffer.from(await body.bytes()).equals(text)).toBe(true);
    expect(web.access.idle.size).toBe(1);
  });

  test('is left alone when nobody asked', async () => {
    const octets = encode(text);
    await using web = await webPeer([encoded(coding, octets)]);
    const { body, metadata } = await web.content();
    expect(metadata.size).toBe(octets.length);
    expect(Buffer.from(await body.bytes()).equals(octets)).toBe(true);
  });

  test('is undone octet by octet', async () => {
    await using web = await webPeer([encoded(coding, encode(Buffer.from('abc')))], { octetByOctet: true });
    expect(await (await web.content('/', compressed)).body.text()).toBe('abc');
  });

  test('that ends early is incomplete, wherever it ends', async () => {
    const octets = encode(Buffer.from('abcabcabcabc'));
    for (let length = 1; length < octets.length; length += 1) {
      await using web = await webPeer([encoded(coding, octets.subarray(0, length))]);
      expect([length, (await web.failure('/', compressed)).code]).toEqual([length, 'incomplete']);
    }
  });

  test('that is broken is a breach of protocol', async () => {
    const octets = Buffer.from(encode(randomBytes(2000)));
    octets.fill(0xff, 0, 40);
    await using web = await webPeer([encoded(coding, octets)]);
    expect((await web.failure('/', compressed)).code).toBe('protocol');
  });

  test('whose transfer is cut off is incomplete', async () => {
    const whole = encoded(coding, encode(randomBytes(5000)));
    await using web = await webPeer([{ octets: whole.subarray(0, -100), after: 'end' }]);
    expect((await web.failure('/', compressed)).code).toBe('incomplete');
  });

  test.each([5, 100_000, 3_000_000])(
    'that is followed by %i octets of something else is a breach of protocol',
    async (excess) => {
      const octets = Buffer.concat([encode(Buffer.from('abc')), Buffer.alloc(excess, 'x')]);
      await using web = await webPeer([encoded(coding, octets)]);
      expect((await web.failure('/', compressed)).code).toBe('protocol');
    },
  );

  test('of a small bomb is limited', async () => {
    await using web = await webPeer([encoded(coding, encode(Buffer.alloc(10_000_000)))], {
      driver: { maxDecodedBytes: 1_000_000 },
    });
    expect((await web.failure('/', compressed)).code).toBe('limit');
  });

  test('of a large bomb is limited by its growth', async () => {
    await using web = await webPeer([encoded(coding, encode(Buffer.alloc(40_000_000)))]);
    expect((await web.failure('/', compressed)).code).toBe('limit');
  });

  test('of nothing is nothing, and of no octets at all too', async () => {
    await using web = await webPeer([encoded(coding, encode(Buffer.alloc(0))), encoded(coding, Buffer.alloc(0))]);
    expect(await (await web.content('/', compressed)).body.text()).toBe('');
    expect(await (await web.content('/', compressed)).body.text()).toBe('');
  });
});

test('bare deflate, as some servers send it, is understood (RFC 9110 §8.4.1.2)', async () => {
  await using web = await webPeer([encoded('deflate', deflateRawSync(text))]);
  expect(Buffer.from(await (await web.content('/', compressed)).body.bytes()).equals(text)).toBe(true);
});

test('several gzip members are one body (RFC 1952 §2.2)', async () => {
  await using web = await webPeer([encoded('gzip', Buffer.concat([gzipSync('one '), gzipSync('two')]))]);
  expect(await (await web.content('/', compressed)).body.text()).toBe('one two');
});

test('several codings are undone from the last to the first', async () => {
  const body = brotliCompressSync(gzipSync(text));
  await using web = await webPeer([
    response('200 OK', ['Content-Encoding: GZIP, identity', 'Content-Encoding: br'], body),
    encoded('gzip,gzip,gzip,gzip,gzip', text),
  ]);
  expect(Buffer.from(await (await web.content('/', compressed)).body.bytes()).equals(text)).toBe(true);
  expect((await web.failure('/', compressed)).code).toBe('limit');
});

test('bombs within bombs are limited in between', async () => {
  // Members of 20 octets that hold nothing: large when undone once, nothing when undone twice.
  const inner = Buffer.alloc(30_000_000, gzipSync(''));
  await using web = await webPeer([encoded('gzip, gzip', gzipSync(inner))], { driver: { maxDecodingRatio: 100 } });
  expect((await web.failure('/', compressed)).code).toBe('limit');
});

test('an unknown coding leaves the octets as they are, and its header tells', async () => {
  const octets = gzipSync('abc');
  await using web = await webPeer([encoded('gzip, rot13', octets)]);
  const { body, metadata } = await web.content('/', compressed);
  expect(metadata.headers).toContainEqual(['Content-Encoding', 'gzip, rot13']);
  expect(Buffer.from(await body.bytes()).equals(octets)).toBe(true);
});

test('a slow reader holds the whole chain up', async () => {
  await using web = await webPeer([encoded('gzip', gzipSync(randomBytes(5_000_000)))]);
  const { body } = await web.content('/', compressed);
  let got = 0;
  await body.pipeTo(async (chunk) => {
    if (got === 0) await new Promise((resolve) => setTimeout(resolve, 100));
    if (got === 0) expect(web.access.sockets[0]!.bytesRead).toBeLessThan(1_000_000);
    got += chunk.length;
  });
  expect(got).toBe(5_000_000);
});

test('a sink that throws, and a reader that stops, close the connection', async () => {
  const reply = encoded('gzip', gzipSync(randomBytes(5_000_000)));
  await using web = await webPeer([reply, reply, reply]);
  const error = Object.assign(new Error('disk full'), { code: 'ENOSPC', errno: -28, syscall: 'write' });
  await expect((await web.content('/', compressed)).body.pipeTo(() => Promise.reject(error))).rejects.toBe(error);
  for await (const chunk of (await web.content('/', compressed)).body) {
    expect(chunk.length).toBeGreaterThan(0);
    break;
  }
  await (await web.content('/', compressed)).body.cancel();
  await web.peer.drained();
});

test('an abort within a compressed body rejects with its reason', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const reply = encoded('gzip', gzipSync(randomBytes(100_000)));
  await using web = await webPeer([reply.subarray(0, 50_000)], { signal: controller.signal });
  const { body } = await web.content('/', compressed);
  setTimeout(() => controller.abort(reason), 20);
  await expect(body.bytes()).rejects.toBe(reason);
});
