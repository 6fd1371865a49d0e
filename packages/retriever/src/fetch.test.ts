import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  bodyOf,
  createBody,
  emptyBody,
  RetrievalError,
  type Driver,
  type Entry,
  type Metadata,
  type Retrieval,
  type RetrievalErrorCode,
  type RetrievalRequest,
} from '@retriever/driver';
import { describe, expect, test } from 'vitest';
import { createFetch, type Fetch, type FetchInit } from './fetch.ts';

const schemes = ['ftp', 'gopher', 'http', 'https', 'telnet', 'mailto', 'file'];

/** A fetch whose driver of all schemes answers as told; what it was asked is in `asked`. */
function fetching(answer: (request: RetrievalRequest, signal: AbortSignal) => Retrieval | Promise<Retrieval>): {
  fetch: Fetch;
  asked: RetrievalRequest[];
} {
  const asked: RetrievalRequest[] = [];
  const driver: Driver = {
    schemes,
    async retrieve(request, access) {
      asked.push(request);
      return answer(request, access.signal);
    },
  };
  return { fetch: createFetch({ drivers: [driver] }), asked };
}

const content = (text: string, metadata: Metadata = {}): Retrieval => ({
  kind: 'content',
  body: bodyOf(Buffer.from(text)),
  metadata,
});

const refusing = (code: RetrievalErrorCode, message = 'the server said no', options = {}): Fetch =>
  fetching(() => {
    throw new RetrievalError(code, message, options);
  }).fetch;

async function failure(promise: Promise<unknown>): Promise<{ name: string; message: string; cause?: unknown }> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('it did not fail');
}

describe('a data object', () => {
  test('is a genuine Response with what is known as header fields', async () => {
    const modified = new Date('2024-02-03T04:05:06Z');
    const { fetch } = fetching(() =>
      content('hello', { mediaType: 'text/plain', charset: 'utf-8', size: 5, modified, etag: '"x"' }),
    );
    const response = await fetch('ftp://user:secret@h/file');
    expect(response).toBeInstanceOf(Response);
    expect([response.status, response.ok, response.redirected, response.url]).toEqual([
      200,
      true,
      false,
      'ftp://user:***@h/file',
    ]);
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '5',
      'last-modified': 'Sat, 03 Feb 2024 04:05:06 GMT',
      etag: '"x"',
    });
    const copy = response.clone();
    expect([copy.url, await copy.text(), await response.text()]).toEqual(['ftp://user:***@h/file', 'hello', 'hello']);
    expect(() => response.entries()).toThrow(TypeError);
  });
  test('takes a WHATWG URL, a parsed URL and a wrapped one, none of which is a redirect', async () => {
    const { fetch, asked } = fetching(() => content(''));
    for (const url of [new URL('ftp://h/x'), '<URL:ftp://h/x>']) expect((await fetch(url)).redirected).toBe(false);
    expect((await fetch(asked[0]!.url)).redirected).toBe(false);
    expect(asked.map(({ url }) => String(url))).toEqual(['ftp://h/x', 'ftp://h/x', 'ftp://h/x']);
  });
  test('of a part is 206', async () => {
    const { fetch, asked } = fetching(({ range }) =>
      content('ell', range ? { range: { start: 1, end: 3 }, size: 5 } : {}),
    );
    const response = await fetch('ftp://h/x', { headers: { Range: 'bytes=1-3' } });
    expect([response.status, response.headers.get('content-range'), response.headers.get('content-length')]).toEqual([
      206,
      'bytes 1-3/5',
      '3',
    ]);
    expect(asked[0]!.range).toEqual({ start: 1, end: 3 });
  });
  test('that did not change is 304, without a body', async () => {
    const { fetch, asked } = fetching(() => ({ kind: 'content', body: emptyBody(), metadata: { notModified: true } }));
    const response = await fetch('ftp://h/x', { headers: { 'If-Modified-Since': 'Sat, 03 Feb 2024 04:05:06 GMT' } });
    expect([response.status, response.body]).toEqual([304, null]);
    expect(asked[0]!.ifModifiedSince).toEqual(new Date('2024-02-03T04:05:06Z'));
  });
  test('asked for with HEAD has no body', async () => {
    const cancelled: unknown[] = [];
    const { fetch, asked } = fetching(() => ({
      kind: 'content',
      body: createBody({ pump: async () => undefined, cancel: () => void cancelled.push(1) }),
      metadata: { size: 7 },
    }));
    const response = await fetch('ftp://h/x', { method: 'head' });
    expect([response.body, response.headers.get('content-length'), cancelled.length, asked[0]!.metadataOnly]).toEqual([
      null,
      '7',
      1,
      true,
    ]);
  });
});

