import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { RetrievalError, type TraceEvent } from '@retriever/driver';
import { testAccess, type TestAccess } from '@retriever/driver/testing';
import { parse, type TelnetUrl } from '@retriever/url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DO, IAC, SB, SE, WILL } from './codes.ts';
import { telnet, type TelnetOptions, type TelnetService } from './telnet.ts';
import { TelnetStream } from './telnet-stream.ts';

interface Session extends AsyncDisposable {
  readonly stream: TelnetStream;
  readonly access: TestAccess;
  /** What the server received so far, as latin1. */
  readonly received: () => string;
  /** All data until the server ended. */
  readonly all: () => Promise<string>;
}

/** The server's end of a session, which ends when the script does. */
type Script = (socket: Socket, send: (latin1: string | Uint8Array) => Promise<void>) => Promise<unknown>;

/** A session with a server that follows a script. */
async function session(script: Script, options?: TelnetOptions, signal?: AbortSignal): Promise<Session> {
  let received = '';
  const sockets: Socket[] = [];
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.push(socket);
    socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    const send = (octets: string | Uint8Array): Promise<void> =>
      new Promise((resolve) =>
        socket.write(typeof octets === 'string' ? Buffer.from(octets, 'latin1') : octets, () => resolve()),
      );
    void script(socket, send).finally(() => socket.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const access = testAccess(signal ? { signal } : {});
  const url = parse(`telnet://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const service = (await telnet(options).retrieve({ url: url as TelnetUrl }, access)) as TelnetService;
  const stream = await service.open();
  return {
    stream,
    access,
    received: () => received,
    async all() {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString('latin1');
    },
    async [Symbol.asyncDispose]() {
      stream.destroy();
      access.close();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function until(condition: () => boolean): Promise<void> {
  for (let round = 0; round < 400; round += 1) {
    if (condition()) return;
    await sleep(5);
  }
  throw new Error('it did not come to that within two seconds');
}

const texts = ({ events }: TestAccess): string[] =>
  events.flatMap((event) => ('text' in event ? [`${event.type} ${event.text}`] : []));

const stay: Script = (socket) => once(socket, 'close');

test("the opening of inetutils' telnetd is answered option for option, and traced (RFC 854, 1143)", async () => {
  await using at = await session(async (socket, send) => {
    await send('\xff\xfb\x25\xff\xfd\x18\xff\xfd\x27');
    await send('\xff\xfb\x01\xff\xfb\x03\xff\xfd\x1f\xff\xfa\x18\x01\xff\xf0login: ');
    await stay(socket, send);
  });
  await once(at.stream, 'data');
  await until(() => at.received().endsWith('xterm\xff\xf0'));
  expect(at.received()).toBe(
    '\xff\xfe\x25\xff\xfb\x18\xff\xfc\x27\xff\xfd\x01\xff\xfd\x03\xff\xfb\x1f\xff\xfa\x1f\x00\x50\x00\x18\xff\xf0\xff\xfa\x18\x00xterm\xff\xf0',
  );
  expect(texts(at.access)).toEqual([
    'received WILL AUTH',
    'sent DONT AUTH',
    'received DO TTYPE',
    'sent WILL TTYPE',
    'received DO NEW-ENVIRON',
    'sent WONT NEW-ENVIRON',
    'received WILL ECHO',
    'sent DO ECHO',
    'received WILL SGA',
    'sent DO SGA',
    'received DO NAWS',
    'sent WILL NAWS',
    'sent SB NAWS 80 24',
    'received SB TTYPE SEND',
    'sent SB TTYPE IS xterm',
  ]);
  expect(at.stream.remoteEcho).toBe(true);
});

test('nothing is sent unasked, so that a server of another protocol is not disturbed', async () => {
  await using at = await session(async (socket, send) => {
    await send('220 hello\r\n');
    await sleep(20);
  });
  expect(await at.all()).toBe('220 hello\r\n');
  expect(at.received()).toBe('');
  expect(at.stream.remoteEcho).toBe(false);
});

test('binary: true asks for it both ways and waits for the answer (RFC 856)', async () => {
  await using at = await session(
    async (socket, send) => {
      await sleep(30);
      await send('\xff\xfd\x00\xff\xfb\x00ok');
      await stay(socket, send);
    },
    { binary: true },
  );
  at.stream.write('a\rb');
  await once(at.stream, 'data');
  at.stream.write('c\rd');
  await until(() => at.received().endsWith('d'));
  expect(at.received()).toBe('\xff\xfb\x00\xff\xfd\x00a\r\0bc\rd');
});

test('resize tells a server that asked for it, and only what has changed (RFC 1073)', async () => {
  await using at = await session(
    async (socket, send) => {
      await sleep(20);
      await send('\xff\xfd\x1f.');
      await stay(socket, send);
    },
    { windowSize: { columns: 100, rows: 40 } },
  );
  at.stream.resize(120, 50);
  await once(at.stream, 'data');
  at.stream.resize(120, 50);
  at.stream.resize(65_600, Number.NaN);
  await until(() => at.received().split('\xff\xf0').length === 3);
  expect(at.received()).toBe(
    '\xff\xfb\x1f\xff\xfa\x1f\x00\x78\x00\x32\xff\xf0\xff\xfa\x1f\xff\xff\xff\xff\x00\x00\xff\xf0',
  );
});

test('a terminal type that was not agreed on is not told (RFC 1091)', async () => {
  await using at = await session(async (socket, send) => {
    await send('\xff\xfa\x18\x01\xff\xf0.');
    await sleep(20);
  });
  expect(await at.all()).toBe('.');
  expect(at.received()).toBe('');
});

test('commands of the server change nothing and are told by an event (RFC 854)', async () => {
  await using at = await session((_socket, send) =>
    send('a\xff\xf9b\xff\xf6c\xff\xf4\xff\xf5\xff\xf7\xff\xf8\xff\xecd'),
  );
  const commands: string[] = [];
  at.stream.on('command', (name: string) => commands.push(name));
  expect(await at.all()).toBe('abcd');
  expect(commands).toEqual(['GA', 'AYT', 'IP', 'AO', 'EC', 'EL', 'EOF']);
});

test('every octet passes both ways (RFC 854)', async () => {
  const every = Uint8Array.from({ length: 256 }, (_, octet) => octet);
  await using at = await session(async (socket, send) => {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    await send(chunk);
  });
  at.stream.write(every);
  expect(await at.all()).toBe(Buffer.from(every).toString('latin1'));
});

describe('storms', () => {
  const rounds = (octets: readonly number[], count: number): Uint8Array =>
    Uint8Array.from({ length: octets.length * count }, (_, at) => octets[at % octets.length]!);

  test('10,000 WILL and DO in turn get no more than 1024 answers, a bounded trace, and the session goes on', async () => {
    await using at = await session(async (socket, send) => {
      await send(rounds([IAC, WILL, 99, IAC, DO, 99], 10_000));
      await send('still here');
      await send('\xff\xfd\x18');
      await stay(socket, send);
    });
    await until(() => at.received().endsWith('\xff\xfb\x18'));
    expect(at.received()).toHaveLength(3 * 1025);
    expect(String(at.stream.read())).toBe('still here');
    expect(at.access.events.length).toBeLessThan(600);
    expect(texts(at.access)).toContainEqual(expect.stringContaining('negotiates without end'));
  });

  test('10,000 wishes for the terminal type neither', async () => {
    await using at = await session(async (socket, send) => {
      await send('\xff\xfd\x18');
      await send(rounds([IAC, SB, 24, 1, IAC, SE], 10_000));
      await send('.');
      await stay(socket, send);
    });
    await once(at.stream, 'data');
    await until(() => at.received().endsWith('xterm\xff\xf0'));
    expect(at.received().split('xterm')).toHaveLength(1024);
  });

  test('a server that reads no answers is not read either: they do not pile up', async () => {
    const socket = new StubbornSocket();
    const stream = new TelnetStream(socket, streamOptions());
    stream.on('data', () => undefined);
    const request = Buffer.from('\xff\xfb\x63a', 'latin1');
    for (let round = 0; round < 100; round += 1)
      socket.serve(Buffer.concat(Array.from({ length: 1000 }, () => request)));
    await sleep(10);
    expect(socket.writableLength).toBeLessThan(70 * 1024);
    expect(socket.readableLength).toBeGreaterThan(0);
    expect(socket.isPaused()).toBe(true);
    stream.destroy();
  });
});

/** A connection whose peer reads nothing. */
class StubbornSocket extends Duplex {
  serve(chunk: Uint8Array): void {
    this.push(chunk);
  }

  override _read(): void {
    // What there is was pushed.
  }

  override _write(): void {
    // Never done.
  }
}

/** A connection that keeps what is written to it. */
class RecordingSocket extends Duplex {
  readonly written: Uint8Array[] = [];

  override _read(): void {
    // Chunks are emitted by hand.
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    this.written.push(chunk);
    done();
  }
}

function streamOptions(
  report: (event: TraceEvent) => void = () => undefined,
): ConstructorParameters<typeof TelnetStream>[1] {
  return { terminalType: 'xterm', windowSize: { columns: 80, rows: 24 }, binary: false, report };
}

test('any octets, in any chunks, give the same data and the same answers', () => {
  const octet = fc.oneof(fc.constantFrom(255, 250, 240, 251, 252, 253, 254, 0, 1, 3, 13, 24, 31), fc.nat(255));
  const outcome = (chunks: readonly Uint8Array[]): unknown => {
    const socket = new RecordingSocket();
    const stream = new TelnetStream(socket, streamOptions());
    for (const chunk of chunks) socket.emit('data', chunk);
    return { data: String(stream.read()), answers: Buffer.concat(socket.written).toString('latin1') };
  };
  fc.assert(
    fc.property(fc.array(octet, { maxLength: 100 }), fc.array(fc.nat(100)), (octets, cuts) => {
      const whole = Buffer.from(octets);
      const ends = [...new Set([...cuts.filter((cut) => cut < whole.length), whole.length])].toSorted((a, b) => a - b);
      const chunks = ends.map((end, at) => whole.subarray(ends[at - 1] ?? 0, end));
      expect(outcome(chunks)).toEqual(outcome([whole]));
    }),
    { numRuns: 1000 },
  );
});

describe('back pressure', () => {
  test('a reader that does not read stops the server', async () => {
    let sent = 0;
    await using at = await session(async (socket) => {
      const chunk = Buffer.alloc(65_536, 120);
      for (; sent < 1000; sent += 1) if (!socket.write(chunk)) await once(socket, 'drain');
    });
    await sleep(200);
    const halted = sent;
    expect(halted).toBeLessThan(1000);
    expect(at.stream.readableLength).toBeLessThan(256 * 1024);
    let octets = 0;
    for await (const chunk of at.stream) octets += (chunk as Buffer).length;
    expect(octets).toBe(1000 * 65_536);
  });

  test('a server that does not read stops the writer', async () => {
    const socket = new StubbornSocket();
    const stream = new TelnetStream(socket, streamOptions());
    let writes = 0;
    while (stream.write(Buffer.alloc(4096, 255)) && writes < 1000) writes += 1;
    await sleep(5);
    expect(writes).toBeLessThan(40);
    expect(socket.writableLength + stream.writableLength).toBeLessThan(256 * 1024);
    stream.destroy();
  });
});

describe('the end', () => {
  test('ending our side leaves the other open', async () => {
    await using at = await session(async (socket, send) => {
      await once(socket, 'end');
      await sleep(20);
      await send('after your end');
    });
    at.stream.end('bye');
    expect(await at.all()).toBe('after your end');
    expect(at.received()).toBe('bye');
    await until(() => at.stream.closed);
  });

  test('the server ends: what it sent is read, our side closes too', async () => {
    await using at = await session((_socket, send) => send('last words'));
    await sleep(30);
    at.stream.write('nobody hears this');
    expect(await at.all()).toBe('last words');
    await until(() => at.stream.closed);
    expect(at.access.sockets[0]!.destroyed).toBe(true);
  });

  test('a command cut off by the end is no data', async () => {
    await using at = await session((_socket, send) => send('x\xff'));
    expect(await at.all()).toBe('x');
  });

  test('a reset is incomplete', async () => {
    await using at = await session(async (socket, send) => {
      await send('x');
      await sleep(20);
      socket.resetAndDestroy();
    });
    const error: unknown = await at.all().catch((error: unknown) => error);
    expect(error).toBeInstanceOf(RetrievalError);
    expect(error).toMatchObject({ code: 'incomplete' });
  });

  test('a connection that is closed under the stream is incomplete', async () => {
    await using at = await session(stay);
    at.stream.resume();
    setTimeout(() => at.access.sockets[0]!.destroy(), 10);
    const [error] = (await once(at.stream, 'error')) as [unknown];
    expect(error).toMatchObject({ code: 'incomplete' });
  });

  test('aborting closes the connection with the reason', async () => {
    const controller = new AbortController();
    await using at = await session(stay, {}, controller.signal);
    setTimeout(() => controller.abort(), 10);
    const [error] = (await once(at.stream, 'error')) as [unknown];
    expect(error).toBe(controller.signal.reason);
    expect(at.stream.destroyed).toBe(true);
  });

  test('destroying closes the connection', async () => {
    await using at = await session(stay);
    at.stream.destroy();
    await until(() => at.access.sockets[0]!.destroyed);
  });
});
