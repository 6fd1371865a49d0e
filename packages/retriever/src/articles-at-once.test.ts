/** Many articles at once over few sessions, with callers that give up and servers that fail: each gets its own article or an error. */
import { RetrievalError } from '@retriever/driver';
import { scriptedPeer, type PeerConnection } from '@retriever/driver/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createClient } from './index.ts';

type Random = () => number;

/** The same numbers for the same seed (mulberry32). */
function random(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const isGone = (group: string, number: number): boolean => group === 'gone' || number % 17 === 0;

/** A server with the groups a, b, gone, and private, which needs a login; it dawdles, and dies now and then. */
async function serve(connection: PeerConnection, next: Random): Promise<void> {
  let selected = '';
  let member = false;
  const answer = (verb: string, argument: string): string => {
    if (verb === 'AUTHINFO') return argument.startsWith('USER') ? '381 password' : ((member = true), '281 welcome');
    if (verb === 'GROUP') {
      if (argument === 'gone') return '411 no such group';
      if (argument === 'private' && !member) return '480 members only';
      selected = argument;
      return `211 9 1 99999 ${argument}`;
    }
    if (selected === '') return '412 no group';
    if (Number(argument) % 17 === 0) return '423 no such article';
    return `220 ${argument} <x@y>\r\n\r\n${selected}/${argument} ${'x'.repeat(next() * 30_000)}\r\n.`;
  };
  await connection.send('200 ready\r\n');
  for (;;) {
    const line = await connection.line();
    if (line === 'QUIT' || next() < 0.004) return;
    if (next() < 0.004) return connection.send('400 good night\r\n');
    if (next() < 0.2) await sleep(next() * 5);
    const space = line.indexOf(' ');
    const octets = `${answer(line.slice(0, space), line.slice(space + 1))}\r\n`;
    const cut = next() * octets.length;
    await connection.send(octets.slice(0, cut));
    await connection.send(octets.slice(cut));
  }
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])('seed %i', async (seed) => {
  const next = random(seed);
  await using peer = await scriptedPeer((connection) => serve(connection, next));
  await using client = createClient({
    pool: { maxSessionsPerHost: 1 + (seed % 3), maxAhead: seed % 4 === 0 ? 2 : 32 },
    credentials: () => ({ user: 'u', password: 'p' }),
  });
  const found = { whole: 0, missing: 0, stopped: 0, failed: 0 };
  const retrieve = async (number: number): Promise<void> => {
    const group = ['a', 'a', 'b', 'private', 'gone'][Math.floor(next() * 5)]!;
    const controller = new AbortController();
    if (next() < 0.1) setTimeout(() => controller.abort('enough'), next() * 100);
    try {
      const url = `nntp://127.0.0.1:${peer.port}/${group}/${number}`;
      const retrieved = await client.retrieve(url, { signal: controller.signal });
      if (retrieved.kind !== 'content') throw new TypeError(retrieved.kind);
      if (next() < 0.05) return await retrieved.body.cancel();
      if (next() < 0.05) await sleep(next() * 50);
      expect((await retrieved.body.text()).trim().split(' ', 1)).toEqual([`${group}/${number}`]);
      found.whole += 1;
    } catch (error) {
      if (error === 'enough') found.stopped += 1;
      else if (!(error instanceof RetrievalError)) throw error;
      else if (error.code !== 'not-found') found.failed += 1;
      else {
        expect([group, number, isGone(group, number)]).toEqual([group, number, true]);
        found.missing += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: 300 }, async (_, at) => sleep(next() * 150).then(() => retrieve(at + 1))));
  expect(found.whole).toBeGreaterThan(100);
  expect(found.missing).toBeGreaterThan(30);
  // a server that dies under an article that is being read fails that one, not those behind it
  expect(found.failed).toBeLessThan(15);
});