test.each<[string, object]>([
  ['bytes=5-', { range: { start: 5 } }],
  ['bytes=-5', { range: { suffix: 5 } }],
  ['BYTES=0-0', { range: { start: 0, end: 0 } }],
  ['bytes=5-2', { range: undefined }],
  ['bytes=1-2,4-5', { range: undefined }],
  ['bytes=-', { range: undefined }],
  ['lines=1-2', { range: undefined }],
])('Range: %s asks for %o', async (field, expected) => {
  const { fetch, asked } = fetching(() => content(''));
  await fetch('ftp://h/x', { headers: { range: field } });
  expect(asked[0]).toMatchObject(expected);
});

test("Authorization: Basic works on every scheme, any other is the server's affair", async () => {
  const { fetch, asked } = fetching(() => content(''));
  const basic = `Basic ${Buffer.from('me:a:b ü').toString('base64')}`;
  await fetch('ftp://h/x', { headers: { authorization: basic, 'x-other': '1' } });
  expect(asked[0]).toMatchObject({ credentials: { user: 'me', password: 'a:b ü' }, headers: [['x-other', '1']] });
  await fetch('http://h/x', { headers: { authorization: 'Bearer x' } });
  expect(asked[1]).toMatchObject({ credentials: undefined, headers: [['authorization', 'Bearer x']] });
});

describe('a refusal of the peer is a status', () => {
  test.each<[RetrievalErrorCode, number]>([
    ['not-found', 404],
    ['credentials', 401],
    ['refused', 403],
    ['range', 416],
    ['protocol', 502],
  ])('%s is %i', async (code, status) => {
    const fetch = refusing(code, 'RETR: 550 no\r\nsuch “file”', { reply: { code: 550, text: 'no such “file”' } });
    const response = await fetch('ftp://u:secret@h/x');
    expect([response.status, response.ok, response.url]).toEqual([status, false, 'ftp://u:***@h/x']);
    expect(response.statusText).toBe('RETR: 550 no??such ?file?');
    expect(await response.text()).toBe('no such “file”\n');
    expect(() => response.entries()).toThrow(TypeError);
    expect((await fetch('ftp://h/x', { method: 'HEAD' })).body).toBeNull();
  });
  test("for the time being it is 503 (FTP's 4yz and 421)", async () => {
    expect((await refusing('refused', 'busy', { temporary: true })('ftp://h/x')).status).toBe(503);
  });
  test("of an HTTP server it is the server's own, with its page", async () => {
    const { fetch, asked } = fetching(() => {
      const reply = { code: 418, text: "I'm a teapot" };
      return content('<h1>short and stout</h1>', {
        reply,
        refusal: new RetrievalError('refused', '418', { reply }),
        headers: [['Content-Type', 'text/html']],
      });
    });
    const response = await fetch('http://h/x');
    expect(asked[0]!.keepRefusal).toBe(true);
    expect([response.status, response.statusText, await response.text()]).toEqual([
      418,
      "I'm a teapot",
      '<h1>short and stout</h1>',
    ]);
  });
  test('of another protocol it never passes its reply code off as a status', async () => {
    const reply = { code: 550, text: 'no' };
    const { fetch } = fetching(() =>
      content('no', { reply, refusal: new RetrievalError('not-found', 'no', { reply }) }),
    );
    expect((await fetch('ftp://h/x')).status).toBe(404);
    const { fetch: other } = fetching(() => content('yes', { reply: { code: 350, text: 'go on' } }));
    expect((await other('ftp://h/x')).status).toBe(200);
  });
});

