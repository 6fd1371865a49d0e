import { bodyOf, createBody, RetrievalError, type Content, type RetrievalRequest } from '@retriever/driver';
import { describe, expect, test } from 'vitest';
import { clientOf, driverOf, failure, type Retrieve } from '../../testing/fake-driver.ts';
import { createClient } from '../client.ts';
import { follow } from './follow.ts';
import { gateway } from './gateway.ts';
import { limit } from './limit.ts';
import { progress, type Progress } from './progress.ts';
import { retry } from './retry.ts';

const octets =
  (length: number, size: number | undefined = length): Retrieve =>
  async () => ({
    kind: 'content',
    body: createBody({
      size,
      pump: async (sink) => {
        for (let n = 0; n < length; n += 1) await sink(Uint8Array.of(n));
      },
    }),
    metadata: {},
  });

/** References by URL; what is not in the table is content. */
function referring(
  table: Readonly<Record<string, string>>,
  seen: RetrievalRequest[] = [],
  cancelled: string[] = [],
): Retrieve {
  return async (request) => {
    seen.push(request);
    const text = String(request.url);
    const target = table[text];
    if (target === undefined) return { kind: 'content', body: bodyOf(Buffer.from(text)), metadata: {} };
    const body = createBody({ pump: async () => undefined, cancel: () => void cancelled.push(text) });
    return { kind: 'reference', target, body, metadata: {} };
  };
}

describe('follow', () => {
  const clientFor = (retrieve: Retrieve, options?: Parameters<typeof follow>[0]) =>
    createClient({ drivers: [driverOf(retrieve, ['http', 'https', 'gopher'])], layers: [follow(options)] });

  test('goes where references lead, cancels their bodies and tells the final URL', async () => {
    const cancelled: string[] = [];
    const client = clientFor(referring({ 'http://a/': 'http://b/', 'http://b/': 'http://c/' }, [], cancelled));
    const retrieved = await client.retrieve('http://a/');
    expect(String(retrieved.url)).toBe('http://c/');
    expect(cancelled).toEqual(['http://a/', 'http://b/']);
  });
  test('gives up after so many references', async () => {
    const loop = referring({ 'http://a/': 'http://u:secret@a/', 'http://u:secret@a/': 'http://a/' });
    const error = (await failure(clientFor(loop, { maxReferences: 3 }).retrieve('http://a/'))) as RetrievalError;
    expect(error).toMatchObject({
      code: 'limit',
      message: expect.stringContaining('more than 3'),
      url: expect.any(String),
    });
    expect(error.message + String(error.url)).not.toContain('secret');
  });
  test('keeps credentials within an origin and drops them across origins', async () => {
    const seen: RetrievalRequest[] = [];
    const client = clientFor(
      referring(
        { 'http://a/': 'http://A:80/x', 'http://A:80/x': 'http://a:8080/', 'http://a:8080/': 'http://a/y' },
        seen,
      ),
    );
    await client.retrieve('http://a/', {
      credentials: { user: 'u', password: 'p' },
      headers: [
        ['Authorization', 'Bearer x'],
        ['COOKIE', 'y'],
        ['X-Harmless', 'z'],
      ],
      range: { start: 1 },
    });
    expect(seen.map(({ credentials }) => credentials?.user)).toEqual(['u', 'u', undefined, undefined]);
    expect(seen.map(({ headers }) => headers?.map(([name]) => name).join())).toEqual([
      'Authorization,COOKIE,X-Harmless',
      'Authorization,COOKIE,X-Harmless',
      'X-Harmless',
      'X-Harmless',
    ]);
    expect(seen.every(({ range }) => range)).toBe(true);
  });
  test('counts another scheme as another origin', async () => {
    const seen: RetrievalRequest[] = [];
    await clientFor(referring({ 'https://a/': 'http://a:443/' }, seen)).retrieve('https://a/', {
      credentials: { user: 'u' },
    });
    expect(seen[1]!.credentials).toBeUndefined();
  });
  test.each(['nowhere', '/relative', ''])('fails on %j, which is no URL', async (target) => {
    expect(await failure(clientFor(referring({ 'http://a/': target })).retrieve('http://a/'))).toMatchObject({
      code: 'protocol',
      url: 'http://a/',
    });
  });
  test.each(['file:///etc/passwd', 'gopher://h/', 'mailto:a@b'])('does not go to %s: policy', async (target) => {
    expect(await failure(clientFor(referring({ 'http://a/': target })).retrieve('http://a/'))).toMatchObject({
      code: expect.stringMatching(/policy|unsupported/),
    });
  });
  test('hands out a reference on request', async () => {
    const client = clientFor(referring({ 'http://a/': 'http://b/' }));
    expect(await client.retrieve('http://a/', { keepReference: true })).toMatchObject({
      kind: 'reference',
      target: 'http://b/',
    });
  });
});

