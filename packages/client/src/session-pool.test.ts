import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBody, RetrievalError, type Access, type Content, type Lease, type Session } from '@retriever/driver';
import { describe, expect, test } from 'vitest';
import { clientOf, failure, type Retrieve } from '../testing/fake-driver.ts';
import { certificate, loopback, tlsLoopback, type LoopbackServer } from '../testing/loopback.ts';
import type { Client, ClientOptions } from './client.ts';

const nothing = (): void => undefined;
const forever = <T = undefined>(): Promise<T> => new Promise<T>(nothing);

class TestSession implements Session {
  usable = true;
  closes = 0;
  readonly socket: Socket;
  keepAlive?: () => Promise<void>;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('close', () => (this.usable = false));
  }

  close(): void {
    this.closes += 1;
    this.socket.end();
  }
}

interface Scene {
  readonly client: Client;
  readonly sessions: TestSession[];
  readonly leases: Lease<TestSession>[];
  /** Retrieves with a key of its own for each path; the lease is released when the body is over. */
  retrieve(path?: string, options?: object): Promise<Content>;
}

/** A driver whose sessions are one connection each; `using` is called with each lease. */
function scene(
  server: { readonly port: number },
  options: Partial<ClientOptions> = {},
  using: (lease: Lease<TestSession>, access: Access) => unknown = nothing,
): Scene {
  const sessions: TestSession[] = [];
  const leases: Lease<TestSession>[] = [];
  const retrieve: Retrieve = async ({ url }, access) => {
    const lease = await access.lease(String(url), async (dial) => {
      const session = new TestSession(await dial.connect({ host: '127.0.0.1', port: url.port! }));
      sessions.push(session);
      return session;
    });
    leases.push(lease);
    await using(lease, access);
    const body = createBody({ pump: async () => lease.release(), cancel: () => lease.release() });
    return { kind: 'content', body, metadata: {} };
  };
  const client = clientOf(retrieve, options);
  return {
    client,
    sessions,
    leases,
    retrieve: (path = '', request = {}) =>
      client.retrieve(`gopher://127.0.0.1:${server.port}/1${path}`, request) as Promise<Content>,
  };
}

const use = async (scene: Scene, path?: string): Promise<void> => (await scene.retrieve(path)).body.pipeTo(nothing);