describe('a failure of network or policy is a TypeError with the truth as its cause', () => {
  test.each<RetrievalErrorCode>(['unreachable', 'timeout', 'incomplete', 'limit', 'unsupported', 'policy'])(
    '%s',
    async (code) => {
      const error = await failure(refusing(code)('ftp://u:secret@h/x'));
      expect(error).toBeInstanceOf(TypeError);
      expect(error.cause).toMatchObject({ name: 'RetrievalError', code, url: 'ftp://u:***@h/x' });
    },
  );
  test('a port of another protocol, a text that is no URL, a scheme nobody speaks', async () => {
    const { fetch } = fetching(() => content(''));
    expect((await failure(fetch('http://h:25/'))).cause).toMatchObject({ code: 'policy' });
    expect((await failure(fetch('no url'))).cause).toMatchObject({ name: 'UrlSyntaxError' });
    expect((await failure(fetch('afs://h/x'))).cause).toMatchObject({ code: 'unsupported' });
  });
  test('a method that does not retrieve', async () => {
    expect(await failure(fetching(() => content('')).fetch('http://h/', { method: 'POST' }))).toBeInstanceOf(TypeError);
  });
  test('a bug stays a bug', async () => {
    const bug = new RangeError('a bug');
    const { fetch } = fetching(() => {
      throw bug;
    });
    expect(await failure(fetch('ftp://h/'))).toBe(bug);
  });
  test.each<Retrieval>([
    { kind: 'service', host: 'h', port: 23, user: 'guest', open: () => Promise.reject(new Error('no')) },
    { kind: 'mailbox', address: 'a@b' },
  ])('what is no data object, with its advice: $kind', async (retrieval) => {
    const error = await failure(fetching(() => retrieval).fetch('telnet://guest:secret@h/'));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).not.toContain('secret');
    expect(error.cause).toMatchObject({
      code: 'not-an-object',
      retrieval: { kind: retrieval.kind },
      url: 'telnet://guest:***@h/',
    });
  });
});

describe('a hostile server', () => {
  test.each([0, 99, 100, 199, 600, 999, 1e9, -1, NaN])('with status %d is a bad gateway', async (code) => {
    const reply = { code, text: 'x' };
    const { fetch } = fetching(() =>
      content('x', { reply, refusal: new RetrievalError('refused', 'x', { reply }), headers: [] }),
    );
    expect((await fetch('http://h/')).status).toBe(502);
  });
  test.each([204, 205, 304])('with status %d has no body to send', async (code) => {
    const { fetch } = fetching(() =>
      content('smuggled', { reply: { code, text: 'x' }, headers: [], notModified: code === 304 }),
    );
    const response = await fetch('http://h/');
    expect([response.status, response.body]).toEqual([code, null]);
  });
  test('loses only the header fields that are none', async () => {
    const headers = [
      ['bad name', 'x'],
      ['', 'x'],
      ['x-ctl', 'a\r\nb'],
      ['x-nul', 'a\0b'],
      ['x-wide', '“'],
      ['x-good', 'é'],
      ['x-good', 'b'],
    ] as const;
    const { fetch } = fetching(() => content('', { headers, reply: { code: 200, text: 'été “\r\n\0' } }));
    const response = await fetch('http://h/');
    expect([...response.headers]).toEqual([['x-good', 'é, b']]);
    expect(response.statusText).toBe('été ??');
    const { fetch: other } = fetching(() =>
      content('', { mediaType: 'text/“x”', etag: 'a\nb', size: 0, charset: 'x\r\ny' }),
    );
    expect([...(await other('ftp://h/')).headers]).toEqual([['content-length', '0']]);
  });
});

