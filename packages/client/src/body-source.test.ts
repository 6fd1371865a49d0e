import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionLost, RetrievalError } from '@retriever/driver';
import { describe, expect, test } from 'vitest';
import { failure } from '../testing/fake-driver.ts';
import { certificate, loopback, tlsLoopback, type LoopbackServer } from '../testing/loopback.ts';
import { ConnectionBodySource } from './body-source.ts';

function dialled({ port }: LoopbackServer): ConnectionBodySource {
  const source = new ConnectionBodySource();
  return source.attach(connect({ host: '127.0.0.1', port, onread: source.onread }));
}

async function dialledTls({ port }: LoopbackServer): Promise<ConnectionBodySource> {
  const { cert } = await certificate();
  const socket = tlsConnect({ host: '127.0.0.1', port, ca: cert, servername: 'localhost' });
  return new ConnectionBodySource().attachStream(socket, connectionLost);
}

const noise = randomBytes(4 * 1024 * 1024);

/** Octets unlike those of any other seed, at every place. */
function pattern(length: number, seed: number): Buffer {
  return noise.subarray(seed * 1000, seed * 1000 + length);
}

const variants = [
  { name: 'plain', serve: loopback, dial: async (server: LoopbackServer) => dialled(server) },
  { name: 'TLS', serve: tlsLoopback, dial: dialledTls },
];

describe.each(variants)('a body source over $name', ({ serve, dial }) => {
  test('pushes all octets into a sink that takes them at once', async () => {
    const octets = pattern(3_000_000, 1);
    await using server = await serve((socket) => socket.end(octets));
    const source = await dial(server);
    const got: Buffer[] = [];
    await source.pump((chunk) => void got.push(Buffer.from(chunk)));
    expect(Buffer.concat(got).equals(octets)).toBe(true);
  });

  test('keeps a chunk as it is until the sink is done with it', async () => {
    const octets = pattern(3_000_000, 2);
    await using server = await serve((socket) => socket.end(octets));
    const source = await dial(server);
    const got: Buffer[] = [];
    await source.pump(async (chunk) => {
      await sleep(2);
      got.push(Buffer.from(chunk));
    });
    expect(Buffer.concat(got).equals(octets)).toBe(true);
  });

  test('stops reading while the sink is at work', async () => {
    let written = 0;
    const block = Buffer.alloc(1024 * 1024);
    await using server = await serve((socket) => {
      const more = (): void => void socket.write(block, (error) => error ?? ((written += block.length), more()));
      more();
    });
    const source = await dial(server);
    const { promise: released, reject: release } = Promise.withResolvers<void>();
    const pumping = failure(source.pump(() => released));
    await sleep(200);
    const before = written;
    await sleep(200);
    // What two kernels, and TLS, can hold; an unpaused loopback moves hundreds of MiB in this time.
    expect(written).toBe(before);
    expect(written).toBeLessThan(64 * block.length);
    const enough = new Error('enough');
    release(enough);
    expect(await pumping).toBe(enough);
    source.destroy();
  });

  test('reads a head and pumps the rest', async () => {
    const octets = pattern(2_000_000, 3);
    await using server = await serve((socket) => socket.end(octets));
    const source = await dial(server);
    const head = await source.read();
    const copy = Buffer.from(head!);
    const rest: Buffer[] = [];
    await source.pump((chunk) => void rest.push(Buffer.from(chunk)));
    expect(Buffer.from(head!).equals(copy)).toBe(true);
    expect(Buffer.concat([head!, ...rest]).equals(octets)).toBe(true);
  });

  test('holds what came before anybody asked, and the end behind it', async () => {
    await using server = await serve((socket) => socket.end('early'));
    const source = await dial(server);
    await sleep(50);
    expect(Buffer.from((await source.read())!).toString()).toBe('early');
    expect(await source.read()).toBeUndefined();
    expect(await source.read()).toBeUndefined();
    await source.pump(() => expect.unreachable());
  });

  test('ends when the end came while the sink was at work', async () => {
    await using server = await serve((socket) => socket.end('all'));
    const source = await dial(server);
    let text = '';
    await source.pump(async (chunk) => {
      await sleep(50);
      text += Buffer.from(chunk).toString();
    });
    expect(text).toBe('all');
  });

  test('is an empty body when nothing came', async () => {
    await using server = await serve((socket) => socket.end());
    const source = await dial(server);
    await source.pump(() => expect.unreachable());
  });

  test('fails as incomplete when the peer resets, after what came before', async () => {
    await using server = await serve((socket) => {
      socket.write('some');
      setTimeout(() => server.sockets[0]!.resetAndDestroy(), 30);
    });
    const source = await dial(server);
    expect(Buffer.from((await source.read())!).toString()).toBe('some');
    expect(await failure(source.read())).toMatchObject({ name: 'RetrievalError', code: 'incomplete' });
    expect(await failure(source.pump(() => undefined))).toMatchObject({ code: 'incomplete' });
  });

  test.each(['at once', 'later'])('fails with what the sink fails with %s', async (when) => {
    await using server = await serve((socket) => socket.end(pattern(3_000_000, 4)));
    const source = await dial(server);
    const full = new Error('disk full');
    const sink =
      when === 'later'
        ? () => Promise.reject(full)
        : () => {
            throw full;
          };
    expect(await failure(source.pump(sink))).toBe(full);
    source.destroy();
    await server.drained();
  });

  test('fails when it is destroyed in the middle, once the sink is done', async () => {
    await using server = await serve((socket) => socket.write('some'));
    const source = await dial(server);
    let done = false;
    const error = await failure(
      source.pump(async () => {
        source.destroy();
        await sleep(50);
        done = true;
      }),
    );
    expect(error).toMatchObject({ code: 'incomplete' });
    expect(done).toBe(true);
    expect(await failure(source.read())).toMatchObject({ code: 'incomplete' });
  });

  test('is not read twice at a time', async () => {
    await using server = await serve(() => undefined);
    const source = await dial(server);
    const first = failure(source.read());
    expect(await failure(source.read())).toBeInstanceOf(TypeError);
    source.destroy();
    expect(await first).toBeInstanceOf(RetrievalError);
  });
});

