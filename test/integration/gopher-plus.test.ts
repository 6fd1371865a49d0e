/**
 * Gopher+ against pygopherd, which speaks a part of it, and gophernicus, which ignores it; phone books and moved items, which
 * no packaged server has, against scripted peers through the whole client.
 */
import { createClient, follow, standardPolicy, type Client } from '@retriever/client';
import { scriptedPeer } from '@retriever/driver/testing';
import { askUrl, gopher, parseAsk, parseAttributes } from '@retriever/gopher';
import { parse } from '@retriever/url';
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { asking } from './asking.ts';

const notes: string[] = [];
const client: Client = createClient({
  drivers: [gopher({ allowAskBlock: true })],
  layers: [follow()],
  trace: (record) => {
    if (record.type === 'note') notes.push(record.text);
  },
});
afterAll(() => client.close());
beforeEach(() => void notes.splice(0));

const { content, listing, entries: entriesOf } = asking(client);

const fox = 'The quick brown fox jumps\nover a lazy dog.\n';
const ignored = expect.stringContaining('ignored the Gopher+ string') as string;

describe('pygopherd', () => {
  const base = `gopher://${inject('gopher').pygopherd.host}`;

  test('the default view is counted (§3.4.4)', async () => {
    const { body, metadata } = await content(`${base}/0/text.txt%09%09+`);
    expect(metadata).toEqual({ mediaType: 'text/plain', size: 43 });
    expect(body.size).toBe(43);
    expect(await body.text()).toBe(fox);
    expect(notes).toEqual([]);
  });

  test.each([
    ['/9/binary.bin', 65_536],
    ['/9/random-8m.bin', 8_388_608],
    ['/0/dots.txt', 50],
    ['/0/empty.txt', 0],
    ['/g/image.gif', 42],
  ])('%s, counted, is the same as without Gopher+ as octets', async (path) => {
    const plus = await content(`${base}${path}%09%09+`);
    const octets = await plus.body.bytes();
    expect(octets).toHaveLength(plus.metadata.size ?? -1);
    const plain = await (await content(`${base}/9${path.slice(2)}`)).body.bytes();
    expect(Buffer.compare(octets, plain)).toBe(0);
  });

  test('a view that it does not have: the default one comes, and nobody says so (§3.4.8)', async () => {
    const { body, metadata } = await content(`${base}/0/text.txt%09%09+application/postscript%20Es_ES`);
    expect(metadata).toMatchObject({ mediaType: 'application/postscript', language: 'Es-ES' });
    expect(await body.text()).toBe(fox);
  });

  test('a menu', async () => {
    const plain = await entriesOf(`${base}/1/folder`);
    notes.splice(0);
    expect(await entriesOf(`${base}/1/folder%09%09+`)).toEqual(plain);
    expect(notes).toEqual([]);
  });

  test('a search with a Gopher+ string', async () => {
    const entries = await entriesOf(`${base}/7/cgi-bin/search%09some%20words%09+`);
    expect(entries.map(({ name }) => name)).toEqual(['First hit for some words', 'Second hit for some words']);
  });

  test('the attributes of an item (§3.4.6)', async () => {
    const [entry, ...more] = await entriesOf(`${base}/0/text.txt%09%09!`);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      name: 'text.txt',
      kind: 'file',
      url: `${base}/0/text.txt`,
      mediaType: 'text/plain',
      modified: new Date('2001-02-03T04:05:06Z'),
      facts: {
        type: '0',
        gopherPlus: '+',
        admin: expect.stringContaining('<') as string,
        abstract: 'An abstract of the text\nin two lines',
        views: expect.stringMatching(/^text\/plain/) as string,
      },
    });
    const [item] = parseAttributes(await (await listing(`${base}/0/text.txt%09%09!`)).body.bytes());
    expect(item?.blocks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['INFO', 'ADMIN', 'VIEWS', 'ABSTRACT']),
    );
  });

  test('attributes by name, which it does not know: all are asked for, those named are given (§3.4.7)', async () => {
    const [entry] = await entriesOf(`${base}/0/text.txt%09%09!+ABSTRACT%20+SMELL`);
    expect(entry?.facts).toEqual({
      type: '0',
      gopherPlus: '+',
      abstract: 'An abstract of the text\nin two lines',
    });
    expect(notes).toEqual([expect.stringContaining('by name')]);
  });

  test('the attributes of all items of a directory (§3.4.6)', async () => {
    const entries = await entriesOf(`${base}/1/folder%09%09$`);
    expect(entries.map(({ name, kind, url }) => [name, kind, url])).toEqual(
      (await entriesOf(`${base}/1/folder`)).map(({ name, kind, url }) => [name, kind, url]),
    );
    for (const { facts, modified } of entries) {
      expect(facts).toMatchObject({ admin: expect.any(String) as string, views: expect.any(String) as string });
      expect(modified).toBeInstanceOf(Date);
    }
  });

  test('the attributes of five thousand items', async () => {
    const entries = await entriesOf(`${base}/1/big%09%09$`);
    expect(entries).toHaveLength(5000);
    expect(entries.every(({ facts }) => facts?.['views'] !== undefined)).toBe(true);
  });

  test('a form (§3.4.5)', async () => {
    const [entry] = await entriesOf(`${base}/0/form.txt%09%09?`);
    expect(parseAsk(String(entry?.facts?.['ask'])).questions).toEqual([
      { type: 'Ask', prompt: 'Your name?' },
      { type: 'AskP', prompt: 'Your password?' },
      { type: 'Choose', prompt: 'Colour?', choices: ['red', 'blue'] },
    ]);
  });

  test('answers to a form, which it never reads: the item comes (§3.4.9)', async () => {
    const { body } = await content(askUrl(`${base}/0/form.txt%09%09?`, ['Alice', 'secret', 'red']));
    expect(await body.text()).toBe('form document\n');
  });

  test.each(['/0/nosuch.txt%09%09+', '/1/nosuch%09%09$', '/0/nosuch.txt%09%09!', '/0/nosuch.txt%09%09?'])(
    '%s is not found, in its words',
    async (path) => {
      await expect(client.retrieve(`${base}${path}`)).rejects.toMatchObject({
        code: 'not-found',
        reply: { text: expect.stringContaining('does not exist') as string },
      });
    },
  );

  test('only metadata', async () => {
    const retrieved = await client.retrieve(`${base}/9/random-8m.bin%09%09+`, { metadataOnly: true });
    expect(retrieved).toMatchObject({ kind: 'content', metadata: { size: 8_388_608 } });
  });
});

