import { setTimeout as sleep } from 'node:timers/promises';
import {
  bodyOf,
  createBody,
  RetrievalError,
  type BodySink,
  type Content,
  type Dial,
  type Listing,
  type Service,
  type Session,
  type ServiceStream,
} from '@retriever/driver';
import { describe, expect, test } from 'vitest';
import { clientOf, driverOf, failure, pumping, waiting, type Retrieve } from '../testing/fake-driver.ts';
import { certificate, loopback, tlsLoopback, type LoopbackServer } from '../testing/loopback.ts';
import { createClient, type Client } from './client.ts';
import { follow } from './layers/follow.ts';
import type { TraceRecord } from './trace.ts';
import { retry } from './layers/retry.ts';

const nothing = (): void => undefined;
const forever = <T = undefined>(): Promise<T> => new Promise<T>(nothing);
const urlOf = ({ port }: { readonly port: number }): string => `gopher://127.0.0.1:${port}/`;

async function content(client: Client, server: LoopbackServer, options = {}): Promise<Content> {
  return (await client.retrieve(urlOf(server), options)) as Content;
}

const secured: Retrieve = async ({ url }, access) => {
  await access.connect({ host: '127.0.0.1', port: url.port!, tls: {} });
  return { kind: 'content', body: bodyOf(new Uint8Array()), metadata: {} };
};

const named: Retrieve = async ({ url }, access) => {
  await access.connect({ host: 'name.example', port: url.port! });
  return { kind: 'content', body: bodyOf(new Uint8Array()), metadata: {} };
};

describe('the connect time-out', () => {
  test('ends a look-up that never answers', async () => {
    const client = clientOf(named, { lookup: () => forever(), timeouts: { connect: 40 } });
    expect(await failure(client.retrieve('gopher://name.example:7070/'))).toMatchObject({ code: 'timeout' });
  });
  test('ends a TLS handshake that is never answered, and the connection', async () => {
    await using server = await loopback((socket) => socket.resume());
    const client = clientOf(secured, { timeouts: { connect: 60 } });
    expect(await failure(client.retrieve(urlOf(server)))).toMatchObject({ code: 'timeout' });
    await server.drained();
  });
  test('is not cut short by the idle time-out', async () => {
    const client = clientOf(named, { lookup: () => forever(), timeouts: { connect: 200, idle: 20 } });
    expect(await failure(client.retrieve('gopher://name.example:7070/'))).toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('no connection'),
    });
  });
});

describe('the idle time-out', () => {
  const timeouts = { idle: 60 };

  test('ends the wait for a reply', async () => {
    await using server = await loopback(nothing);
    expect(await failure(clientOf(waiting, { timeouts }).retrieve(urlOf(server)))).toMatchObject({
      code: 'timeout',
      url: urlOf(server),
    });
    await server.drained();
  });
  test('ends a body that stalls', async () => {
    await using server = await loopback((socket) => socket.write('some'));
    const { body } = await content(clientOf(pumping, { timeouts }), server);
    expect(await failure(body.text())).toMatchObject({ code: 'timeout', url: urlOf(server) });
    await server.drained();
  });
  test('lets a slow peer be', async () => {
    await using server = await loopback((socket) => {
      let left = 12;
      const timer = setInterval(() => (left-- > 0 ? socket.write('x') : (clearInterval(timer), socket.end())), 20);
    });
    const { body } = await content(clientOf(pumping, { timeouts: { idle: 150 } }), server);
    expect(await body.text()).toBe('x'.repeat(12));
  });
  test('lets a slow sink and a late reader be', async () => {
    await using server = await loopback((socket) => socket.end('some'));
    const { body } = await content(clientOf(pumping, { timeouts }), server);
    await sleep(250);
    let text = '';
    await body.pipeTo(async (chunk) => {
      await sleep(250);
      text += Buffer.from(chunk).toString();
    });
    expect(text).toBe('some');
  });
  test('lets a late reader of the stream be', async () => {
    await using server = await loopback((socket) => socket.end(Buffer.alloc(100_000)));
    const { body } = await content(clientOf(pumping, { timeouts }), server);
    const reader = body.stream().getReader();
    await reader.read();
    await sleep(250);
    expect((await reader.read()).done).toBe(true);
  });
  test('lets a person think about a password', async () => {
    const client = clientOf(
      async (_, access) => {
        const answer = await access.credentials({ scheme: 'x', host: 'h', port: 1, wanted: 'login' });
        return { kind: 'mailbox', address: String(answer?.user) };
      },
      {
        timeouts,
        credentials: async () => {
          await sleep(250);
          return { user: 'somebody' };
        },
      },
    );
    expect(await client.retrieve('gopher://h:7070/')).toMatchObject({ address: 'somebody' });
  });
  test('lets a source without sockets be, as long as octets come', async () => {
    const retrieve: Retrieve = async () => ({
      kind: 'content',
      body: createBody({
        async pump(sink) {
          for (let n = 0; n < 12; n += 1) {
            await sleep(20);
            await sink(Uint8Array.of(120));
          }
        },
      }),
      metadata: {},
    });
    const { body } = (await clientOf(retrieve, { timeouts: { idle: 120 } }).retrieve('gopher://h:7070/')) as Content;
    expect(await body.text()).toHaveLength(12);
  });
  test('ends a cancellation that the peer does not answer', async () => {
    const retrieve: Retrieve = async () => ({
      kind: 'content',
      body: createBody({ pump: () => forever(), cancel: () => forever() }),
      metadata: {},
    });
    const { body } = (await clientOf(retrieve, { timeouts }).retrieve('gopher://h:7070/')) as Content;
    await body.cancel();
  });
});

