/** The driver against a scripted peer: what goes out, what comes back, what is closed. */
import { RetrievalError, type Content, type Entry, type Listing, type RetrievalRequest } from '@retriever/driver';
import {
  driverConformance,
  scriptedPeer,
  testAccess,
  type PeerScript,
  type ScriptedPeer,
  type TestAccess,
} from '@retriever/driver/testing';
import { parse, type GopherUrl } from '@retriever/url';
import { describe, expect, test } from 'vitest';
import { gopher, type GopherOptions } from './index.ts';

/** Answers every request with the same octets and closes, as a gopher server does. */
const answer =
  (octets: string | Uint8Array): PeerScript =>
  async (connection) => {
    await connection.line();
    await connection.send(octets);
  };

/** Answers, then breaks the connection. */
const answerAndReset =
  (octets: string): PeerScript =>
  async (connection) => {
    await connection.line();
    await connection.send(octets);
    await new Promise((resolve) => setTimeout(resolve, 20));
    connection.reset();
    await new Promise(() => undefined);
  };

interface Scene extends AsyncDisposable {
  readonly peer: ScriptedPeer;
  readonly access: TestAccess;
  content(path: string, request?: Partial<RetrievalRequest>): Promise<Content>;
  listing(path: string, request?: Partial<RetrievalRequest>): Promise<Listing>;
}

async function scene(script: PeerScript, options: GopherOptions = {}): Promise<Scene> {
  const peer = await scriptedPeer(script);
  const access = testAccess();
  const retrieve = (path: string, request: Partial<RetrievalRequest> = {}): ReturnType<typeof driver.retrieve> =>
    driver.retrieve({ ...request, url: parse(`gopher://127.0.0.1:${peer.port}${path}`) as GopherUrl }, access);
  const driver = gopher(options);
  return {
    peer,
    access,
    async content(path, request) {
      const retrieval = await retrieve(path, request);
      if (retrieval.kind !== 'content') throw new Error(`a ${retrieval.kind}`);
      return retrieval;
    },
    async listing(path, request) {
      const retrieval = await retrieve(path, request);
      if (retrieval.kind !== 'listing') throw new Error(`a ${retrieval.kind}`);
      return retrieval;
    },
    async [Symbol.asyncDispose]() {
      access.close();
      await peer[Symbol.asyncDispose]();
    },
  };
}

async function all(entries: AsyncIterable<Entry>): Promise<Entry[]> {
  const found: Entry[] = [];
  for await (const entry of entries) found.push(entry);
  return found;
}

const notesOf = (access: TestAccess): string[] =>
  access.events.flatMap((event) => (event.type === 'note' ? [event.text] : []));

const menu = 'iHi\t\terror.host\t1\r\n0About\t/about\texample.org\t70\r\n7Find\t/find\texample.org\t70\r\n.\r\n';
const binary = Uint8Array.from({ length: 100_000 }, (_, n) => (n * 7) % 256);

describe('a text', () => {
  const check = driverConformance({
    driver: gopher(),
    url: ({ host, port }) => `gopher://${host}:${port}/0/about`,
    serve: answer('one\r\n..two\r\n.three\r\n.\r\n'),
    serveShort: answerAndReset('one\r\n'),
    hostileUrl: ({ host, port }) => `gopher://${host}:${port}/0/about%0D%0Aevil`,
    kind: 'content',
    octets: Buffer.from('one\r\n.two\r\n.three\r\n'),
  });
  for (const { name, run } of check) test(name, run);
});

describe('an object', () => {
  const check = driverConformance({
    driver: gopher(),
    url: ({ host, port }) => `gopher://${host}:${port}/9/object`,
    serve: answer(Buffer.concat([Buffer.from('..a\r\n.\r\n'), binary.subarray(0, 2000), Buffer.from('\r\n.\r\n')])),
    serveShort: answerAndReset('one\r\n'),
    hostileUrl: ({ host, port }) => `gopher://${host}:${port}/9/a%09%09+%0Aevil`,
    kind: 'content',
    octets: Buffer.concat([Buffer.from('..a\r\n.\r\n'), binary.subarray(0, 2000), Buffer.from('\r\n.\r\n')]),
  });
  for (const { name, run } of check) test(name, run);
});

describe('a menu', () => {
  const check = driverConformance({
    driver: gopher(),
    url: ({ host, port }) => `gopher://${host}:${port}`,
    serve: answer(menu),
    serveShort: answerAndReset('0About\t/about\texample.org\t70\r\n0Mo'),
    hostileUrl: ({ host, port }) => `gopher://${host}:${port}/1%00`,
    kind: 'listing',
    names: ['Hi', 'About', 'Find'],
  });
  for (const { name, run } of check) test(name, run);
});

describe('a search', () => {
  const check = driverConformance({
    driver: gopher(),
    url: ({ host, port }) => `gopher://${host}:${port}/7/find?words`,
    serve: async (connection) => {
      const [selector, words] = (await connection.line()).split('\t');
      await connection.send(`0${words} in ${selector}\t/hit\texample.org\t70\r\n.\r\n`);
    },
    serveShort: answerAndReset('0a hit\t/hi'),
    hostileUrl: ({ host, port }) => `gopher://${host}:${port}/7/find?a%0Db`,
    kind: 'listing',
    names: ['words in /find'],
  });
  for (const { name, run } of check) test(name, run);
});

