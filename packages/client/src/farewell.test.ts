import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Access } from '@retriever/driver';
import { expect, test } from 'vitest';
import { clientOf, failure } from '../testing/fake-driver.ts';
import { bodyOf } from '@retriever/driver';

async function udpServer(): Promise<Socket & AsyncDisposable> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return Object.assign(socket, { [Symbol.asyncDispose]: async () => void socket.close() });
}

/** A client whose driver does this with the server's port. */
function speaking(work: (access: Access, port: number) => Promise<unknown>, timeouts = {}) {
  return clientOf(
    async ({ url }, access) => {
      await work(access, url.port!);
      return { kind: 'content', body: bodyOf(new Uint8Array(0)), metadata: {} };
    },
    { timeouts },
  );
}

test('the farewell is sent when the caller aborts, and not when it was taken back', async () => {
  await using server = await udpServer();
  const heard: string[] = [];
  server.on('message', (datagram) => heard.push(String(datagram)));
  const url = `gopher://127.0.0.1:${server.address().port}/`;
  const controller = new AbortController();
  const client = speaking(async (access, port) => {
    const channel = await access.datagrams({ host: '127.0.0.1', port });
    channel.farewell(Buffer.from('bye'));
    await channel.receive(10_000);
  });
  setTimeout(() => controller.abort(), 20);
  await failure(client.retrieve(url, { signal: controller.signal }));
  await expect.poll(() => heard).toEqual(['bye']);
  const silent = speaking(async (access, port) => {
    const channel = await access.datagrams({ host: '127.0.0.1', port });
    channel.farewell(Buffer.from('bye'));
    channel.farewell(undefined);
  });
  await silent.retrieve(url);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(heard).toEqual(['bye']);
});

test('silence that the peer asked for does not count as idle, any other does', async () => {
  await using server = await udpServer();
  const url = `gopher://127.0.0.1:${server.address().port}/`;
  const waiting = (askedFor: boolean) =>
    speaking(
      async (access, port) => {
        const channel = await access.datagrams({ host: '127.0.0.1', port });
        await channel.receive(300, { askedFor });
      },
      { idle: 100 },
    );
  expect(await failure(waiting(true).retrieve(url))).toBeUndefined();
  expect(await failure(waiting(false).retrieve(url))).toMatchObject({ code: 'timeout' });
});

test('a server cannot send a client to another protocol’s port over UDP (RFC 1738 §6)', async () => {
  await using server = await udpServer();
  const client = speaking((access) => access.datagrams({ host: '127.0.0.1', port: 53 }));
  const url = `gopher://127.0.0.1:${server.address().port}/`;
  expect(await failure(client.retrieve(url))).toMatchObject({ code: 'policy' });
});