describe('the total time-out', () => {
  test.each<[string, Retrieve]>([
    ['waiting for a reply', waiting],
    [
      'asking for credentials',
      async (_, access) => {
        await access.credentials({ scheme: 'x', host: 'h', port: 1, wanted: 'login' });
        throw new Error('answered');
      },
    ],
    ['in a driver that does nothing', () => forever<never>()],
  ])('ends a retrieval %s', async (_, retrieve) => {
    await using server = await loopback(nothing);
    const client = clientOf(retrieve, { timeouts: { total: 60 }, credentials: () => forever() });
    expect(await failure(client.retrieve(urlOf(server)))).toMatchObject({ code: 'timeout' });
    await server.drained();
  });
  test('ends a body, read or unread', async () => {
    await using server = await loopback((socket) => socket.write('some'));
    const client = clientOf(pumping);
    const { body } = await content(client, server, { timeout: 80 });
    expect(await failure(body.text())).toMatchObject({ code: 'timeout' });
    const { body: unread } = await content(client, server, { timeout: 80 });
    await server.drained();
    expect(await failure(unread.text())).toMatchObject({ code: 'timeout' });
  });
  test('counts all hops and attempts together', async () => {
    let hops = 0;
    const retrieve: Retrieve = async ({ url }) => {
      await sleep(30);
      hops += 1;
      return { kind: 'reference', target: String(url), metadata: {} };
    };
    const client = clientOf(retrieve, { layers: [retry({ delay: 1 }), follow({ maxReferences: 1000 })] });
    expect(await failure(client.retrieve('gopher://h:7070/', { timeout: 150 }))).toMatchObject({ code: 'timeout' });
    expect(hops).toBeLessThan(8);
  });
  test('may be longer than any timer', async () => {
    await using server = await loopback((socket) => setTimeout(() => socket.end('late'), 50));
    const { body } = await content(clientOf(pumping, { timeouts: { total: 1e12 } }), server);
    expect(await body.text()).toBe('late');
  });
});

const slowEntries: Retrieve = async ({ url }, access) => {
  const socket = await access.connect({ host: '127.0.0.1', port: url.port! });
  async function* entries() {
    yield { name: 'a', rawName: Buffer.from('a'), kind: 'file' as const };
    await new Promise((_, reject) => socket.once('close', () => reject(new Error('closed'))));
  }
  return { kind: 'listing', entries: entries(), body: bodyOf(new Uint8Array()), metadata: {} };
};