describe('a reference', () => {
  const moving = () =>
    fetching(({ url }) =>
      String(url) === 'http://a/'
        ? {
            kind: 'reference',
            target: 'http://b/',
            body: bodyOf(Buffer.from('moved')),
            metadata: { reply: { code: 301, text: 'Moved' }, headers: [['Location', '/b']] },
          }
        : content('here'),
    ).fetch;

  test('is followed', async () => {
    const response = await moving()('http://a/');
    expect([response.url, response.redirected, await response.text()]).toEqual(['http://b/', true, 'here']);
  });
  test('is handed out with redirect "manual"', async () => {
    const response = await moving()('http://a/', { redirect: 'manual' });
    expect([response.status, response.headers.get('location'), response.redirected, await response.text()]).toEqual([
      301,
      '/b',
      false,
      'moved',
    ]);
  });
  test('of a protocol without statuses is 302 to its target', async () => {
    const { fetch } = fetching(() => ({ kind: 'reference', target: 'http://b/', metadata: {} }));
    const response = await fetch('gopher://h/hURL:x', { redirect: 'manual' });
    expect([response.status, response.headers.get('location'), response.body]).toEqual([302, 'http://b/', null]);
  });
  test('is a failure with redirect "error"', async () => {
    expect(await failure(moving()('http://a/', { redirect: 'error' }))).toBeInstanceOf(TypeError);
  });
  test.each(['file:///etc/passwd', 'gopher://h:7070/'])('to %s is refused', async (target) => {
    const { fetch, asked } = fetching(() => ({ kind: 'reference', target, metadata: {} }));
    expect((await failure(fetch('http://a/'))).cause).toMatchObject({ code: 'policy' });
    expect(asked).toHaveLength(1);
  });
});

const entry = (name: string, more: Partial<Entry> = {}): Entry => ({
  name,
  rawName: Buffer.from(name),
  kind: 'file',
  ...more,
});

