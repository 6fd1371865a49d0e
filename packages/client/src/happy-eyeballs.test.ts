import { connect, Socket } from 'node:net';
import type { LookupAddress } from 'node:dns';
import { expect, test } from 'vitest';
import { failure } from '../testing/fake-driver.ts';
import { loopback } from '../testing/loopback.ts';
import { firstConnected } from './happy-eyeballs.ts';

const never = new AbortController().signal;

function addresses(...texts: string[]): LookupAddress[] {
  return texts.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}

/** Dials for real on one port; an address that ends in `.9` is a black hole. */
function dialling(port: number): { dial: (address: LookupAddress) => Socket; dialled: string[]; sockets: Socket[] } {
  const dialled: string[] = [];
  const sockets: Socket[] = [];
  const dial = ({ address }: LookupAddress): Socket => {
    dialled.push(address);
    const socket = address.endsWith('.9') ? new Socket() : connect(port, address);
    sockets.push(socket);
    return socket;
  };
  return { dial, dialled, sockets };
}

test('tries the next address at once when one refuses', async () => {
  await using server = await loopback(() => undefined);
  const { dial } = dialling(server.port);
  const socket = await firstConnected(addresses('127.0.0.2', '127.0.0.1'), dial, {
    signal: never,
    attemptDelay: 60_000,
  });
  expect(socket.remoteAddress).toBe('127.0.0.1');
  socket.destroy();
});

test('tries the next address beside one that hesitates, and drops the slower (RFC 8305 §5)', async () => {
  await using server = await loopback(() => undefined);
  const { dial, sockets } = dialling(server.port);
  const socket = await firstConnected(addresses('127.0.0.9', '127.0.0.1'), dial, { signal: never, attemptDelay: 20 });
  expect(socket.remoteAddress).toBe('127.0.0.1');
  expect(sockets[0]!.destroyed).toBe(true);
  socket.destroy();
});

test('fails with the first error when all addresses fail', async () => {
  const server = await loopback(() => undefined);
  await server[Symbol.asyncDispose]();
  const { dial, dialled } = dialling(server.port);
  const error = await failure(firstConnected(addresses('127.0.0.2', '127.0.0.3'), dial, { signal: never }));
  expect(error).toMatchObject({ code: 'ECONNREFUSED', address: '127.0.0.2' });
  expect(dialled).toEqual(['127.0.0.2', '127.0.0.3']);
});

test('gives up all attempts when aborted', async () => {
  const controller = new AbortController();
  const { dial, sockets } = dialling(1);
  const connecting = firstConnected(addresses('127.0.0.9', '127.0.1.9'), dial, {
    signal: controller.signal,
    attemptDelay: 5,
  });
  setTimeout(() => controller.abort('enough'), 40);
  expect(await failure(connecting)).toBe('enough');
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true]);
});

test('dials nothing when aborted before', async () => {
  const { dial, dialled } = dialling(1);
  const error = await failure(firstConnected(addresses('127.0.0.1'), dial, { signal: AbortSignal.abort('no') }));
  expect([error, dialled]).toEqual(['no', []]);
});

test('lets the families take turns, the first choice first (RFC 8305 §4)', async () => {
  const dialled: string[] = [];
  const dial = ({ address }: LookupAddress): Socket => {
    dialled.push(address);
    const socket = new Socket();
    setImmediate(() => socket.destroy(new Error(address)));
    return socket;
  };
  const all = addresses('::1', '::2', '::3', '10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.5');
  expect(await failure(firstConnected(all, dial, { signal: never }))).toMatchObject({ message: '::1' });
  expect(dialled.map((address) => (address.includes(':') ? 6 : 4)).join('')).toBe('64646444');
});

test('leaves no listener on the signal', async () => {
  await using server = await loopback(() => undefined);
  const controller = new AbortController();
  const { dial } = dialling(server.port);
  const socket = await firstConnected(addresses('127.0.0.1'), dial, { signal: controller.signal });
  controller.abort();
  expect(socket.destroyed).toBe(false);
  socket.destroy();
});