/** Retrieves, reads all there is, and fails with what the abort brings. */
async function readAll(client: Client, server: LoopbackServer, signal: AbortSignal, how: string): Promise<void> {
  const retrieved = await client.retrieve(urlOf(server), { signal });
  if (retrieved.kind === 'listing') for await (const _ of retrieved.entries);
  if (retrieved.kind !== 'content') return;
  const { body } = retrieved;
  if (how === 'sink') await body.pipeTo(nothing);
  if (how === 'busy sink') await body.pipeTo(() => forever<void>());
  if (how === 'iterator') for await (const _ of body);
  if (how === 'stream') for await (const _ of body.stream());
  if (how === 'late') {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await body.text();
  }
}

describe('an abort', () => {
  test.each<[string, Retrieve, string, object?]>([
    ['during the look-up', named, '', { lookup: () => forever() }],
    ['during the TLS handshake', secured, ''],
    ['while the driver waits for a reply', waiting, ''],
    ['while the driver does nothing', () => forever<never>(), ''],
    ['in a body pushed into a sink', pumping, 'sink'],
    ['in a body with the sink at work', pumping, 'busy sink'],
    ['in a body iterated', pumping, 'iterator'],
    ['in a body streamed', pumping, 'stream'],
    ['before the body is read', pumping, 'late'],
    ['between entries', slowEntries, ''],
  ])('%s rejects with its reason and closes everything', async (_, retrieve, how, options = {}) => {
    await using server = await loopback(
      (socket) => void (retrieve === pumping ? socket.write('some') : socket.resume()),
    );
    const client = clientOf(retrieve, options);
    const controller = new AbortController();
    setTimeout(() => controller.abort('enough'), 40);
    expect(await failure(readAll(client, server, controller.signal, how))).toBe('enough');
    await server.drained();
  });

  test('before anything begins dials nobody', async () => {
    await using server = await loopback(nothing);
    const client = clientOf(waiting);
    expect(await failure(client.retrieve(urlOf(server), { signal: AbortSignal.abort('no') }))).toBe('no');
    expect(server.sockets).toHaveLength(0);
  });

  test('during a pause between attempts ends the pause', async () => {
    let attempts = 0;
    const client = clientOf(
      async () => {
        attempts += 1;
        throw new RetrievalError('unreachable', 'not now');
      },
      { layers: [retry({ delay: 60_000 })] },
    );
    const controller = new AbortController();
    setTimeout(() => controller.abort('enough'), 30);
    expect(await failure(client.retrieve('gopher://h:7070/', { signal: controller.signal }))).toBe('enough');
    expect(attempts).toBe(1);
  });

  test('closes what a driver brings too late', async () => {
    const cancelled = Promise.withResolvers<void>();
    const client = clientOf(async () => {
      await sleep(60);
      return {
        kind: 'content',
        body: createBody({ pump: () => forever(), cancel: () => cancelled.resolve() }),
        metadata: {},
      };
    });
    const signal = AbortSignal.timeout(20);
    expect(await failure(client.retrieve('gopher://h:7070/', { signal }))).toBe(signal.reason);
    await cancelled.promise;
  });

  test('stops a driver that goes on pushing', async () => {
    const stopped = Promise.withResolvers<unknown>();
    const client = clientOf(async () => ({
      kind: 'content',
      body: createBody({
        pump: (sink) => {
          const pushing = (async () => {
            for (;;) {
              await sink(Uint8Array.of(1));
              await sleep(5);
            }
          })();
          stopped.resolve(failure(pushing));
          return pushing;
        },
      }),
      metadata: {},
    }));
    const signal = AbortSignal.timeout(30);
    const { body } = (await client.retrieve('gopher://h:7070/', { signal })) as Content;
    let chunks = 0;
    expect(await failure(body.pipeTo(() => void (chunks += 1)))).toBe(signal.reason);
    const before = chunks;
    expect(await stopped.promise).toBe(signal.reason);
    expect(chunks).toBe(before);
  });

  test('finds sockets closed already when the driver hears of it', async () => {
    await using server = await loopback(nothing);
    const seen = Promise.withResolvers<boolean>();
    const client = clientOf(async ({ url }, access) => {
      const socket = await access.connect({ host: '127.0.0.1', port: url.port! });
      access.signal.addEventListener('abort', () => seen.resolve(socket.destroyed));
      return forever<never>();
    });
    await failure(client.retrieve(urlOf(server), { signal: AbortSignal.timeout(40) }));
    expect(await seen.promise).toBe(true);
  });

  test('of a hundred retrievals with one signal warns of nothing and leaves no listener', async () => {
    await using server = await loopback((socket) => socket.write('some'));
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on('warning', onWarning);
    const client = clientOf(pumping);
    const controller = new AbortController();
    let listeners = 0;
    const { signal } = controller;
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (...args: Parameters<typeof add>) => ((listeners += 1), add(...args));
    signal.removeEventListener = (...args: Parameters<typeof remove>) => ((listeners -= 1), remove(...args));
    const bodies = await Promise.all(Array.from({ length: 100 }, () => content(client, server, { signal })));
    expect(listeners).toBe(100);
    await bodies[0]!.body.cancel();
    expect(listeners).toBe(99);
    const reading = bodies.slice(1).map(({ body }) => failure(body.text()));
    controller.abort('enough');
    expect(new Set(await Promise.all(reading))).toEqual(new Set(['enough']));
    await server.drained();
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });
});

