import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bodyOf } from '@retriever/driver';
import { parse } from '@retriever/url';
import { expect, test } from 'vitest';
import { clientOf, driverOf, failure } from '../testing/fake-driver.ts';
import { loopback } from '../testing/loopback.ts';
import { createClient } from './client.ts';

const program = fileURLToPath(new URL('../testing/exiting.ts', import.meta.url));

test.each([
  ['after an abort', 'abort', 'enough'],
  ['with an idle session in the pool', 'idle session', 'done'],
])('the process ends by itself %s', { timeout: 20_000 }, async (_, way, output) => {
  await using server = await loopback((socket) => socket.write('some'));
  const child = promisify(execFile)(
    process.execPath,
    ['--conditions=retriever-source', program, String(server.port), way],
    { timeout: 15_000 },
  );
  expect((await child).stdout.trim()).toBe(output);
});

test('says which schemes there are drivers for, the first driver of a scheme serving it', async () => {
  const one = driverOf(async () => ({ kind: 'mailbox', address: 'one' }), ['a', 'b']);
  const two = driverOf(async () => ({ kind: 'mailbox', address: 'two' }), ['b', 'c']);
  const client = createClient({ drivers: [one, two] });
  expect(client.schemes).toEqual(['a', 'b', 'c']);
  expect(await client.retrieve('b:x')).toMatchObject({ address: 'one' });
  expect(await client.retrieve(parse('c:x'))).toMatchObject({ address: 'two' });
});

test('without a driver says so, and without the password', async () => {
  const client = clientOf(async () => ({ kind: 'mailbox', address: '' }));
  const error = (await failure(client.retrieve('ftp://u:secret@h/'))) as Error;
  expect(error).toMatchObject({ code: 'unsupported', message: expect.stringContaining('gopher:') });
  expect(error.message).not.toContain('secret');
  expect(await failure(client.retrieve('afs://h/x'))).toMatchObject({
    code: 'unsupported',
    message: expect.stringContaining('RFC 1738 §4'),
  });
  expect(await failure(client.retrieve('no url'))).toMatchObject({ name: 'UrlSyntaxError' });
});

test('wraps layers around retrievals, the first outermost', async () => {
  const order: string[] = [];
  const client = createClient({
    drivers: [driverOf(async () => ({ kind: 'content', body: bodyOf(new Uint8Array()), metadata: {} }))],
    layers: ['outer', 'inner'].map((name) => (next) => (request) => (order.push(name), next(request))),
  });
  await client.retrieve('gopher://h/');
  expect(order).toEqual(['outer', 'inner']);
  await client[Symbol.asyncDispose]();
});
