import { RetrievalError } from '@retriever/driver';
import { afterEach, describe, expect, test } from 'vitest';
import { response, webPeer, type Reply } from '../testing/web-peer.ts';
import { readAhead } from './exchange.ts';

const octets = Buffer.alloc(5_000_000, 'abcdefghijk');
const chunked = (...chunks: string[]): string =>
  `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')}`;

describe('a body', () => {
  test('comes whole, by its length, in chunks, or to the end of the connection (RFC 9112 §6.3)', async () => {
    await using web = await webPeer([
      response('200 OK', [], 'by length'),
      `${chunked('in ', 'chunks')}0\r\nX-Trailer: 1\r\n\r\n`,
      { octets: 'HTTP/1.1 200 OK\r\n\r\nto the end', after: 'end' },
    ]);
    expect(await (await web.content()).body.text()).toBe('by length');
    const second = await web.content();
    expect(second.body.size).toBeUndefined();
    expect(await second.body.text()).toBe('in chunks');
    expect(await (await web.content()).body.text()).toBe('to the end');
    expect(web.peer.connections).toBe(1);
    expect(web.access.idle.size).toBe(0);
  });

  test('is understood octet by octet, in chunks too', async () => {
    await using web = await webPeer([`${chunked('in ', 'chunks')}0\r\n\r\n`], { octetByOctet: true });
    expect(await (await web.content()).body.text()).toBe('in chunks');
  });

  test('waits for its reader: no more than a little is read ahead', async () => {
    await using web = await webPeer([response('200 OK', [], octets)]);
    const { body } = await web.content();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const ahead = web.access.sockets[0]!.bytesRead;
    expect(ahead).toBeLessThan(readAhead + 512 * 1024);
    let reading = 0;
    let most = 0;
    let got = 0;
    await body.pipeTo(async (chunk) => {
      most = Math.max(most, (reading += 1));
      await new Promise((resolve) => setImmediate(resolve));
      got += chunk.length;
      reading -= 1;
    });
    expect(got).toBe(octets.length);
    expect(most).toBe(1);
    expect(web.access.idle.size).toBe(1);
  });

  test('is what came, though it came before its reader in many pieces', async () => {
    await using web = await webPeer([response('200 OK', [], 'piece by piece')], { octetByOctet: true });
    const { body } = await web.content();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await body.text()).toBe('piece by piece');
  });

  test('is complete by its length, though the server closes while the reader takes its time over the last octets', async () => {
    await using web = await webPeer([{ octets: response('200 OK', [], octets), after: 'end' }]);
    const { body } = await web.content();
    let got = 0;
    await body.pipeTo(async (chunk) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      got += chunk.length;
      if (got === octets.length) await new Promise((resolve) => setTimeout(resolve, 100));
    });
    expect(got).toBe(octets.length);
    expect(web.access.idle.size).toBe(0);
  });

  test('is the same through every way of reading it', async () => {
    await using web = await webPeer([1, 2, 3].map(() => response('200 OK', [], octets)));
    expect(Buffer.from(await (await web.content()).body.bytes()).equals(octets)).toBe(true);
    expect(Buffer.from(await new Response((await web.content()).body.stream()).arrayBuffer()).equals(octets)).toBe(
      true,
    );
    const parts: Uint8Array[] = [];
    for await (const part of (await web.content()).body) parts.push(part);
    expect(Buffer.concat(parts).equals(octets)).toBe(true);
    expect(web.peer.connections).toBe(1);
  });

  test.each<[string, Reply]>([
    ['a length that is not reached', { octets: 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort', after: 'end' }],
    [
      'the same on a connection to be closed',
      { octets: 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 10\r\n\r\nshort', after: 'end' },
    ],
    ['the same with a reset', { octets: 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort', after: 'reset' }],
    ['no body at all', { octets: 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n', after: 'end' }],
    ['chunks without the last', { octets: chunked('abc'), after: 'end' }],
    [
      'the same on a connection to be closed',
      { octets: chunked('abc').replace('Tr', 'Connection: close\r\nTr'), after: 'end' },
    ],
    ['half a chunk', { octets: chunked('abcdef').slice(0, -4), after: 'end' }],
    ['half a chunk and a reset', { octets: chunked('abcdef').slice(0, -4), after: 'reset' }],
    ['an end in the trailer', { octets: `${chunked('abc')}0\r\nX: `, after: 'end' }],
    [
      'a reset where the end of the connection ends it (RFC 9112 §8)',
      { octets: 'HTTP/1.1 200 OK\r\n\r\nsome', after: 'reset' },
    ],
  ])('fails as incomplete with %s', async (_what, reply) => {
    await using web = await webPeer([reply]);
    expect(await web.failure()).toMatchObject({ code: 'incomplete', temporary: true });
    expect(web.access.idle.size).toBe(0);
  });

  test('fails as incomplete when somebody closes the socket while the connection’s end would end it', async () => {
    await using web = await webPeer(['HTTP/1.1 200 OK\r\n\r\nsome']);
    const { body } = await web.content();
    await expect(body.pipeTo(() => void web.access.sockets[0]!.destroy())).rejects.toMatchObject({
      code: 'incomplete',
    });
  });

  test.each<[string, string]>([
    ['a chunk size that is none', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nabc\r\n0\r\n\r\n'],
    ['a chunk longer than it says', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n'],
  ])('fails as a breach of protocol with %s', async (_what, reply) => {
    await using web = await webPeer([reply]);
    expect((await web.failure()).code).toBe('protocol');
    await web.peer.drained();
  });

  test('keeps what came before it failed', async () => {
    await using web = await webPeer([{ octets: 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort', after: 'end' }]);
    let got = '';
    await expect(
      (await web.content()).body.pipeTo((chunk) => void (got += Buffer.from(chunk).toString())),
    ).rejects.toThrow();
    expect(got).toBe('short');
  });

  test('of a caller whose sink throws closes the connection', async () => {
    await using web = await webPeer([response('200 OK', [], octets), response('200 OK', [], octets)]);
    const error = new Error('disk full');
    await expect((await web.content()).body.pipeTo(() => Promise.reject(error))).rejects.toBe(error);
    let calls = 0;
    const throwing = (): void => {
      calls += 1;
      throw error;
    };
    await expect((await web.content()).body.pipeTo(throwing)).rejects.toBe(error);
    await web.peer.drained();
    expect(calls).toBe(1);
  });
});

describe('a head', () => {
  test.each<[string, string]>([
    ['another protocol', '220 ftp.example ready\r\n'],
    ['two lengths that differ', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef'],
    ['a length that is none', 'HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\nabcde'],
    ['a negative length', 'HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nabcde'],
    ['a transfer coding nobody asked for', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    ['a bare CR in a value', 'HTTP/1.1 200 OK\r\nX: a\rb\r\nContent-Length: 0\r\n\r\n'],
    ['a NUL in a value', 'HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n'],
    [
      'a protocol switch nobody asked for',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    ],
  ])('with %s is a breach of protocol', async (_what, reply) => {
    await using web = await webPeer([reply]);
    expect((await web.failure()).code).toBe('protocol');
    await web.peer.drained();
  });

  test.each<[string, string, string | undefined]>([
    ['lone LFs as line ends (RFC 9112 §2.2)', 'HTTP/1.1 200 OK\nX: a b\nContent-Length: 2\n\nhi', 'a b'],
    ['line ends of both kinds', 'HTTP/1.1 200 OK\r\nX: a b\nContent-Length: 2\r\n\nhi', 'a b'],
    ['empty lines before it', '\r\n\nHTTP/1.1 200 OK\r\nX: a b\r\nContent-Length: 2\r\n\r\nhi', 'a b'],
    ['a folded field (RFC 9112 §5.2)', 'HTTP/1.1 200 OK\r\nX: a\r\n \tb\r\nContent-Length:\r\n 2\r\n\r\nhi', 'a b'],
    ['a space before the colon', 'HTTP/1.1 200 OK\r\nX : a b\r\nContent-Length : 2\r\n\r\nhi', 'a b'],
    [
      'one length twice (RFC 9110 §8.6)',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nhi',
      undefined,
    ],
    ['one length twice in a list', 'HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nhi', undefined],
    ['spaces between its parts', 'http/1.1  200  OK\r\nContent-Length: 2\r\n\r\nhi', undefined],
    [
      'a 100 before it',
      'HTTP/1.1 100 Continue\r\nX: y\r\n\r\nHTTP/1.1 100\n\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi',
      undefined,
    ],
  ])('may have %s', async (_what, reply, x) => {
    for (const octetByOctet of [false, true]) {
      await using web = await webPeer([reply, response('200 OK', [], 'next')], { octetByOctet });
      const { body, metadata } = await web.content();
      expect(await body.text()).toBe('hi');
      expect(metadata.headers?.find(([name]) => name === 'X')?.[1]).toBe(x);
      expect(metadata.headers?.some(([, value]) => value === 'y')).toBe(false);
      expect(await (await web.content()).body.text()).toBe('next');
      expect(web.peer.connections).toBe(1);
    }
  });

  test('with a length and chunks goes by the chunks, and closes the connection (RFC 9112 §6.3)', async () => {
    await using web = await webPeer([
      'HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n',
      response('200 OK', [], 'next'),
    ]);
    expect(await (await web.content()).body.text()).toBe('hi');
    expect(await (await web.content()).body.text()).toBe('next');
    expect(web.peer.connections).toBe(2);
  });

  test('is told as it came, with those of interim responses', async () => {
    await using web = await webPeer([
      'HTTP/1.1 100 Continue\r\nA:  b \r\n\r\nHTTP/1.1 200\r\nX:y\r\n z\r\nContent-Length: 0\r\n\r\n',
    ]);
    expect((await web.content()).metadata.heads).toEqual([
      ['HTTP/1.1 100 Continue', 'A:  b '],
      ['HTTP/1.1 200', 'X:y', ' z', 'Content-Length: 0'],
    ]);
    expect(web.lines('received')).toEqual([
      'HTTP/1.1 100 Continue',
      'A:  b ',
      'HTTP/1.1 200',
      'X:y',
      ' z',
      'Content-Length: 0',
    ]);
  });

  test.each<[string, string]>([
    ['one field without end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}`],
    ['many fields', `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(4000)}\r\n`],
    ['a reason phrase without end', `HTTP/1.1 200 ${'x'.repeat(100_000)}`],
    ['interim responses without end', 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'.repeat(5000)],
    ['trailer fields without end', `${chunked('abc')}0\r\n${'X: y\r\n'.repeat(5000)}`],
  ])('is limited: %s', async (_what, reply) => {
    await using web = await webPeer([reply], { driver: { maxHeaderBytes: 8192 } });
    expect((await web.failure()).code).toBe('limit');
    await web.peer.drained();
  });

  test('is limited octet by octet too', async () => {
    await using web = await webPeer([`HTTP/1.1 200 ${'x'.repeat(1000)}`], {
      driver: { maxHeaderBytes: 300 },
      octetByOctet: true,
    });
    expect((await web.failure()).code).toBe('limit');
  });

  test('may come in one packet with a long body', async () => {
    await using web = await webPeer([response('200 OK', ['X: y'], 'x'.repeat(30_000))], {
      driver: { maxHeaderBytes: 200 },
    });
    expect((await (await web.content()).body.bytes()).length).toBe(30_000);
  });

  test('that does not come is incomplete', async () => {
    await using web = await webPeer([
      { octets: '', after: 'end' },
      { octets: 'HTTP/1.1 200 O', after: 'end' },
      { octets: '', after: 'reset' },
    ]);
    for (let n = 0; n < 3; n += 1) expect(await web.failure()).toMatchObject({ code: 'incomplete', temporary: true });
    expect(web.peer.connections).toBe(3);
  });

  test('of interim responses is passed over', async () => {
    await using web = await webPeer([
      Buffer.concat([
        Buffer.from('HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'),
        response('200 OK', [], 'x'),
      ]),
    ]);
    const { metadata, body } = await web.content();
    expect(metadata.reply?.code).toBe(200);
    expect(metadata.headers).toEqual([['Content-Length', '1']]);
    expect(await body.text()).toBe('x');
  });
});

describe('a connection', () => {
  test('serves one request after another', async () => {
    await using web = await webPeer([
      response('200 OK', [], 'a'),
      response('404 Not Found'),
      response('200 OK', [], 'b'),
    ]);
    expect(await (await web.content('/a')).body.text()).toBe('a');
    expect((await web.failure('/b')).code).toBe('not-found');
    expect(await (await web.content('/c')).body.text()).toBe('b');
    expect(web.peer.connections).toBe(1);
  });

  test('is not used again when the server closes it, or the body was not read out', async () => {
    await using web = await webPeer([
      response('200 OK', ['Connection: close'], 'a'),
      { octets: 'HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nb', after: 'end' },
      response('200 OK', [], octets),
      response('200 OK', [], 'd'),
    ]);
    expect(await (await web.content()).body.text()).toBe('a');
    expect(await (await web.content()).body.text()).toBe('b');
    await (await web.content()).body.cancel();
    expect(await (await web.content()).body.text()).toBe('d');
    expect(web.peer.connections).toBe(4);
  });

  test('that died while idle is replaced, once it is tried (RFC 9112 §9.3.1)', async () => {
    await using web = await webPeer([
      response('200 OK', [], 'a'),
      { octets: '', after: 'end' },
      response('200 OK', [], 'b'),
    ]);
    expect(await (await web.content()).body.text()).toBe('a');
    expect(await (await web.content()).body.text()).toBe('b');
    expect(web.peer.connections).toBe(2);
  });

  test('that is reset while idle is replaced too', async () => {
    await using web = await webPeer([
      response('200 OK', [], 'a'),
      { octets: '', after: 'reset' },
      response('200 OK', [], 'b'),
    ]);
    expect(await (await web.content()).body.text()).toBe('a');
    expect(await (await web.content()).body.text()).toBe('b');
  });

  test('that is new is not tried twice', async () => {
    await using web = await webPeer([{ octets: '', after: 'end' }, response('200 OK')]);
    expect((await web.failure()).code).toBe('incomplete');
    expect(web.peer.connections).toBe(1);
  });

  test('that died within an answer is not tried twice', async () => {
    await using web = await webPeer([response('200 OK', [], 'a'), { octets: 'H', after: 'end' }, response('200 OK')]);
    await (await web.content()).body.bytes();
    expect((await web.failure()).code).toBe('incomplete');
    expect(web.peer.connections).toBe(1);
  });

  test('on which octets come unasked is given up, and they are nobody’s answer', async () => {
    await using web = await webPeer([
      Buffer.concat([response('200 OK', [], 'a'), response('200 OK', [], 'poison')]),
      response('200 OK', [], 'b'),
    ]);
    expect(await (await web.content()).body.text()).toBe('a');
    expect(await (await web.content()).body.text()).toBe('b');
    expect(web.peer.connections).toBe(2);
  });

  test('is one for each origin', async () => {
    await using web = await webPeer([response('200 OK'), response('200 OK')]);
    await (await web.content()).body.bytes();
    await (await web.content(web.url('/').replace('127.0.0.1', 'LOCALHOST'))).body.bytes();
    expect([...web.access.idle.keys()]).toEqual([
      `http://127.0.0.1:${web.peer.port}`,
      `http://localhost:${web.peer.port}`,
    ]);
  });
});

describe('an abort', () => {
  const reason = new Error('changed my mind');
  let controller = new AbortController();
  afterEach(() => (controller = new AbortController()));
  const soon = (): void => void setTimeout(() => controller.abort(reason), 20);

  test.each<[string, Reply[]]>([
    ['before any answer', []],
    ['within the head', ['HTTP/1.1 200 OK\r\nContent-Le']],
    ['after an interim response', ['HTTP/1.1 103 Early Hints\r\n\r\n']],
    ['within a refusal’s words', ['HTTP/1.1 404 Not Found\r\nContent-Length: 10\r\n\r\nshort']],
    ['within a redirection’s words', ['HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 10\r\n\r\nshort']],
    ['within a body of known length', ['HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort']],
    ['within a chunked body', [chunked('abc')]],
    ['within a body to the connection’s end', ['HTTP/1.1 200 OK\r\n\r\nsome']],
  ])('%s rejects with its reason and closes the connection', async (_what, replies) => {
    await using web = await webPeer(replies, { signal: controller.signal });
    soon();
    await expect(web.failure()).rejects.toBe(reason);
    await web.peer.drained();
  });

  test('between head and body rejects the body', async () => {
    await using web = await webPeer([response('200 OK', [], octets)], { signal: controller.signal });
    const { body } = await web.content();
    controller.abort(reason);
    await expect(body.bytes()).rejects.toBe(reason);
    await web.peer.drained();
  });

  test('while the reader takes its time rejects the body', async () => {
    await using web = await webPeer([response('200 OK', [], octets)], { signal: controller.signal });
    const { body } = await web.content();
    soon();
    await expect(body.pipeTo(() => new Promise((resolve) => setTimeout(resolve, 40)))).rejects.toBe(reason);
    await web.peer.drained();
  });

  test('before the start sends nothing', async () => {
    controller.abort(reason);
    await using web = await webPeer([], { signal: controller.signal });
    await expect(web.retrieve()).rejects.toBe(reason);
    expect(web.peer.connections).toBe(0);
  });
});

test('errors are RetrievalErrors', async () => {
  await using web = await webPeer([{ octets: 'noise', after: 'end' }]);
  expect(await web.failure()).toBeInstanceOf(RetrievalError);
});
