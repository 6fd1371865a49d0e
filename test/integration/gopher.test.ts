/** Gopher against two real servers: pygopherd (Gopher+, no lone dots) and gophernicus. */
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { createClient, type Client } from '@retriever/client';
import type { Entry, TraceEvent } from '@retriever/driver';
import { gopher } from '@retriever/gopher';
import { parse, type GopherUrl } from '@retriever/url';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { asking } from './asking.ts';
import { startDisposable } from '../containers/disposable.ts';
import { readContainerFile } from '../containers/servers.ts';

const events: TraceEvent[] = [];
const client: Client = createClient({ drivers: [gopher()], trace: (record) => void events.push(record) });
afterAll(() => client.close());

const { content, listing, entries: entriesOf } = asking(client);

const named = (entries: readonly Entry[], name: string): Entry | undefined =>
  entries.find((entry) => entry.name === name);

/** What docker/gopher/mkgophertree.sh writes. */
const binary = Buffer.alloc(
  65_536,
  Uint8Array.from({ length: 256 }, (_, octet) => octet),
);

describe.each(Object.entries(inject('gopher')))('%s', (name, { host, port }) => {
  const base = `gopher://${host}${port === 70 ? '' : `:${port}`}`;
  /** gophernicus sends texts with CR LF. */
  const lines = (text: string): string => (name === 'gophernicus' ? text.replaceAll('\n', '\r\n') : text);

  test('the empty path is the top menu (RFC 1738 §3.4.1)', async () => {
    for (const url of [base, `${base}/`, `${base}/1`]) {
      expect(named(await entriesOf(url), 'A text')).toMatchObject({ kind: 'file', url: `${base}/0/text.txt` });
    }
  });

  test('every item type of a menu', async () => {
    const entries = await entriesOf(`${base}/1/types`);
    const kinds = Object.fromEntries(entries.map((entry) => [entry.name, entry.kind]));
    expect(kinds).toMatchObject({
      'An information line': 'info',
      'Text file': 'file',
      Menu: 'directory',
      'CSO phone book': 'search',
      'An error': 'error',
      BinHex: 'file',
      'DOS archive': 'file',
      uuencoded: 'file',
      Search: 'search',
      Telnet: 'service',
      Binary: 'file',
      Mirror: 'file',
      TN3270: 'service',
      GIF: 'file',
      Image: 'file',
      HTML: 'file',
      URL: 'link',
      Mail: 'link',
      Sound: 'file',
      Movie: 'file',
      Document: 'file',
      'MIME message': 'file',
      Calendar: 'file',
      XML: 'file',
      'Other server': 'directory',
    });
    expect(named(entries, 'An information line')).not.toHaveProperty('url');
    expect(named(entries, 'An error')).not.toHaveProperty('url');
    expect(named(entries, 'CSO phone book')?.url).toBe('gopher://cso.example.com:105/2/cso');
    expect(named(entries, 'Telnet')?.url).toMatch(/^telnet:\/\/(%2Ftypes%2F)?guest@telnet\.example\.com\/$/);
    expect(named(entries, 'TN3270')?.url).toMatch(/^tn3270:\/\/(%2Ftypes%2F)?guest@tn3270\.example\.com\/$/);
    expect(named(entries, 'URL')?.url).toBe('http://example.com/a?b=c');
    expect(named(entries, 'Mail')?.url).toBe('mailto:alice@example.com');
    expect(named(entries, 'Other server')?.url).toBe('gopher://gopher.example.com:7070/1/a%20menu');
    expect(named(entries, 'Mirror')).toMatchObject({
      url: 'gopher://mirror.example.com/9/text.txt',
      facts: { type: '+', redundantType: '9' },
    });
    expect(named(entries, 'Movie')?.url).toBe(`${base}/;/binary.bin`);
  });

  test('a text', async () => {
    const { body, metadata } = await content(`${base}/0/text.txt`);
    expect(metadata.mediaType).toBe('text/plain');
    expect(await body.text()).toBe(lines('The quick brown fox jumps\nover a lazy dog.\n'));
  });

  test('a text with dots, which neither server stuffs: nothing is lost but the second of two', async () => {
    const { body } = await content(`${base}/0/dots.txt`);
    expect(await body.text()).toBe(lines('first\n.\n.\n.leading\n.double\nin . side\nlast\n'));
  });

  test('the same as type 9: not an octet changed', async () => {
    const { body } = await content(`${base}/9/dots.txt`);
    expect(await body.text()).toMatch(/^first\r?\n\.\r?\n\.\.\r?\n\.leading\r?\n\.\.double\r?\n/);
  });

  test('an empty text', async () => {
    expect(await (await content(`${base}/0/empty.txt`)).body.text()).toBe('');
  });

  test('a binary object, octet for octet', async () => {
    const octets = await (await content(`${base}/9/binary.bin`)).body.bytes();
    expect(Buffer.compare(octets, binary)).toBe(0);
  });

  test('8 MiB, pumped', async () => {
    const hash = createHash('sha256');
    let length = 0;
    await (
      await content(`${base}/9/random-8m.bin`)
    ).body.pipeTo((chunk) => {
      hash.update(chunk);
      length += chunk.length;
    });
    expect(length).toBe(8_388_608);
    const expected = createHash('sha256');
    for await (const chunk of (await content(`${base}/9/random-8m.bin`)).body) expected.update(chunk);
    expect(hash.digest('hex')).toBe(expected.digest('hex'));
  });

  test('images', async () => {
    const { body, metadata } = await content(`${base}/g/image.gif`);
    expect(metadata.mediaType).toBe('image/gif');
    expect((await body.text({ charset: 'latin1' })).slice(0, 6)).toBe('GIF89a');
    expect((await content(`${base}/I/image.png`)).metadata.mediaType).toBe('image/png');
  });

  test('5,000 entries', async () => {
    const entries = await entriesOf(`${base}/1/big`);
    const files = entries.filter(({ kind }) => kind === 'file');
    // gophernicus lists no more than 1,022 of them, whichever the file system gives it first.
    expect(files).toHaveLength(name === 'gophernicus' ? 1022 : 5000);
    for (const { url } of files) expect(url).toMatch(/\/0\/big\/entry-0\d{4}\.txt$/);
  });

  test('an empty folder is an empty menu', async () => {
    const entries = await entriesOf(`${base}/1/emptyfolder`);
    expect(entries.filter(({ kind }) => kind === 'file')).toEqual([]);
  });

  test.each([
    ['%09', 'some%20words'],
    ['?', 'some%20words'],
  ])('a search after %s', async (mark, words) => {
    const entries = await entriesOf(`${base}/7/cgi-bin/search${mark}${words}`);
    expect(entries.map(({ name: hit, url }) => [hit, url])).toEqual([
      ['First hit for some words', `${base}/0/text.txt`],
      ['Second hit for some words', `${base}/1/folder`],
    ]);
  });

  test('a search that finds nothing', async () => {
    expect(await entriesOf(`${base}/7/cgi-bin/search%09nothing`)).toEqual([]);
  });

  test("a menu's own words", async () => {
    const text = await (await listing(`${base}/1/types`)).body.text();
    expect(text).toContain(`0Text file\t/text.txt\t${host}\t${port}`);
    expect(text).not.toMatch(/^\.\r?\n/m);
  });

  test('a URL: item is a reference, and nobody is asked', async () => {
    expect(await client.retrieve(`${base}/hURL:http://example.com/a?b=c`)).toMatchObject({
      kind: 'reference',
      target: 'http://example.com/a?b=c',
    });
  });

  test.each(['/1/nosuch', '/1/nosuch/'])('%s is not found', async (path) => {
    await expect(client.retrieve(`${base}${path}`)).rejects.toMatchObject({
      code: 'not-found',
      url: `${base}${path}`,
      reply: { text: expect.stringMatching(/does not exist|not found/) as string },
    });
  });

  test('every link of a folder of odd names leads to its file', async () => {
    const entries = (await entriesOf(`${base}/1/odd`)).filter(({ kind }) => kind === 'file');
    expect(entries).toHaveLength(13);
    for (const { url = '' } of entries) {
      const { selector } = (parse(url) as GopherUrl).octets;
      // gophernicus decodes %XX and #NNN in requests and so cannot serve all its own links.
      if (name === 'gophernicus' && /[%#?]/.test(Buffer.from(selector).toString('latin1'))) continue;
      const file = Buffer.from((await (await content(url)).body.text()).trim(), 'hex');
      expect(Buffer.from(selector).toString('latin1')).toBe(`/odd/${file.toString('latin1')}`);
    }
  });

  test('a body that is cancelled', async () => {
    const { body } = await content(`${base}/9/random-8m.bin`);
    let length = 0;
    for await (const chunk of body) {
      length += chunk.length;
      break;
    }
    expect(length).toBeGreaterThan(0);
  });

  test('abort in the middle of a body', async () => {
    const controller = new AbortController();
    const retrieved = await client.retrieve(`${base}/9/random-8m.bin`, { signal: controller.signal });
    if (retrieved.kind !== 'content') throw new Error(retrieved.kind);
    const reading = retrieved.body.pipeTo(() => controller.abort(new Error('enough')));
    await expect(reading).rejects.toThrow('enough');
  });

  test('only metadata', async () => {
    const retrieved = await client.retrieve(`${base}/9/random-8m.bin`, { metadataOnly: true });
    if (retrieved.kind !== 'content') throw new Error(retrieved.kind);
    expect(await retrieved.body.bytes()).toHaveLength(0);
  });

  test('forty at once', async () => {
    const texts = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const file = `entry-${String(n + 1).padStart(5, '0')}.txt`;
        return (await content(`${base}/0/big/${file}`)).body.text();
      }),
    );
    expect(texts.map((text) => text.trim())).toEqual(Array.from({ length: 40 }, (_, n) => `entry ${n + 1}`));
  });
});

