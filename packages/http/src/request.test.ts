import { readFile } from 'node:fs/promises';
import type { RetrievalRequest } from '@retriever/driver';
import { parse, type HttpUrl } from '@retriever/url';
import { describe, expect, test } from 'vitest';
import { response, webPeer } from '../testing/web-peer.ts';
import { httpRequest } from './request.ts';
import { version } from './version.ts';

const ok = response('200 OK', [], 'x');

function requestFor(url: string, more: Omit<RetrievalRequest, 'url'> = {}): ReturnType<typeof httpRequest> {
  return httpRequest({ url: parse(url) as HttpUrl, ...more }, 'agent', undefined);
}

describe('what goes out', () => {
  test('is the least there is to say, and what the trace says', async () => {
    await using web = await webPeer([ok]);
    await (await web.content('/a/b?c')).body.bytes();
    const lines = [
      'GET /a/b?c HTTP/1.1',
      `host: ${web.peer.host}:${web.peer.port}`,
      'connection: keep-alive',
      `User-Agent: retriever/${version}`,
      'Accept: */*',
    ];
    expect(web.peer.received).toBe(`${lines.join('\r\n')}\r\n\r\n`);
    expect(web.lines('sent')).toEqual(lines);
  });

  test('holds everything that was asked for, in the caller’s spelling, and the trace masks its secrets', async () => {
    await using web = await webPeer([ok], { driver: { userAgent: 'example/1.0' } });
    const more: Omit<RetrievalRequest, 'url'> = {
      range: { start: 5, end: 9 },
      ifRange: '"tag"',
      ifModifiedSince: new Date(0),
      accept: 'text/plain',
      credentials: { user: 'alice', password: 'wonderland' },
      headers: [
        ['X-One', 'a'],
        ['x-one', 'b'],
        ['Cookie', 'sid=secret'],
        ['Referer', 'http://u:secret@h/'],
      ],
    };
    await (await web.content('/', more)).body.bytes();
    const rest = (authorization: string, cookie: string, referrer: string): string[] => [
      'GET / HTTP/1.1',
      `host: ${web.peer.host}:${web.peer.port}`,
      'connection: keep-alive',
      'User-Agent: example/1.0',
      'Accept: text/plain',
      'Range: bytes=5-9',
      'If-Range: "tag"',
      'If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT',
      `Authorization: ${authorization}`,
      'X-One: a',
      'x-one: b',
      `Cookie: ${cookie}`,
      `Referer: ${referrer}`,
    ];
    const sent = rest('Basic YWxpY2U6d29uZGVybGFuZA==', 'sid=secret', 'http://u:secret@h/');
    expect(web.peer.received).toBe(`${sent.join('\r\n')}\r\n\r\n`);
    expect(web.lines('sent')).toEqual(rest('***', '***', 'http://u:***@h/'));
  });

  test('is HEAD on a connection that is closed afterwards, when only metadata is wanted', async () => {
    await using web = await webPeer(['HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n']);
    const { body, metadata } = await web.content('/', { metadataOnly: true });
    expect(metadata.size).toBe(1000);
    expect(await body.text()).toBe('');
    expect(web.peer.received.split('\r\n').slice(0, -2)).toEqual(web.lines('sent'));
    expect(web.lines('sent').slice(0, 3)).toEqual(['HEAD / HTTP/1.1', expect.any(String), 'connection: close']);
    await web.peer.drained();
  });

  test.each([{ range: { start: 7 } }, { range: { suffix: 7 } }])(
    'asks for an open range (RFC 9110 §14.1.2): %j',
    ({ range }) => {
      const asked = 'suffix' in range ? 'bytes=-7' : 'bytes=7-';
      expect(requestFor('http://h/', { range }).fields).toContainEqual(['Range', asked]);
    },
  );

  test('offers codings only when asked to, and never with a range', () => {
    const named = (more: Omit<RetrievalRequest, 'url'>): unknown =>
      requestFor('http://h/', more).fields.find(([name]) => name === 'Accept-Encoding');
    expect(named({})).toBeUndefined();
    expect(named({ compressed: true })).toEqual(['Accept-Encoding', 'zstd, br, gzip, deflate']);
    expect(named({ compressed: true, range: { start: 0 } })).toBeUndefined();
  });

  test('lets the caller’s fields stand in for its own, Host included', () => {
    const headers = [
      ['user-agent', 'mine'],
      ['ACCEPT', 'x/y'],
      ['host', 'other'],
    ] as const;
    const { fields, lines } = requestFor('http://h/', { headers });
    expect(fields).toEqual(headers);
    expect(lines[1]).toBe('host: other');
  });

  test.each([
    ['http://h', '/'],
    ['http://h/', '/'],
    ['http://h?q', '/?q'],
    ['http://h/a/../b/./c%2e%2E/', '/a/../b/./c%2e%2E/'],
    ['http://h//a//b', '//a//b'],
    ['http://h/%zz%', '/%zz%'],
    ["http://h/~a[b]|c!$'()*,;:@&=+", "/~a[b]|c!$'()*,;:@&=+"],
    ['http://h/a b?c d', '/a%20b?c%20d'],
    ['http://h/ä€😀?ä', '/%C3%A4%E2%82%AC%F0%9F%98%80?%C3%A4'],
    ['http://h/a\\b?c\\d', '/a%5Cb?c\\d'],
    ['http://h/"{}`^?"{}`^', '/%22%7B%7D%60%5E?%22{}`^'],
    ['http://h/a%0D%0Ab', '/a%0D%0Ab'],
    ['http://h/p#fragment', '/p'],
  ])('is the path as it is written: %s', (url, target) => {
    expect(requestFor(url).target).toBe(target);
  });

  test.each([
    ['http://Example.ORG/', 'Example.ORG'],
    ['http://h:80/', 'h'],
    ['https://h:443/', 'h'],
    ['https://h:80/', 'h:80'],
    ['http://h:8080/', 'h:8080'],
    ['http://[::1]:8080/', '[::1]:8080'],
    ['http://[fe80::1%25eth0]/', '[fe80::1]'],
    ['http://user:password@h/', 'h'],
    ['http://bücher.example/', 'xn--bcher-kva.example'],
  ])('names the host (RFC 9110 §7.2): %s', (url, host) => {
    expect(requestFor(url).fields[0]).toEqual(['Host', host]);
  });
});