describe('retry', () => {
  const failing =
    (error: Error, times: number, tries: number[] = []): Retrieve =>
    async (request, access) => {
      tries.push(tries.length + 1);
      if (tries.length <= times) throw error;
      return octets(1)(request, access);
    };
  const layers = [retry({ attempts: 3, delay: 1 })];

  test('tries again what is temporary', async () => {
    const tries: number[] = [];
    const reasons: string[] = [];
    const trace = (record: { type: string; attempt?: number }): void =>
      void (record.type === 'retrying' && reasons.push(`attempt ${record.attempt}`));
    await clientOf(failing(new RetrievalError('unreachable', 'no'), 2, tries), { layers, trace }).retrieve(
      'gopher://h/',
    );
    expect([tries, reasons]).toEqual([
      [1, 2, 3],
      ['attempt 2', 'attempt 3'],
    ]);
  });
  test('gives up after so many attempts', async () => {
    const error = new RetrievalError('timeout', 'no');
    const tries: number[] = [];
    expect(await failure(clientOf(failing(error, 9, tries), { layers }).retrieve('gopher://h/'))).toBe(error);
    expect(tries).toHaveLength(3);
  });
  test('tries no more when its time is up, and what else it is told to be worth it', async () => {
    const tries: number[] = [];
    const late = [retry({ attempts: 99, delay: 20, maxTime: 50 })];
    await failure(
      clientOf(failing(new RetrievalError('timeout', 'no'), 99, tries), { layers: late }).retrieve('gopher://h/'),
    );
    expect(tries.length).toBeLessThan(5);
    const anything = [retry({ attempts: 2, delay: 1, worthwhile: () => true })];
    await clientOf(failing(new RetrievalError('not-found', 'no'), 1), { layers: anything }).retrieve('gopher://h/');
  });
  test.each([new RetrievalError('not-found', 'no'), new Error('a bug')])(
    'does not repeat what is final: %s',
    async (error) => {
      const tries: number[] = [];
      expect(await failure(clientOf(failing(error, 9, tries), { layers }).retrieve('gopher://h/'))).toBe(error);
      expect(tries).toHaveLength(1);
    },
  );
});

describe('limit', () => {
  const layers = [limit({ maxBytes: 10 })];
  const retrieve = async (driver: Retrieve): Promise<Content> =>
    (await clientOf(driver, { layers }).retrieve('gopher://h/')) as Content;

  test('lets a body of just that length through', async () => {
    expect(await (await retrieve(octets(10))).body.bytes()).toHaveLength(10);
  });
  test('refuses a longer one that is announced, unread', async () => {
    expect(await failure(retrieve(octets(11)))).toMatchObject({ code: 'limit', url: 'gopher://h/' });
  });
  test.each([undefined, 5])('fails one that gets longer than the %s octets announced', async (size) => {
    const driver: Retrieve = async (request, access) => {
      const found = (await octets(11)(request, access)) as Content;
      return { ...found, body: createBody({ size, pump: (sink) => found.body.pipeTo(sink) }) };
    };
    expect(await failure((await retrieve(driver)).body.bytes())).toMatchObject({ code: 'limit', url: 'gopher://h/' });
  });
});

test('progress counts octets and tells the end', async () => {
  const told: Progress[] = [];
  const client = clientOf(octets(3), { layers: [progress((now) => told.push(now))] });
  await ((await client.retrieve('gopher://h/')) as Content).body.bytes();
  expect(told.map(({ octets, size, done }) => [octets, size, done])).toEqual([
    [1, 3, false],
    [2, 3, false],
    [3, 3, false],
    [3, 3, true],
  ]);
});

test('a gateway retrieves through another URL, without the credentials', async () => {
  const seen: RetrievalRequest[] = [];
  const client = createClient({
    drivers: [driverOf(referring({}, seen), ['http'])],
    layers: [gateway({ wais: 'http://gw.example/wais?' })],
  });
  await client.retrieve('wais://h/db?a b', { credentials: { user: 'u' } });
  expect(String(seen[0]!.url)).toMatch(/^http:\/\/gw\.example\/wais\?wais%3A/i);
  expect(seen[0]!.credentials).toBeUndefined();
  expect(await failure(client.retrieve('constructor://h/'))).toMatchObject({ code: 'unsupported' });
});