describe('the session pool', () => {
  test('hands out an idle session with the same key, and no other', async () => {
    await using server = await loopback(nothing);
    const { leases, sessions, client, ...rest } = scene(server);
    const all = { leases, sessions, client, ...rest };
    await use(all, 'a');
    await use(all, 'a');
    await use(all, 'b');
    expect(leases.map(({ reused }) => reused)).toEqual([false, true, false]);
    expect(sessions).toHaveLength(2);
    client.close();
    await server.drained();
  });

  test('opens another for a second lease at the same time', async () => {
    await using server = await loopback(nothing);
    const pool = scene(server);
    const [first, second] = await Promise.all([pool.retrieve(), pool.retrieve()]);
    expect(pool.sessions).toHaveLength(2);
    await Promise.all([first.body.cancel(), second.body.cancel()]);
    await use(pool);
    expect(pool.sessions).toHaveLength(2);
    pool.client.close();
  });

  test('lets leases beyond the limit of a host wait, the first come first', async () => {
    await using server = await loopback(nothing);
    const pool = scene(server, { pool: { maxSessionsPerHost: 2 } });
    const held = await Promise.all([pool.retrieve(), pool.retrieve()]);
    const order: number[] = [];
    const later = Array.from({ length: 5 }, async (_, n) => {
      const retrieved = await pool.retrieve(n % 2 ? 'x' : '');
      order.push(n);
      await sleep(5);
      await retrieved.body.cancel();
    });
    await sleep(30);
    expect(order).toEqual([]);
    await held[0].body.cancel();
    // Nobody overtakes: this one comes when there seems to be room.
    later.push(use(pool).then(() => void order.push(5)));
    await Promise.all(later);
    expect(order).toEqual([0, 1, 2, 3, 4, 5]);
    await held[1].body.cancel();
    pool.client.close();
  });

  test('lets leases beyond the limit of all wait', async () => {
    await using server = await loopback(nothing);
    await using other = await loopback(nothing);
    const pool = scene(server, { pool: { maxSessions: 1 } });
    const held = await pool.retrieve();
    let came = false;
    const waiting = pool.client.retrieve(`gopher://127.0.0.1:${other.port}/`).then((found) => {
      came = true;
      return (found as Content).body.cancel();
    });
    await sleep(30);
    expect([came, other.sockets.length]).toEqual([false, 0]);
    // The idle session gives way.
    await held.body.cancel();
    await waiting;
    expect(pool.sessions[0]!.closes).toBe(1);
    pool.client.close();
  });

  test('does not let one full host hold up another', async () => {
    await using server = await loopback(nothing);
    await using other = await loopback(nothing);
    const pool = scene(server, { pool: { maxSessionsPerHost: 1 } });
    const held = await pool.retrieve();
    const waiting = pool.retrieve();
    const elsewhere = (await pool.client.retrieve(`gopher://127.0.0.1:${other.port}/`)) as Content;
    await elsewhere.body.cancel();
    await held.body.cancel();
    await (await waiting).body.cancel();
    pool.client.close();
  });

  test('ends an idle session of the host where another needs its place', async () => {
    await using server = await loopback(nothing);
    const pool = scene(server, { pool: { maxSessionsPerHost: 1 } });
    await use(pool, 'a');
    await use(pool, 'b');
    expect(pool.sessions.map(({ closes }) => closes)).toEqual([1, 0]);
    pool.client.close();
  });

  test("does not count the wait for a place as the server's silence", async () => {
    await using server = await loopback(nothing);
    const pool = scene(server, { pool: { maxSessionsPerHost: 1 }, timeouts: { idle: 40 } });
    const held = await pool.retrieve();
    const waiting = pool.retrieve();
    await sleep(200);
    await held.body.cancel();
    await (await waiting).body.cancel();
    pool.client.close();
  });

  test('forgets who gave up waiting', async () => {
    await using server = await loopback(nothing);
    const pool = scene(server, { pool: { maxSessionsPerHost: 1 } });
    const held = await pool.retrieve();
    const controller = new AbortController();
    const impatient = failure(pool.retrieve('', { signal: controller.signal }));
    const patient = pool.retrieve();
    await sleep(10);
    controller.abort('enough');
    expect(await impatient).toBe('enough');
    await held.body.cancel();
    await (await patient).body.cancel();
    pool.client.close();
  });

  test('gives back the place of who gives up in the moment of being served', async () => {
    await using server = await loopback(nothing);
    const pool = scene(server, { pool: { maxSessionsPerHost: 1 } });
    const held = await pool.retrieve();
    const controller = new AbortController();
    const impatient = failure(pool.retrieve('', { signal: controller.signal }));
    await sleep(10);
    pool.leases[0]!.release();
    controller.abort('enough');
    expect(await impatient).toBe('enough');
    await held.body.cancel();
    await use(pool);
    pool.client.close();
  });

  test('does not hand out a session that is unusable, or died while idle', async () => {
    await using server = await loopback(nothing);
    const pool = scene(server);
    await use(pool);
    pool.sessions[0]!.usable = false;
    await use(pool);
    expect(pool.leases.at(-1)!.reused).toBe(false);
    server.sockets[1]!.destroy();
    await sleep(30);
    await use(pool);
    expect(pool.leases.at(-1)!.reused).toBe(false);
    pool.client.close();
  });

  test('keeps idle sessions alive, and ends them when their time is over', async () => {
    await using server = await loopback(nothing);
    let beats = 0;
    const pool = scene(server, { pool: { idleTime: 100, keepAliveInterval: 20 } }, ({ session }) => {
      session.keepAlive = async () => void (beats += 1);
    });
    await use(pool);
    await server.drained();
    expect(beats).toBeGreaterThan(1);
    expect(pool.sessions[0]!.closes).toBe(1);
    const before = beats;
    await sleep(60);
    expect(beats).toBe(before);
  });

  test.each([
    ['that fails', () => Promise.reject(new Error('dead'))],
    [
      'that throws',
      () => {
        throw new Error('dead');
      },
    ],
    ['that nobody answers', () => forever<void>()],
  ])('ends a session with a sign of life %s', async (_, keepAlive) => {
    await using server = await loopback(nothing);
    const pool = scene(server, { pool: { idleTime: 60_000, keepAliveInterval: 20 } }, ({ session }) => {
      session.keepAlive = keepAlive;
    });
    await use(pool);
    await server.drained();
    expect(pool.sessions[0]!.closes).toBe(1);
  });

  test('does not end a session that was lent while its sign of life failed', async () => {
    await using server = await loopback(nothing);
    const { promise, reject } = Promise.withResolvers<void>();
    const pool = scene(server, { pool: { keepAliveInterval: 10 } }, ({ session }) => {
      session.keepAlive = () => promise;
    });
    await use(pool);
    await sleep(15);
    const held = await pool.retrieve();
    reject(new Error('late'));
    await sleep(20);
    expect(pool.sessions.map(({ closes, usable }) => [closes, usable])).toEqual([[0, true]]);
    await held.body.cancel();
    pool.client.close();
  });

  test('keeps none with an idle time of 0, and one for ever with an infinite one', async () => {
    await using server = await loopback(nothing);
    const none = scene(server, { pool: { idleTime: 0 } });
    await use(none);
    await server.drained();
    const forGood = scene(server, { pool: { idleTime: Infinity } });
    await use(forGood);
    await sleep(30);
    expect(forGood.sessions[0]!.usable).toBe(true);
    forGood.client.close();
    await server.drained();
  });

  test('frees the place when a session cannot be opened', async () => {
    await using server = await loopback(nothing);
    const client = clientOf(
      async ({ url }, access) => {
        await access.lease('key', async (dial) => {
          await dial.connect({ host: '127.0.0.1', port: url.port! });
          throw new RetrievalError('credentials', 'wrong password');
        });
        throw new Error('unreachable');
      },
      { pool: { maxSessionsPerHost: 1 } },
    );
    for (let n = 0; n < 3; n += 1) {
      expect(await failure(client.retrieve(`gopher://127.0.0.1:${server.port}/`))).toMatchObject({
        code: 'credentials',
      });
      await server.drained();
    }
  });

  test('frees the place when the caller gives up while a session is opened', async () => {
    await using server = await loopback(nothing);
    const lateSession = Promise.withResolvers<Session>();
    let closes = 0;
    let attempts = 0;
    const client = clientOf(
      async ({ url }, access) => {
        attempts += 1;
        const lease = await access.lease('key', async (dial) => {
          await dial.connect({ host: '127.0.0.1', port: url.port! });
          return attempts === 1 ? lateSession.promise : { usable: true, close: nothing };
        });
        lease.discard();
        return { kind: 'mailbox', address: '' };
      },
      { pool: { maxSessionsPerHost: 1 } },
    );
    const signal = AbortSignal.timeout(40);
    expect(await failure(client.retrieve(`gopher://127.0.0.1:${server.port}/`, { signal }))).toBe(signal.reason);
    await server.drained();
    await client.retrieve(`gopher://127.0.0.1:${server.port}/`);
    lateSession.resolve({ usable: true, close: () => void (closes += 1) });
    await sleep(5);
    expect(closes).toBe(1);
  });

  test('ends the session of a driver that forgets to release it, of one that fails, and of one whose caller aborts', async () => {
    await using server = await loopback(nothing);
    const forgetful = clientOf(
      async ({ url }, access) => {
        await access.lease(
          'key',
          async (dial) => new TestSession(await dial.connect({ host: '127.0.0.1', port: url.port! })),
        );
        if (String(url).endsWith('/1fail')) throw new RetrievalError('refused', 'no');
        if (String(url).endsWith('/1wait')) return forever<never>();
        return { kind: 'mailbox', address: '' };
      },
      { pool: { maxSessionsPerHost: 1 } },
    );
    const url = `gopher://127.0.0.1:${server.port}/1`;
    await forgetful.retrieve(url);
    await server.drained();
    await failure(forgetful.retrieve(`${url}fail`));
    await server.drained();
    await failure(forgetful.retrieve(`${url}wait`, { signal: AbortSignal.timeout(30) }));
    await server.drained();
    await forgetful.retrieve(url);
  });

  test('hears only the first word about a lease', async () => {
    await using server = await loopback(nothing);
    const pool = scene(server);
    const { body } = await pool.retrieve();
    const [lease] = pool.leases;
    lease!.release();
    const second = await pool.retrieve();
    lease!.discard();
    lease!.release();
    await body.cancel();
    expect(pool.leases[1]!.reused).toBe(true);
    expect(pool.sessions[0]!.closes).toBe(0);
    await second.body.cancel();
    await use(pool);
    expect(pool.sessions).toHaveLength(1);
    pool.client.close();
  });

  test('survives a session that throws when it is closed', async () => {
    await using server = await loopback(nothing);
    const pool = scene(server, { pool: { maxSessionsPerHost: 1 } });
    await use(pool, 'a');
    pool.sessions[0]!.close = () => {
      throw new Error('a bug');
    };
    await use(pool, 'b');
    pool.client.close();
    await server.drained();
  });

  test('closes the sockets of a session that does not say goodbye in time', async () => {
    await using server = await loopback(nothing);
    const pool = scene(server);
    await use(pool);
    pool.sessions[0]!.close = nothing;
    pool.client.close();
    await server.drained();
  });

  test('when closed, ends leased sessions as they come back', async () => {
    await using server = await loopback(nothing);
    const pool = scene(server);
    const held = await pool.retrieve();
    pool.client.close();
    expect(pool.sessions[0]!.closes).toBe(0);
    await held.body.cancel();
    await server.drained();
    await use(pool);
    await server.drained();
  });

  test('keeps a session over TLS whole: the plain socket and the secured one', async () => {
    await using server = await tlsLoopback((socket) => socket.resume());
    const client = clientOf(
      async ({ url }, access) => {
        const endpoint = { host: '127.0.0.1', port: url.port!, tls: {} };
        const lease = await access.lease('key', async (dial) => new TestSession(await dial.connect(endpoint)));
        lease.release();
        return { kind: 'mailbox', address: String(lease.reused) };
      },
      { tls: { ca: (await certificate()).cert } },
    );
    const url = `gopher://127.0.0.1:${server.port}/`;
    expect(await client.retrieve(url)).toMatchObject({ address: 'false' });
    expect(await client.retrieve(url)).toMatchObject({ address: 'true' });
    client.close();
    await server.drained();
  });

  test('serves a thousand retrievals over six sessions', async () => {
    await using server: LoopbackServer = await loopback(nothing);
    const pool = scene(server);
    await Promise.all(Array.from({ length: 1000 }, () => use(pool)));
    expect(pool.sessions.length).toBeLessThanOrEqual(6);
    pool.client.close();
    await server.drained();
  });
});