test('no connection gets a buffer that another one or a slow sink still uses', async () => {
  const size = 1_500_000;
  await using server = await loopback((socket) => {
    socket.once('data', (seed: Buffer) => socket.end(pattern(size, seed.readUInt32LE())));
  });
  const retrieve = async (seed: number): Promise<void> => {
    const source = dialled(server);
    const expected = pattern(size, seed);
    const quits = seed % 3 === 2;
    const request = Buffer.alloc(4);
    request.writeUInt32LE(seed);
    source.socket.write(request);
    let at = 0;
    const compare = (chunk: Uint8Array): void => {
      if (!expected.subarray(at, at + chunk.length).equals(chunk)) throw new Error(`body ${seed} is mixed up at ${at}`);
      at += chunk.length;
    };
    // Some read a head first, and look at it late.
    const head = seed % 2 === 0 ? await source.read() : new Uint8Array();
    await sleep(seed % 4);
    compare(head!);
    const outcome = await failure(
      source.pump(async (chunk) => {
        const breaksOff = quits && at > size / 3;
        if (breaksOff) source.destroy();
        // While it waits others read, end, break off and begin.
        await sleep(breaksOff ? 15 : (seed * 7 + at) % 9);
        compare(chunk);
      }),
    );
    source.destroy();
    if (outcome === undefined) expect(at).toBe(size);
    else expect([quits, outcome]).toEqual([true, expect.objectContaining({ code: 'incomplete' })]);
  };
  let seeds = 0;
  const worker = async (): Promise<void> => {
    while (seeds < 240) await retrieve((seeds += 1));
  };
  await Promise.all(Array.from({ length: 16 }, worker));
});

test('streams 256 MiB in the memory of a buffer', async () => {
  const block = Buffer.alloc(1024 * 1024, 'x');
  await using server = await loopback((socket) => {
    let left = 256;
    const more = (): void => void (left-- > 0 ? socket.write(block, more) : socket.end());
    more();
  });
  const source = dialled(server);
  let octets = 0;
  let most = 0;
  const before = process.memoryUsage().rss;
  await source.pump((chunk) => {
    octets += chunk.length;
    most = Math.max(most, process.memoryUsage.rss());
  });
  expect(octets).toBe(256 * block.length);
  expect(most - before).toBeLessThan(128 * block.length);
});
