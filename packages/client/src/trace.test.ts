import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { bodyOf, RetrievalError } from '@retriever/driver';
import { parse } from '@retriever/url';
import { expect, test, vi } from 'vitest';
import { clientOf, failure, type Retrieve } from '../testing/fake-driver.ts';
import { loopback } from '../testing/loopback.ts';
import { Trace, traceChannelName, type TraceRecord } from './trace.ts';

const nothing = (): void => undefined;

const talking: Retrieve = async ({ url }, access) => {
  const lease = await access.lease('key', async (dial) => {
    const socket = await dial.connect({ host: 'name.example', port: url.port! });
    return { usable: true, close: () => void socket.end() };
  });
  const answer = await access.credentials({ scheme: 'gopher', host: 'h', port: 70, wanted: 'password' });
  access.report({ type: 'sent', text: `PASS ${answer?.password}` });
  access.report({ type: 'received', text: `530 s%65cret secret given and ${answer?.account} are wrong` });
  lease.release();
  return { kind: 'content', body: bodyOf(new Uint8Array()), metadata: {} };
};

test('tells what happens in order, on the listener and the diagnostics channel, without secrets', async () => {
  await using server = await loopback(nothing);
  const records: TraceRecord[] = [];
  const published: unknown[] = [];
  const onPublished = (message: unknown): void => void published.push(message);
  subscribe(traceChannelName, onPublished);
  const client = clientOf(talking, {
    trace: (record) => records.push(record),
    credentials: () => ({ password: 'hushhush', account: 'accounting' }),
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  const request = { credentials: { user: 'u', password: 'given' } };
  await client.retrieve(`gopher://user:s%65cret@127.0.0.1:${server.port}/`, request);
  unsubscribe(traceChannelName, onPublished);
  client.close();
  expect(records.map(({ type }) => type)).toEqual([
    'resolved',
    'connecting',
    'connected',
    'leased',
    'sent',
    'received',
    'released',
  ]);
  expect(published).toEqual(records);
  const text = JSON.stringify(records);
  expect(text).not.toMatch(/s%65cret|secret|given|hushhush|accounting/);
  expect(records[4]).toMatchObject({
    text: 'PASS ***',
    url: expect.stringContaining('user:***@'),
    time: expect.any(Number),
  });
  expect(new Set(records.map(({ retrieval }) => retrieval)).size).toBe(1);
});

test('masks a secret that the peer echoes in its refusal, in the error too', async () => {
  const client = clientOf(async () => {
    throw new RetrievalError('credentials', 'login: 530 no secret here', {
      reply: { code: 530, text: 'no secret here' },
      cause: new Error('secret'),
    });
  });
  const error = (await failure(client.retrieve('gopher://u:secret@h:7070/'))) as RetrievalError;
  expect(error).toMatchObject({
    code: 'credentials',
    message: 'login: 530 no *** here',
    reply: { code: 530, text: 'no *** here' },
  });
  expect(`${error.stack} ${error.url} ${String(error.cause)}`).not.toContain('secret');
});

test('an error of the listener is uncaught, and none of the retrieval', () => {
  const bug = new Error('a bug in the listener');
  const caught: unknown[] = [];
  const nextTick = vi.spyOn(process, 'nextTick').mockImplementation((callback) => {
    try {
      callback();
    } catch (error) {
      caught.push(error);
    }
  });
  new Trace(parse('gopher://h/'), () => {
    throw bug;
  }).report({ type: 'note', text: 'x' });
  nextTick.mockRestore();
  expect(caught).toEqual([bug]);
});