describe('pygopherd', () => {
  const { host } = inject('gopher').pygopherd;

  test.each(['/0/nosuch.txt', '/9/nosuch.bin', '/g/nosuch.gif', '/7/nosuch%09x'])('%s is not found', async (path) => {
    await expect(client.retrieve(`gopher://${host}${path}`)).rejects.toMatchObject({
      code: 'not-found',
      reply: { code: 3, text: expect.stringContaining('does not exist') as string },
    });
  });

  test('Gopher+ items are marked', async () => {
    const entries = await entriesOf(`gopher://${host}/1/folder`);
    expect(named(entries, 'one')?.facts).toEqual({ type: '0', gopherPlus: '+' });
  });

  test('a menu no server would write', async () => {
    const entries = await entriesOf(`gopher://${host}/1/raw/malformed-menu.txt`);
    expect(entries.map(({ name, kind, url }) => [name, kind, url])).toEqual([
      ['good', 'file', 'gopher://localhost/0/text.txt'],
      ['no port', 'file', 'gopher://localhost/0/text.txt'],
      ['no host', 'file', `gopher://${host}/0/text.txt`],
      ['0only a name', 'info', undefined],
      ['bad port', 'file', undefined],
      ['port too big', 'file', undefined],
      ['extra', 'file', 'gopher://localhost/0/text.txt'],
      ['bare newline', 'file', 'gopher://localhost/0/text.txt'],
      ['café', 'file', 'gopher://localhost/0/latin-1.txt'],
      ['last', 'file', 'gopher://localhost/0/text.txt'],
      ['after the dot', 'file', 'gopher://localhost/0/text.txt'],
    ]);
  });
});

