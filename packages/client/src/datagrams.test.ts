import { createSocket, type Socket } from 'node:dgram';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { clientOf, failure } from '../testing/fake-driver.ts';
import { openDatagrams } from './datagrams.ts';

const nothing = (): void => undefined;

async function bound(type: 'udp4' | 'udp6' = 'udp4', address = '127.0.0.1'): Promise<Socket> {
  const socket = createSocket(type);
  await new Promise<void>((resolve) => socket.bind(0, address, resolve));
  return socket;
}

test('sends and receives, from another port of the peer as well', async () => {
  const [server, other] = [await bound(), await bound()];
  server.on('message', (datagram, { port }) => other.send(`re: ${String(datagram)}`, port, '127.0.0.1'));
  const channel = openDatagrams({ address: '127.0.0.1', family: 4 }, server.address().port, nothing);
  await channel.send(Buffer.from('hello'));
  const answer = await channel.receive(2000);
  expect(answer).toMatchObject({ address: '127.0.0.1', port: other.address().port });
  expect(String(answer!.datagram)).toBe('re: hello');
  expect(await channel.receive(10)).toBeUndefined();
  channel.close();
  channel.close();
  expect(await failure(channel.receive(10))).toMatchObject({ code: 'incomplete' });
  expect(await failure(channel.send(Buffer.from('x')))).toMatchObject({ code: 'incomplete' });
  server.close();
  other.close();
});

test('takes nothing from another address', async () => {
  const [server, stranger] = [await bound(), await bound('udp4', '127.0.0.2')];
  server.on('message', (_, { port }) => stranger.send('boo', port, '127.0.0.1'));
  const channel = openDatagrams({ address: '127.0.0.1', family: 4 }, server.address().port, nothing);
  await channel.send(Buffer.from('hello'));
  expect(await channel.receive(60)).toBeUndefined();
  channel.close();
  server.close();
  stranger.close();
});

test('knows an IPv6 address in another spelling', async () => {
  const server = await bound('udp6', '::1');
  server.on('message', (_, { port }) => server.send('yes', port, '::1'));
  const channel = openDatagrams({ address: '0:0:0:0:0:0:0:1', family: 6 }, server.address().port, nothing);
  await channel.send(Buffer.from('hello'));
  expect(String((await channel.receive(2000))?.datagram)).toBe('yes');
  channel.close();
  server.close();
});

test('datagrams that come are no silence', async () => {
  const server = await bound();
  server.on('message', (_, { port }) => setTimeout(() => server.send('yes', port, '127.0.0.1'), 20));
  const client = clientOf(
    async ({ url }, access) => {
      const channel = await access.datagrams({ host: '127.0.0.1', port: url.port! });
      for (let n = 0; n < 12; n += 1) {
        await channel.send(Buffer.from('more'));
        await channel.receive(1000);
      }
      return { kind: 'mailbox', address: 'x' };
    },
    { timeouts: { idle: 120 } },
  );
  await client.retrieve(`gopher://127.0.0.1:${server.address().port}/`);
  server.close();
  await sleep(1);
});