describe('a listing', () => {
  let given = 0;
  let finished = 0;
  const listing = (
    entries: readonly Entry[],
    metadata: Metadata = { mediaType: 'text/gopher', size: 99 },
  ): Retrieval => {
    given = finished = 0;
    async function* generate() {
      try {
        for (const each of entries) {
          given += 1;
          yield each;
        }
      } finally {
        finished += 1;
      }
    }
    return { kind: 'listing', entries: generate(), body: bodyOf(Buffer.from('raw\r\n')), metadata };
  };
  const fetchListing = (entries: readonly Entry[], init?: FetchInit, url = 'gopher://u:secret@h/1') =>
    fetching(() => listing(entries)).fetch(url, init);
  const two = [
    entry('a', { url: 'gopher://h/0a', size: 3, modified: new Date(0) }),
    entry('\u00e9', { rawName: Uint8Array.of(0xe9) }),
  ];

  test('is JSON by default, odd names exact', async () => {
    const response = await fetchListing(two);
    expect([response.headers.get('content-type'), response.headers.get('content-length')]).toEqual([
      'application/json; charset=utf-8',
      null,
    ]);
    expect(await response.json()).toEqual([
      { name: 'a', kind: 'file', url: 'gopher://h/0a', size: 3, modified: '1970-01-01T00:00:00.000Z' },
      { name: 'é', kind: 'file', rawName: '6Q==' },
    ]);
    expect(await (await fetchListing([])).json()).toEqual([]);
  });
  test("is the server's own words on request", async () => {
    const response = await fetchListing(two, { headers: { accept: 'text/plain' } });
    expect([response.headers.get('content-type'), await response.text()]).toEqual(['text/plain', 'raw\r\n']);
  });
  test('is a page on request, in which names are text and scripts no links', async () => {
    const hostile = [
      entry('<script>alert(1)</script>', { url: 'gopher://h/0"><script>' }),
      entry('js', { url: 'javascript:alert(1)' }),
      entry('JS', { url: 'JaVaScRiPt:alert(1)' }),
      entry('space', { url: ' javascript:alert(1)' }),
      entry('tab', { url: 'java\tscript:alert(1)' }),
      entry('data', { url: 'data:text/html,x' }),
      entry('local', { url: 'file:///etc/passwd' }),
      entry('a & \'b\' "c"', { url: 'http://h/?a&b', size: 7 }),
      entry('bare'),
    ];
    const response = await fetchListing(hostile, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = await response.text();
    expect(html).not.toMatch(/<script|href="[^"]*(?:script:|data:|file:)/i);
    expect(html).not.toContain('secret');
    expect(html.match(/<a /g)).toHaveLength(2);
    expect(html).toContain('<a href="http://h/?a&amp;b">a &amp; &#39;b&#39; &quot;c&quot;</a> <small>7</small>');
    const local = await fetchListing(
      [entry('f', { url: 'file:///tmp/f' })],
      { headers: { accept: 'text/html' } },
      'file:///tmp/',
    );
    expect(await local.text()).toContain('<a href="file:///tmp/f">');
  });
  test('hands out its entries, typed, and all of them', async () => {
    const response = await fetchListing(two);
    await sleep(10);
    const names: string[] = [];
    for await (const { name } of response.entries()) names.push(name);
    expect(names).toEqual(['a', 'é']);
    expect(await failure(response.text())).toBeInstanceOf(TypeError);
  });
  test('does not hand out entries that its body has told', async () => {
    const response = await fetchListing(two);
    await response.text();
    await expect(async () => {
      for await (const _ of response.entries());
    }).rejects.toThrow(TypeError);
  });
  test('is made as it is read, and closed where the reader stops', async () => {
    const response = await fetchListing(Array.from({ length: 1000 }, (_, n) => entry(String(n))));
    await sleep(10);
    expect(given).toBe(0);
    const reader = response.body!.getReader();
    await reader.read();
    await reader.read();
    await sleep(10);
    expect(given).toBe(2);
    await reader.cancel();
    expect(finished).toBe(1);
  });
  test('that nobody reads is closed by cancelling the response', async () => {
    let cancelled = 0;
    const { fetch } = fetching(
      () =>
        ({
          ...(listing(two) as object),
          body: createBody({ pump: async () => undefined, cancel: () => void (cancelled += 1) }),
        }) as Retrieval,
    );
    await (await fetch('gopher://h/1')).body!.cancel();
    expect(cancelled).toBe(1);
  });
  test('cancelled while an entry is awaited closes at once', async () => {
    const { fetch } = fetching((_, signal) => ({
      kind: 'listing',
      entries: (async function* () {
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('closed'))));
        yield entry('never');
      })(),
      body: bodyOf(new Uint8Array()),
      metadata: {},
    }));
    const reader = (await fetch('gopher://h/1')).body!.getReader();
    const reading = reader.read();
    await reader.cancel();
    expect((await reading).done).toBe(true);
  });
  test('asked for with HEAD has no body', async () => {
    const response = await fetchListing(two, { method: 'HEAD' });
    expect([response.body, response.headers.get('content-type')]).toEqual([null, 'application/json; charset=utf-8']);
  });
  test('that fails in the middle fails its reader', async () => {
    const { fetch } = fetching(() => ({
      kind: 'listing',
      entries: (async function* () {
        yield entry('a');
        throw new RetrievalError('incomplete', 'it ended short');
      })(),
      body: bodyOf(new Uint8Array()),
      metadata: {},
    }));
    const error = await failure((await fetch('gopher://h/1')).text());
    expect(error).toBeInstanceOf(TypeError);
    expect(error.cause).toMatchObject({ code: 'incomplete' });
  });
});

