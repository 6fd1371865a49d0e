import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { chunkSource, connectionLost, socketSource } from './octet-source.ts';
import { RetrievalError } from './retrieval-error.ts';

interface Pair extends AsyncDisposable {
  readonly near: Socket;
  readonly far: Socket;
}

async function pair(): Promise<Pair> {
  const server = createServer({ allowHalfOpen: true });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [[far]] = (await Promise.all([once(server, 'connection'), once(near, 'connect')])) as [[Socket], unknown];
  far.on('error', () => undefined);
  return {
    near,
    far,
    async [Symbol.asyncDispose]() {
      near.destroy();
      far.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const text = (chunk: Uint8Array | undefined): string | undefined => chunk && Buffer.from(chunk).toString();

test('reads what comes, then the end, again and again', async () => {
  await using ends = await pair();
  const source = socketSource(ends.near);
  const first = source.read();
  ends.far.write('one');
  expect(text(await first)).toBe('one');
  ends.far.end('two');
  expect(text(await source.read())).toBe('two');
  expect(await source.read()).toBeUndefined();
  expect(await source.read()).toBeUndefined();
});

test('reads nothing ahead of the consumer beyond the kernel and one buffer', async () => {
  await using ends = await pair();
  const source = socketSource(ends.near);
  ends.far.write(Buffer.alloc(8 * 1024 * 1024));
  expect((await source.read())?.length).toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(ends.near.readableLength).toBeLessThan(1024 * 1024);
});

test('a reset is incomplete', async () => {
  await using ends = await pair();
  const source = socketSource(ends.near);
  const reading = source.read();
  ends.far.resetAndDestroy();
  await expect(reading).rejects.toMatchObject({ name: 'RetrievalError', code: 'incomplete' });
  await expect(source.read()).rejects.toMatchObject({ code: 'incomplete' });
});

test('closing under the reader is incomplete', async () => {
  await using ends = await pair();
  const source = socketSource(ends.near);
  const reading = source.read();
  ends.near.destroy();
  await expect(reading).rejects.toMatchObject({ code: 'incomplete' });
});

test('the error the client closed with reaches the reader', async () => {
  await using ends = await pair();
  const source = socketSource(ends.near);
  const reading = source.read();
  const timeout = new RetrievalError('timeout', 'too slow');
  ends.near.destroy(timeout);
  await expect(reading).rejects.toBe(timeout);
});

test('a socket closed before is no endless wait', async () => {
  await using ends = await pair();
  ends.near.destroy();
  await once(ends.near, 'close');
  await expect(socketSource(ends.near).read()).rejects.toMatchObject({ code: 'incomplete' });
});

test('errors that say what happened pass, others are incomplete', () => {
  const refused = new RetrievalError('policy', 'no');
  const aborted = new DOMException('stop', 'AbortError');
  const reset = new Error('read ECONNRESET');
  expect(connectionLost(refused)).toBe(refused);
  expect(connectionLost(aborted)).toBe(aborted);
  expect(connectionLost(reset)).toMatchObject({ code: 'incomplete', temporary: true, cause: reset });
});

test('chunkSource gives its chunks and ends', async () => {
  const source = chunkSource([Uint8Array.of(1), Uint8Array.of(2)]);
  expect(await source.read()).toEqual(Uint8Array.of(1));
  expect(await source.read()).toEqual(Uint8Array.of(2));
  expect(await source.read()).toBeUndefined();
  expect(await source.read()).toBeUndefined();
});