test('the trace shows the request and what was tolerated', async () => {
  const { host } = inject('gopher').pygopherd;
  events.length = 0;
  await entriesOf(`gopher://${host}/7/cgi-bin/search`);
  expect(events).toContainEqual(expect.objectContaining({ type: 'sent', text: '/cgi-bin/search' }));
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'note', text: expect.stringContaining('%09') as string }),
  );
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'note', text: expect.stringContaining('lone dot') as string }),
  );
});

test('a server that vanishes in the middle of a body fails it', async () => {
  await using server = await startDisposable('gopher');
  await using impatient = createClient({ drivers: [gopher()], timeouts: { idle: 1000 } });
  const retrieved = await impatient.retrieve(`gopher://${server.host}:7070/9/sparse-1g.bin`);
  if (retrieved.kind !== 'content') throw new Error(retrieved.kind);
  let killed: Promise<void> | undefined;
  const reading = retrieved.body.pipeTo(async () => {
    killed ??= server.kill();
    await killed;
  });
  await expect(reading).rejects.toMatchObject({
    name: 'RetrievalError',
    code: expect.stringMatching(/^(timeout|incomplete)$/) as string,
  });
});

test('gophers: the same over TLS, the certificate checked', async () => {
  const [web, { host, port }] = [inject('web'), inject('gopher').pygopherd];
  const [key, cert] = await Promise.all(
    ['server.key', 'server.pem'].map((file) => readContainerFile(web.id, `/etc/fixture-tls/${file}`)),
  );
  const server = createServer({ key, cert }, (secured: TLSSocket) => {
    const plain = connect(port, host);
    plain.on('error', () => secured.destroy());
    secured.on('error', () => plain.destroy());
    secured.pipe(plain).pipe(secured);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const tlsPort = (server.address() as AddressInfo).port;
  const lookup = async (): Promise<{ address: string; family: number }[]> => [{ address: '127.0.0.1', family: 4 }];
  try {
    await using trusting = createClient({ drivers: [gopher()], tls: { ca: web.ca }, lookup });
    const retrieved = await trusting.retrieve(`gophers://fixture.test:${tlsPort}/9/binary.bin`);
    if (retrieved.kind !== 'content') throw new Error(retrieved.kind);
    expect(Buffer.compare(await retrieved.body.bytes(), binary)).toBe(0);
    const plus = await trusting.retrieve(`gophers://fixture.test:${tlsPort}/9/binary.bin%09%09+`);
    if (plus.kind !== 'content') throw new Error(plus.kind);
    expect(plus.metadata.size).toBe(binary.length);
    expect(Buffer.compare(await plus.body.bytes(), binary)).toBe(0);
    await using wary = createClient({ drivers: [gopher()], lookup });
    await expect(wary.retrieve(`gophers://fixture.test:${tlsPort}/9/binary.bin`)).rejects.toMatchObject({
      name: 'RetrievalError',
    });
  } finally {
    server.close();
  }
});