describe('a body', () => {
  test('that ends short rejects reads as fetch itself rejects', async () => {
    const { fetch } = fetching(() => ({
      kind: 'content',
      body: createBody({
        pump: async (sink) => {
          await sink(Buffer.from('some'));
          throw new RetrievalError('incomplete', 'it ended short');
        },
      }),
      metadata: {},
    }));
    const error = await failure((await fetch('ftp://u:secret@h/')).text());
    expect(error).toBeInstanceOf(TypeError);
    expect(error.cause).toMatchObject({ code: 'incomplete', url: 'ftp://u:***@h/' });
  });
  test.each(['mid-body', 'before it is read', 'while the reader is slow'])(
    "aborted %s rejects with the signal's reason",
    async (when) => {
      const { fetch } = fetching(() => ({
        kind: 'content',
        body: createBody({
          pump: async (sink) => {
            for (;;) {
              await sink(Buffer.from('some'));
              await sleep(5);
            }
          },
        }),
        metadata: {},
      }));
      const controller = new AbortController();
      const response = await fetch('ftp://h/', { signal: controller.signal });
      const reason = new Error('enough');
      if (when === 'mid-body') {
        setTimeout(() => controller.abort(reason), 30);
        expect(await failure(response.text())).toBe(reason);
        return;
      }
      const reader = response.body!.getReader();
      if (when === 'while the reader is slow') await reader.read();
      controller.abort(reason);
      await sleep(5);
      expect(await failure(reader.read())).toBe(reason);
    },
  );
  test('is read by BYOB readers', async () => {
    const { fetch } = fetching(() => content('hello'));
    const reader = (await fetch('ftp://h/')).body!.getReader({ mode: 'byob' });
    const { value } = await reader.read(new Uint8Array(3));
    expect(Buffer.from(value!).toString()).toBe('hel');
    await reader.cancel();
  });
  test('that completes as its reader cancels harms nobody', async () => {
    const complete = Promise.withResolvers<void>();
    const { fetch } = fetching(() => ({
      kind: 'content',
      body: createBody({
        pump: async (sink) => {
          await sink(Buffer.from('all'));
          await complete.promise;
        },
        cancel: () => complete.resolve(),
      }),
      metadata: {},
    }));
    const reader = (await fetch('ftp://h/')).body!.getReader();
    await reader.read();
    const next = reader.read();
    await reader.cancel();
    expect((await next).done).toBe(true);
  });
  test('aborted before the answer rejects with the reason', async () => {
    const { fetch } = fetching(() => new Promise<never>(() => undefined));
    expect(await failure(fetch('ftp://h/', { signal: AbortSignal.abort('no') }))).toBe('no');
    const signal = AbortSignal.timeout(20);
    expect(await failure(fetch('ftp://h/', { signal }))).toBe(signal.reason);
  });
});

test('over the real HTTP driver: a redirect, an odd status, a page', async () => {
  const answers: Readonly<Record<string, string>> = {
    '/a': 'HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n',
    '/b': 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nhi',
    '/odd': 'HTTP/1.1 999 Denied\r\nContent-Length: 2\r\n\r\nno',
    '/gone': 'HTTP/1.1 404 Gone Fishing\r\nContent-Length: 4\r\n\r\nnone',
  };
  const server = createServer((socket) => {
    socket.on('data', (head) => socket.write(answers[/^\S+ (\S+)/.exec(String(head))![1]!]!));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fetch = createFetch();
  const moved = await fetch(`${origin}/a`);
  expect([moved.url, moved.status, moved.redirected, await moved.text()]).toEqual([`${origin}/b`, 200, true, 'hi']);
  expect((await fetch(`${origin}/odd`)).status).toBe(502);
  const gone = await fetch(`${origin}/gone`);
  expect([gone.status, gone.statusText, await gone.text()]).toEqual([404, 'Gone Fishing', 'none']);
  server.close();
});
