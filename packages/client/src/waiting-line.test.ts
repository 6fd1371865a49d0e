import { parse } from '@retriever/url';
import { describe, expect, test } from 'vitest';
import { IdleClock } from './idle-clock.ts';
import { standardPolicy } from './policy.ts';
import type { Leaser } from './pooled-session.ts';
import { SessionPool } from './session-pool.ts';
import { WaitingLine } from './waiting-line.ts';

const nothing = (): void => undefined;

describe('the waiting line', () => {
  test('knows who came first of all, of all but some hosts, and for one host', () => {
    const line = new WaitingLine<{ host: string; name: string }>();
    const [a1, b1, a2] = ['a1', 'b1', 'a2'].map((name) => ({ host: name.slice(0, 1), name }));
    for (const waiter of [a1!, b1!, a2!]) line.add(waiter);
    expect(line.first(new Set())).toBe(a1);
    expect(line.first(new Set(['a']))).toBe(b1);
    expect(line.firstFor('a')).toBe(a1);
    line.delete(a1!);
    expect(line.first(new Set())).toBe(b1);
    expect(line.firstFor('a')).toBe(a2);
    line.add(a1!);
    line.delete(b1!);
    expect(line.first(new Set())).toBe(a2);
    line.delete(a2!);
    line.delete(a1!);
    expect([line.first(new Set()), line.firstFor('a')]).toEqual([undefined, undefined]);
  });

  test.each([
    { hosts: 4, each: 10_000 },
    { hosts: 1000, each: 10 },
  ])('is not walked to its end for each of $each on $hosts hosts', { timeout: 10_000 }, async ({ hosts, each }) => {
    const pool = new SessionPool();
    const session = { usable: true, close: nothing };
    const use = async (url: string): Promise<void> => {
      const lease = await pool.lease(url, async () => session, leaserFor(url));
      lease.doneSending();
      await Promise.resolve();
      lease.release();
    };
    const urls = Array.from({ length: hosts * each }, (_, at) => `gopher://h${Math.floor(at / each)}/`);
    await Promise.all(urls.map(use));
    pool.close();
  });
});

function leaserFor(url: string): Leaser {
  const clock = new IdleClock(0, nothing);
  return {
    scope: {
      url: parse(url),
      signal: new AbortController().signal,
      report: nothing,
      own: nothing,
      onClose: nothing,
      hold: (work) => work,
      moved: nothing,
    },
    dialler: { policy: standardPolicy(), connectTimeout: 0, tls: {}, lookup: async () => [] },
    clock,
    onDone: nothing,
  };
}