describe('refused before anything is sent (RFC 1738 §6)', () => {
  test.each([
    ['CR LF in a value', [['X', 'a\r\nY: b']]],
    ['a lone LF', [['X', 'a\nb']]],
    ['NUL', [['X', 'a\0']]],
    ['characters that a latin1 socket folds to CR LF', [['X', 'a\u010d\u010ab']]],
    ['CR LF in a name', [['X: a\r\nY', 'b']]],
    ['an empty name', [['', 'b']]],
    ['a name with a colon', [['X:', 'b']]],
    ['framing', [['Transfer-Encoding', 'chunked']]],
    ['a length', [['content-length', '5']]],
    ['connection options', [['Connection', 'close']]],
    ['an upgrade', [['Upgrade', 'h2c']]],
  ] as [string, [string, string][]][])('%s', async (_what, headers) => {
    await using web = await webPeer([ok]);
    expect((await web.failure('/', { headers })).code).toBe('policy');
    expect(web.peer.connections).toBe(0);
  });

  test('CR, LF and NUL in the URL, should a URL hold them', () => {
    for (const path of ['a\r\nb', 'a\nb', 'a\0b']) {
      const url = { ...parse('http://h/'), path } as HttpUrl;
      expect(() => httpRequest({ url }, 'agent', undefined)).toThrow(expect.objectContaining({ code: 'policy' }));
    }
  });

  test.each([{ start: 5, end: 4 }, { start: -1 }, { start: 1.5 }, { start: 2 ** 60 }, { suffix: 0 }, { suffix: -3 }])(
    'the impossible range %j',
    async (range) => {
      await using web = await webPeer([ok]);
      expect((await web.failure('/', { range })).code).toBe('range');
      expect(web.peer.connections).toBe(0);
    },
  );
});

test('the version is the package’s', async () => {
  const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(version).toBe(manifest.version);
});
