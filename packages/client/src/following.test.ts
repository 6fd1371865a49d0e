/** Leases that are asked for ahead: requests sent on a session that serves another retrieval still. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createBody, type Content, type Lease, type Session } from '@retriever/driver';
import { describe, expect, test } from 'vitest';
import { clientOf, failure } from '../testing/fake-driver.ts';
import { loopback } from '../testing/loopback.ts';
import type { Client } from './client.ts';
import type { SessionPoolOptions } from './session-pool.ts';
import type { TraceRecord } from './trace.ts';

const nothing = (): void => undefined;

interface Scene {
  readonly client: Client;
  /** What went out on the sessions, by session: `name` in its turn, `name ahead` before it, `name withdrawn`. */
  readonly sent: string[][];
  readonly leases: ReadonlyMap<string, Lease<Session>>;
  /** Retrieves under a name; a name that begins with `!` does not send ahead. The lease is released when the body is over. */
  readonly retrieve: (name: string, options?: object) => Promise<Content>;
}

/** A driver that says at once that it is done sending. */
function scene(server: { readonly port: number }, pool: SessionPoolOptions = { maxSessionsPerHost: 1 }): Scene {
  const sent: string[][] = [];
  const numbers = new Map<Session, number>();
  const leases = new Map<string, Lease<Session>>();
  const client = clientOf(
    async ({ url }, access) => {
      const name = String(url).split('/1').at(-1)!;
      const say = (session: Session, words: string): void => void sent[numbers.get(session)!]!.push(words);
      const lease = await access.lease<Session>(
        'key',
        async (dial) => {
          const socket = await dial.connect({ host: '127.0.0.1', port: url.port! });
          const session = {
            get usable() {
              return !socket.destroyed;
            },
            close: () => socket.end(),
          };
          numbers.set(session, sent.push([]) - 1);
          return session;
        },
        {
          ahead: name.startsWith('!')
            ? undefined
            : (session) => {
                say(session, `${name} ahead`);
                access.report({ type: 'sent', text: `${name} ahead` });
                return () => say(session, `${name} withdrawn`);
              },
        },
      );
      leases.set(name, lease);
      say(lease.session, name);
      lease.doneSending();
      const body = createBody({ pump: async () => lease.release(), cancel: () => lease.release() });
      return { kind: 'content', body, metadata: {} };
    },
    { pool },
  );
  return {
    client,
    sent,
    leases,
    retrieve: (name, options = {}) =>
      client.retrieve(`gopher://127.0.0.1:${server.port}/1${name}`, options) as Promise<Content>,
  };
}

const read = async (retrieving: Promise<Content>): Promise<void> => (await retrieving).body.pipeTo(nothing);

describe('a lease asked for ahead', () => {
  test('sends while the session serves another, and gets it in turn', async () => {
    await using server = await loopback(nothing);
    const { retrieve, sent, leases, client } = scene(server);
    const first = await retrieve('a');
    const others = ['b', 'c', 'd'].map((name) => read(retrieve(name)));
    await sleep(20);
    expect(sent).toEqual([['a', 'b ahead', 'c ahead', 'd ahead']]);
    await first.body.cancel();
    await Promise.all(others);
    expect(sent).toEqual([['a', 'b ahead', 'c ahead', 'd ahead', 'b', 'c', 'd']]);
    expect(leases.get('c')!.reused).toBe(true);
    client.close();
  });

  test('does not when another session can be had, nor before the holder is done sending', async () => {
    await using server = await loopback(nothing);
    const { retrieve, sent, client } = scene(server, { maxSessionsPerHost: 2 });
    const all = ['a', 'b', 'c', 'd'].map((name) => read(retrieve(name)));
    await Promise.all(all);
    expect(sent.flat().filter((words) => words.endsWith('ahead')).length).toBeLessThanOrEqual(2);
    expect(sent.map((words) => words[0])).toEqual([
      expect.not.stringContaining('ahead'),
      expect.not.stringContaining('ahead'),
    ]);
    client.close();
  });

  test('is one of a bounded number, and none with 0', async () => {
    await using server = await loopback(nothing);
    for (const maxAhead of [0, 2]) {
      const { retrieve, sent, client } = scene(server, { maxSessionsPerHost: 1, maxAhead });
      const first = await retrieve('a');
      const others = ['b', 'c', 'd'].map((name) => read(retrieve(name)));
      await sleep(20);
      expect(sent[0]!.slice(1)).toEqual(['b ahead', 'c ahead'].slice(0, maxAhead));
      await first.body.cancel();
      await Promise.all(others);
      client.close();
    }
  });

  test('withdraws what it sent when the caller gives up, and the session lives on', async () => {
    await using server = await loopback(nothing);
    const { retrieve, sent, client } = scene(server);
    const first = await retrieve('a');
    const controller = new AbortController();
    const impatient = failure(retrieve('b', { signal: controller.signal }));
    const patient = read(retrieve('c'));
    await sleep(20);
    controller.abort('enough');
    expect(await impatient).toBe('enough');
    await first.body.cancel();
    await patient;
    expect(sent).toEqual([['a', 'b ahead', 'c ahead', 'b withdrawn', 'c']]);
    client.close();
  });

  test('is not for who gives up at the sight of it in the trace, and the session lives on', async () => {
    await using server = await loopback(nothing);
    const { retrieve, sent, client } = scene(server);
    const first = await retrieve('a');
    const controller = new AbortController();
    const onTrace = ({ type }: TraceRecord): void => {
      if (type === 'sent') controller.abort('enough');
    };
    expect(await failure(retrieve('b', { signal: controller.signal, onTrace }))).toBe('enough');
    await first.body.cancel();
    await read(retrieve('c'));
    expect(sent).toEqual([['a', 'b ahead', 'b withdrawn', 'c']]);
    client.close();
  });

  test('asks again on another session when the holder ends the first', async () => {
    await using server = await loopback(nothing);
    const { retrieve, sent, leases, client } = scene(server);
    const controller = new AbortController();
    const first = await retrieve('a', { signal: controller.signal });
    const others = ['b', 'c'].map((name) => read(retrieve(name)));
    await sleep(20);
    controller.abort();
    await Promise.all(others);
    expect(sent).toEqual([['a', 'b ahead', 'c ahead'], expect.arrayContaining(['b', 'c'])]);
    expect(leases.get('b')!.reused).toBe(false);
    await first.body.cancel();
    client.close();
  });

  test('does not wait for ever behind a holder that nobody reads when there is room elsewhere', async () => {
    await using server = await loopback(nothing);
    const { retrieve, sent, client } = scene(server, { maxSessionsPerHost: 2 });
    const held = await retrieve('a');
    const other = await retrieve('!b');
    const behind = retrieve('c');
    await sleep(20);
    expect(sent.flat()).toContain('c ahead');
    await (sent[0]!.includes('c ahead') ? other : held).body.cancel();
    await read(behind);
    expect(sent.flat()).toContain('c withdrawn');
    await Promise.all([held.body.cancel(), other.body.cancel()]);
    client.close();
  });

  test('serves a thousand at once over two sessions, each once', async () => {
    await using server = await loopback(nothing);
    const { retrieve, sent, client } = scene(server, { maxSessionsPerHost: 2 });
    const names = Array.from({ length: 1000 }, (_, n) => `n${n}`);
    await Promise.all(names.map((name) => read(retrieve(name))));
    expect(sent).toHaveLength(2);
    expect(
      sent
        .flat()
        .filter((words) => !words.includes(' '))
        .toSorted(),
    ).toEqual(names.toSorted());
    client.close();
  });
});