describe('items that need no connection', () => {
  const reference = driverConformance({
    driver: gopher(),
    url: ({ host, port }) => `gopher://${host}:${port}/hURL:https://www.example/`,
    kind: 'reference',
  });
  for (const { name, run } of reference) test(`a URL: item ${name}`, run);

  const service = driverConformance({
    driver: gopher(),
    url: ({ host, port }) => `gopher://${host}:${port}/8guest`,
    kind: 'service',
  });
  for (const { name, run } of service) test(`a telnet item ${name}`, run);

  test('a URL: item leads to its target', async () => {
    const url = parse('gopher://h.example/hURL:https://www.example/a%3Fb') as GopherUrl;
    expect(await gopher().retrieve({ url }, testAccess())).toEqual({
      kind: 'reference',
      target: 'https://www.example/a?b',
      metadata: {},
    });
  });

  test('a URL: item with a hostile target is left to the server, never followed', async () => {
    await using stage = await scene(answer('<html>no</html>'));
    const content = await stage.content('/hURL:javascript:alert(1)');
    expect(content.metadata.mediaType).toBe('text/html');
    expect(await content.body.text()).toBe('<html>no</html>');
    expect(stage.peer.received).toBe('URL:javascript:alert(1)\r\n');
  });

  test('a telnet item advises its selector as the login name, and opens', async () => {
    await using stage = await scene(answer('login: '));
    const url = parse(`gopher://127.0.0.1:${stage.peer.port}/8guest`) as GopherUrl;
    const service = await gopher().retrieve({ url }, stage.access);
    expect(service).toMatchObject({ kind: 'service', host: '127.0.0.1', port: stage.peer.port, user: 'guest' });
    if (service.kind !== 'service') return;
    expect(stage.peer.connections).toBe(0);
    (await service.open()).destroy();
    expect(stage.access.sockets).toHaveLength(1);
  });
});

describe('what is read', () => {
  test('the media type comes from the item type', async () => {
    await using stage = await scene(answer('GIF89a'));
    expect((await stage.content('/g/x')).metadata).toEqual({ mediaType: 'image/gif' });
  });

  test('an object passes octet for octet', async () => {
    await using stage = await scene(answer(binary));
    const { body } = await stage.content('/9/x');
    expect(Buffer.compare(await body.bytes(), binary)).toBe(0);
    await stage.peer.drained();
  });

  test("a menu's body is the server's text without its dots", async () => {
    await using stage = await scene(answer(`..\t/\r\n${menu}`));
    const { body } = await stage.listing('/1/');
    expect(await body.text()).toBe(`.\t/\r\n${menu.slice(0, -3)}`);
    await stage.peer.drained();
  });

  test.each([
    ['no lone dot', 'one\ntwo\n', 'one\ntwo\n'],
    ['a lone dot behind a text without a line end (UMN gopherd)', 'one.\r\n', 'one.\r\n'],
    [
      'a lone dot in the middle (UMN gopherd)',
      'before\n.\n..two\n.hidden\nafter\n.\r\n',
      'before\n.\n.two\n.hidden\nafter\n',
    ],
    ['nothing but the lone dot', '.\r\n', ''],
    ['nothing', '', ''],
  ])('a text with %s', async (_, wire, text) => {
    await using stage = await scene(answer(wire));
    expect(await (await stage.content('/0/x')).body.text()).toBe(text);
  });

  test('entries and body cannot both be read', async () => {
    await using stage = await scene(answer(menu));
    const { entries, body } = await stage.listing('/');
    expect(await body.text()).toContain('About');
    await expect(all(entries)).rejects.toThrow(TypeError);
  });

  test('entries are read once', async () => {
    await using stage = await scene(answer(menu));
    const { entries } = await stage.listing('/');
    expect(await all(entries)).toHaveLength(3);
    await expect(all(entries)).rejects.toThrow(TypeError);
  });

  test('leaving the entries early closes the connection', async () => {
    await using stage = await scene(async (connection) => {
      await connection.line();
      await connection.send(menu.slice(0, -3));
      await connection.closed();
    });
    for await (const entry of (await stage.listing('/')).entries) {
      expect(entry.name).toBe('Hi');
      break;
    }
    await stage.peer.drained();
  });

  test('reading entries to the end closes the connection', async () => {
    await using stage = await scene(answer(menu));
    expect(await all((await stage.listing('/')).entries)).toHaveLength(3);
    expect(stage.access.sockets.every((socket) => socket.destroyed)).toBe(true);
  });
});