describe('gophernicus ignores Gopher+', () => {
  const { host, port } = inject('gopher').gophernicus;
  const base = `gopher://${host}:${port}`;

  test.each([
    '+',
    '+application/postscript%20Es_ES',
    '!',
    '!+ABSTRACT',
    '$',
    '?',
    '+%091%0D%0A+-1%0D%0Aa%0D%0A.%0D%0A',
  ])('a text with %s is the text', async (plus) => {
    const { body, metadata } = await content(`${base}/0/text.txt%09%09${plus}`);
    expect(metadata).toEqual({ mediaType: 'text/plain' });
    expect(await body.text()).toBe(fox.replaceAll('\n', '\r\n'));
    expect(notes).toContainEqual(ignored);
  });

  test.each(['+', '!', '$', '$+VIEWS'])('a menu with %s is the menu', async (plus) => {
    const plain = await entriesOf(`${base}/1/types`);
    expect(await entriesOf(`${base}/1/types%09%09${plus}`)).toEqual(plain);
    expect(notes).toContainEqual(ignored);
  });

  test('what does not exist is not found', async () => {
    await expect(client.retrieve(`${base}/1/nosuch/%09%09+`)).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('phone books', () => {
  test('port 105 is no other protocol’s to the policy (RFC 1738 §6), port 25 is', () => {
    const policy = standardPolicy();
    const verdict = (text: string): unknown => policy.url?.({ url: parse(text), ownPorts: [70] });
    expect(verdict('gopher://ph.example:105/2')).toBeUndefined();
    expect(verdict('gopher://ph.example:25/2')).toMatch(/25/);
  });

  test('a menu leads to one, and words find people there', async () => {
    await using peer = await scriptedPeer(async (connection) => {
      const line = await connection.line();
      if (line === '') return connection.send(`2People\t\t127.0.0.1\t${connection.socket.localPort}\r\n.\r\n`);
      await connection.send(
        line === 'query smith'
          ? '102:There was 1 match.\r\n-200:1:name:smith\r\n-200:1:email:s@h\r\n200:Ok.\r\n'
          : '501:None.\r\n',
      );
      await connection.line();
      return undefined;
    });
    const [book] = await entriesOf(`gopher://127.0.0.1:${peer.port}/`);
    expect(book).toMatchObject({ kind: 'search', name: 'People' });
    expect(await entriesOf(`${book?.url}%09smith`)).toMatchObject([{ name: 'smith', facts: { email: 's@h' } }]);
    await expect(client.retrieve(`${book?.url}?nobody`)).rejects.toMatchObject({ code: 'not-found' });
  });
});

test('an item that has moved is followed, within gopher and by policy', async () => {
  await using peer = await scriptedPeer(async (connection) => {
    const here = `127.0.0.1\t${connection.socket.localPort}\t+`;
    const line = await connection.line();
    if (line === '/old\t\t+') await connection.send(`--1\r\n3 0Doc\t/new\t${here}\r\n.\r\n`);
    if (line === '/mail\t\t+') await connection.send('--1\r\n3 0Doc\t/new\t127.0.0.1\t25\t+\r\n.\r\n');
    if (line === '/new\t\t+') await connection.send('+5\r\nhello.\r\n');
  });
  const base = `gopher://127.0.0.1:${peer.port}`;
  expect(await (await content(`${base}/0/old%09%09+`)).body.text()).toBe('hello');
  await expect(client.retrieve(`${base}/0/mail%09%09+`)).rejects.toMatchObject({ code: 'policy' });
});