describe('the end of a retrieval', () => {
  test('closes what the driver left open when it fails', async () => {
    await using server = await loopback(nothing);
    const client = clientOf(async ({ url }, access) => {
      await access.connect({ host: '127.0.0.1', port: url.port! });
      throw new RetrievalError('not-found', 'no such thing');
    });
    expect(await failure(client.retrieve(urlOf(server)))).toMatchObject({ code: 'not-found', url: urlOf(server) });
    await server.drained();
  });
  test('closes what the driver opens afterwards', async () => {
    await using server = await loopback(nothing);
    const late = Promise.withResolvers<unknown>();
    const lookup = async () => {
      await sleep(50);
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const client = clientOf(
      async ({ url }, access) => {
        late.resolve(failure(access.connect({ host: 'name.example', port: url.port! })));
        throw new RetrievalError('refused', 'no');
      },
      { lookup },
    );
    await failure(client.retrieve(urlOf(server)));
    expect(await late.promise).toMatchObject({ name: 'AbortError' });
    await sleep(80);
    expect(server.sockets).toHaveLength(0);
  });
  test('follows a driver that throws at once', async () => {
    const bug = new TypeError('a bug');
    const client = clientOf(() => {
      throw bug;
    });
    expect(await failure(client.retrieve('gopher://h:7070/'))).toBe(bug);
  });
  test('follows a body that was cancelled, before or after it was read', async () => {
    await using server = await loopback((socket) => socket.write('some'));
    const { body } = await content(clientOf(pumping), server);
    await body.cancel();
    await server.drained();
    await body.cancel();
    expect(await failure(body.text())).toBeInstanceOf(TypeError);
    const { body: second } = await content(clientOf(pumping), server);
    const reading = failure(second.text());
    await sleep(30);
    const reason = new Error('changed my mind');
    await second.cancel(reason);
    await reading;
    await server.drained();
  });
  test('follows a cancel that the driver fails', async () => {
    await using server = await loopback(nothing);
    const client = clientOf(async ({ url }, access) => {
      await access.connect({ host: '127.0.0.1', port: url.port! });
      const cancel = (): void => {
        throw new Error('a bug');
      };
      return { kind: 'content', body: createBody({ pump: () => forever(), cancel }), metadata: {} };
    });
    const { body } = await content(client, server);
    await body.cancel();
    await server.drained();
  });
  test('hands out what the sink threw as it is', async () => {
    await using server = await loopback((socket) => socket.write('some'));
    const full = Object.assign(new Error('no space'), { code: 'EPIPE' });
    for (const sink of [
      () => Promise.reject(full),
      () => {
        throw full;
      },
    ]) {
      const { body } = await content(clientOf(pumping), server);
      expect(await failure(body.pipeTo(sink))).toBe(full);
      await server.drained();
    }
  });
  test('closes datagrams that the driver closed already, and those it did not', async () => {
    const retrieve: Retrieve = async ({ url }, access) => {
      (await access.datagrams({ host: '127.0.0.1', port: url.port! })).close();
      const channel = await access.datagrams({ host: '127.0.0.1', port: url.port! });
      setTimeout(() => closed.resolve(failure(channel.receive(1000))), 20);
      return { kind: 'mailbox', address: 'x' };
    };
    const closed = Promise.withResolvers<unknown>();
    await clientOf(retrieve).retrieve('gopher://127.0.0.1:7070/');
    expect(await closed.promise).toMatchObject({ code: 'incomplete' });
  });
});

describe('a listing', () => {
  const entry = (name: string) => ({ name, rawName: Buffer.from(name), kind: 'file' as const });
  const listing: Retrieve = async ({ url }, access) => {
    const socket = await access.connect({ host: '127.0.0.1', port: url.port! });
    async function* entries() {
      yield entry('a');
      await sleep(20);
      yield entry('b');
    }
    const pump = async (sink: BodySink): Promise<void> => {
      await sleep(20);
      await sink(Buffer.from(`raw ${socket.destroyed}`));
    };
    return { kind: 'listing', entries: entries(), body: createBody({ pump }), metadata: {} };
  };

  test('gives its entries, then closes', async () => {
    await using server = await loopback(nothing);
    const { entries } = (await clientOf(listing).retrieve(urlOf(server))) as Listing;
    const names: string[] = [];
    for await (const { name } of entries) names.push(name);
    expect(names).toEqual(['a', 'b']);
    await server.drained();
  });
  test('closes when its reader stops, or never begins', async () => {
    await using server = await loopback(nothing);
    const { entries } = (await clientOf(listing).retrieve(urlOf(server))) as Listing;
    for await (const _ of entries) break;
    await server.drained();
    const { entries: unread } = (await clientOf(listing).retrieve(urlOf(server))) as Listing;
    await unread[Symbol.asyncIterator]().return?.();
    await server.drained();
  });
  test('refuses to give entries while its body is read, and disturbs the reader by nothing', async () => {
    await using server = await loopback(nothing);
    const { entries, body } = (await clientOf(listing).retrieve(urlOf(server))) as Listing;
    const text = body.text();
    expect(() => entries[Symbol.asyncIterator]()).toThrow(TypeError);
    expect(await text).toBe('raw false');
  });
  test('refuses to give its body, or itself again, while entries are read', async () => {
    await using server = await loopback(nothing);
    const { entries, body } = (await clientOf(listing).retrieve(urlOf(server))) as Listing;
    const iterator = entries[Symbol.asyncIterator]();
    await iterator.next();
    expect(await failure(body.text())).toBeInstanceOf(TypeError);
    expect(() => entries[Symbol.asyncIterator]()).toThrow(TypeError);
    expect((await iterator.next()).value).toMatchObject({ name: 'b' });
    expect((await iterator.next()).done).toBe(true);
    expect((await iterator.next()).done).toBe(true);
  });
});

describe('a service', () => {
  const service: Retrieve = async ({ url }, access) => ({
    kind: 'service',
    host: '127.0.0.1',
    port: url.port!,
    open: () => access.connect({ host: '127.0.0.1', port: url.port! }),
  });
  const opened = async (client: Client, server: LoopbackServer, signal?: AbortSignal): Promise<ServiceStream> =>
    ((await client.retrieve(urlOf(server), { signal })) as Service).open();

  test("opens after the retrieval is over; its socket is the caller's", async () => {
    await using server = await loopback((socket) => socket.write('login: '));
    const socket = await opened(clientOf(service, { timeouts: { idle: 20, total: 40 } }), server);
    await sleep(120);
    expect(String(socket.read())).toBe('login: ');
    socket.destroy();
    await server.drained();
  });
  test("closes when the caller's signal aborts", async () => {
    await using server = await loopback(nothing);
    const controller = new AbortController();
    const socket = await opened(clientOf(service), server, controller.signal);
    controller.abort();
    expect(socket.destroyed).toBe(true);
    await server.drained();
  });
  test('lets go of the signal when all its sessions are closed', async () => {
    await using server = await loopback(nothing);
    const controller = new AbortController();
    const found = (await clientOf(service).retrieve(urlOf(server), { signal: controller.signal })) as Service;
    const [first, second] = [await found.open(), await found.open()];
    first.destroy();
    await sleep(20);
    expect(second.destroyed).toBe(false);
    controller.abort('enough');
    expect(second.destroyed).toBe(true);
    expect(await failure(found.open())).toBe('enough');
  });
  test('that cannot be reached says so', async () => {
    const server = await loopback(nothing);
    await server[Symbol.asyncDispose]();
    expect(await failure(opened(clientOf(service), server))).toMatchObject({ code: 'unreachable', url: urlOf(server) });
  });
  test('is put to policy', async () => {
    await using server = await loopback(nothing);
    const client = clientOf(service, { policy: { address: () => 'no' } });
    expect(await failure(opened(client, server))).toMatchObject({ code: 'policy' });
  });
});

describe('TLS', () => {
  const body: Retrieve = async ({ url }, access) => {
    const source = await access.connectForBody({ host: 'localhost', port: url.port!, tls: {} });
    return { kind: 'content', body: createBody({ pump: (sink) => source.pump(sink) }), metadata: {} };
  };
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }];

  test('carries a body', async () => {
    await using server = await tlsLoopback((socket) => socket.end('secret'));
    const client = clientOf(body, { lookup, tls: { ca: (await certificate()).cert } });
    expect(await (await content(client, server)).body.text()).toBe('secret');
  });
  test('that is never begun by the peer ends a body after the idle time-out', async () => {
    await using server = await loopback((socket) => socket.resume());
    const { body: unread } = await content(clientOf(body, { lookup, timeouts: { idle: 60 } }), server);
    expect(await failure(unread.text())).toMatchObject({ code: 'timeout' });
    await server.drained();
  });
  test('with a certificate that nobody vouches for fails the first read as unreachable, for good', async () => {
    await using server = await tlsLoopback((socket) => socket.end('secret'));
    const { body: unread } = await content(clientOf(body, { lookup }), server);
    expect(await failure(unread.text())).toMatchObject({ code: 'unreachable', temporary: false });
  });
  test('with a peer that hangs up fails the first read as unreachable, for the time being', async () => {
    await using server = await loopback((socket) => socket.resetAndDestroy());
    const outcome = failure(content(clientOf(body, { lookup }), server).then((found) => found.body.text()));
    expect(await outcome).toMatchObject({ code: 'unreachable', temporary: true });
  });
  test('checks an address against the certificate, and says what was agreed', async () => {
    await using server = await tlsLoopback(nothing);
    const records: string[] = [];
    const trace = (record: { type: string }): void => void records.push(record.type);
    await clientOf(secured, { tls: { ca: (await certificate()).cert }, trace }).retrieve(urlOf(server));
    expect(records).toEqual(['connecting', 'connected', 'secured']);
  });
  test('upgrades an open connection', async () => {
    await using server = await tlsLoopback((socket) => socket.end('up'));
    const upgrading: Retrieve = async ({ url }, access) => {
      const socket = await access.connect({ host: '127.0.0.1', port: url.port! });
      const tls = await access.startTls(socket, { serverName: 'localhost' });
      const chunks = await tls.toArray();
      return { kind: 'mailbox', address: Buffer.concat(chunks).toString() };
    };
    const client = createClient({ drivers: [driverOf(upgrading)], tls: { ca: (await certificate()).cert } });
    expect(await client.retrieve(urlOf(server))).toMatchObject({ address: 'up' });
    await server.drained();
  });
});

test.each(['scope', 'session'])(
  'a %s ends at once at the very moment in which the TLS handshake does',
  async (owner) => {
    await using server = await tlsLoopback((socket) => void socket.write('hello'));
    const client = clientOf(
      async ({ url }, access) => {
        const endpoint = { host: '127.0.0.1', port: url.port!, tls: { serverName: 'localhost' } };
        const open = async (dial: Dial): Promise<Session> => {
          await dial.connect(endpoint);
          return { usable: true, close: nothing };
        };
        await (owner === 'scope' ? access.connect(endpoint) : access.lease('key', open));
        return expect.unreachable();
      },
      { tls: { ca: (await certificate()).cert } },
    );
    const controller = new AbortController();
    const onTrace = ({ type }: TraceRecord): void => {
      if (type === 'secured') controller.abort('enough');
    };
    const retrieving = client.retrieve(urlOf(server), { signal: controller.signal, onTrace });
    expect(await failure(retrieving)).toBe('enough');
    await server.drained();
  },
);