describe('refusals', () => {
  test.each(['/1/x', '/0/x', '/9/x', '/g/x', '/7/x%09y'])(
    '%s is not found, in the words of the server',
    async (path) => {
      await using stage = await scene(answer("3'/x' does not exist\t\terror.host\t1\r\n"));
      const error = await stage.content(path).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(RetrievalError);
      expect(error).toMatchObject({ code: 'not-found', reply: { code: 3, text: "'/x' does not exist" } });
      expect(stage.access.sockets.every((socket) => socket.destroyed)).toBe(true);
    },
  );

  test('a search without words says what to do', async () => {
    await using stage = await scene(answer('3No words\t\terror.host\t1\r\n'));
    await expect(stage.listing('/7/find')).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('%09') as string,
      reply: { text: 'No words' },
    });
    expect(notesOf(stage.access)[0]).toContain('%09');
    expect(stage.peer.received).toBe('/find\r\n');
  });

  test('an object that begins like a refusal arrives whole', async () => {
    await using stage = await scene(answer('3.1415926535\n'));
    expect(await (await stage.content('/0/pi')).body.text()).toBe('3.1415926535\n');
  });
});

describe('hostile servers', () => {
  test('a line without end fails', async () => {
    await using stage = await scene(answer('i'.repeat(9000)));
    await expect(all((await stage.listing('/')).entries)).rejects.toMatchObject({ code: 'limit' });
    await stage.peer.drained();
  });

  test('a menu without end fails at its limits', async () => {
    await using stage = await scene(
      async (connection) => {
        await connection.line();
        for (;;) await connection.send('0A\t/a\th\t70\r\n'.repeat(100));
      },
      { maxMenuEntries: 5000 },
    );
    await expect(all((await stage.listing('/')).entries)).rejects.toMatchObject({ code: 'limit' });
    await stage.peer.drained();
  });

  test('a thousand faults make few notes', async () => {
    await using stage = await scene(answer('no tabs here\r\n'.repeat(1000)));
    expect(await all((await stage.listing('/')).entries)).toHaveLength(1000);
    expect(notesOf(stage.access).length).toBeLessThan(12);
  });

  test('a reset in the middle is incomplete, for entries and for bodies', async () => {
    await using stage = await scene(answerAndReset('0A\t/a\th\t70\r\n'));
    await expect(all((await stage.listing('/')).entries)).rejects.toMatchObject({ code: 'incomplete' });
    await expect((await stage.listing('/')).body.text()).rejects.toMatchObject({ code: 'incomplete' });
    await expect((await stage.content('/9/x')).body.bytes()).rejects.toMatchObject({ code: 'incomplete' });
  });

  test('a reset before the answer is incomplete', async () => {
    await using stage = await scene(async (connection) => {
      await connection.line();
      connection.reset();
      await new Promise(() => undefined);
    });
    await expect(stage.content('/9/x')).rejects.toMatchObject({ code: 'incomplete' });
  });
});

describe('only metadata', () => {
  test.each(['/0/x', '/9/x'])('%s: asks, and hangs up where the answer begins', async (path) => {
    await using stage = await scene(async (connection) => {
      await connection.line();
      await connection.send('abc');
      await connection.closed();
    });
    const { body, metadata } = await stage.content(path, { metadataOnly: true });
    expect(metadata.mediaType).toBeDefined();
    expect(await body.bytes()).toHaveLength(0);
    await stage.peer.drained();
  });

  test('a menu has no entries then', async () => {
    await using stage = await scene(answer(menu));
    const { body, entries } = await stage.listing('/', { metadataOnly: true });
    expect(await all(entries)).toEqual([]);
    expect(await body.bytes()).toHaveLength(0);
    await stage.peer.drained();
  });

  test('what does not exist is not found', async () => {
    await using stage = await scene(answer('3No\t\terror.host\t1\r\n'));
    await expect(stage.content('/0/x', { metadataOnly: true })).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('the trace', () => {
  test('shows the request as sent and a missing terminator', async () => {
    await using stage = await scene(answer('text\n'));
    await (await stage.content('/0/about%09%09')).body.text();
    expect(stage.access.events).toEqual([
      { type: 'sent', text: '/about\t\t' },
      { type: 'note', text: expect.stringContaining('lone dot') as string },
    ]);
  });
});

test('gophers asks for TLS, at port 70 unless the URL says otherwise', async () => {
  const asked: unknown[] = [];
  const access = {
    ...testAccess(),
    connectForBody: (endpoint: unknown) => {
      asked.push(endpoint);
      return Promise.reject(new RetrievalError('unreachable', 'a test'));
    },
  };
  const urls = [
    'gophers://h.example/',
    'gophers://h.example:7443/',
    'gopher://h.example/',
    'gophers://h.example/0/x%09%09+',
    'gophers://h.example:105/2%09words',
  ];
  for (const text of urls) {
    await expect(gopher().retrieve({ url: parse(text) as GopherUrl }, access)).rejects.toThrow('a test');
  }
  expect(asked).toEqual([
    { host: 'h.example', port: 70, tls: {} },
    { host: 'h.example', port: 7443, tls: {} },
    { host: 'h.example', port: 70 },
    { host: 'h.example', port: 70, tls: {} },
    { host: 'h.example', port: 105, tls: {} },
  ]);
});
