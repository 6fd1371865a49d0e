/** The driver against UMN gopherd's own words: the transcript of 3.0.5, replayed. */
import type { Retrieval } from '@retriever/driver';
import { driverConformance, type PeerScript } from '@retriever/driver/testing';
import { describe, expect, test } from 'vitest';
import { brief, exchanges, requestOf, umnGopherd, type Exchange } from '../testing/umn-peer.ts';
import { answer, visit } from '../testing/visit.ts';
import { askUrl, gopher, parseAsk, parseAttributes } from './index.ts';

/** The path of the URL that asks for an exchange. */
function pathOf({ sent }: Exchange): string {
  const [selector = '', ...rest] = sent.replace(/\r\n$/, '').split('\t');
  const type = selector === '' || selector === 'waissrc:x' || selector.startsWith('exec:') ? '1' : selector.slice(0, 1);
  const block = sent.includes('\t1\r\n') ? sent.slice(selector.length + 1) : rest.join('\t');
  return `/${type}${encodeURIComponent(selector)}%09%09${encodeURIComponent(block)}`;
}

/** The item's octets: what the header announced, the dots taken off. */
function itemOf(octets: string): string {
  const [header = '', number = ''] = /^\+(\S+)\r\n/.exec(octets) ?? [];
  const rest = octets.slice(header.length);
  if (number !== '-1') return rest.slice(0, Number(number));
  return rest.replace(/\.\r\n$/, '').replaceAll(/^\.\./gm, '.');
}

const plus = exchanges.filter(({ sent, whole }) => whole && /^[^\t\r]*\t[+!$]/.test(sent));
const accepted = plus.filter(({ answer: octets }) => octets.startsWith('+'));
const refused = plus.filter(({ answer: octets }) => octets.startsWith('-'));

async function bodyText(retrieval: Retrieval): Promise<string> {
  if (retrieval.kind !== 'content' && retrieval.kind !== 'listing') throw new TypeError(`a ${retrieval.kind}`);
  return Buffer.from(await retrieval.body.bytes()).toString('latin1');
}

test('the transcript has what these tests are about', () => {
  expect(exchanges.length).toBe(48);
  expect(accepted.length).toBeGreaterThan(15);
  expect(refused.length).toBeGreaterThan(8);
});

describe.each(
  accepted
    .filter(({ sent }) => !/\t1\r\n\+\d/.test(sent))
    .map((exchange) => [JSON.stringify(exchange.sent), exchange] as const),
)('%s', (_, exchange) => {
  test('goes out as the transcript has it, and comes back whole', async () => {
    await using scene = await visit(umnGopherd, { allowAskBlock: true });
    const retrieval = await scene.retrieve(pathOf(exchange));
    expect(await bodyText(retrieval)).toBe(itemOf(exchange.answer));
    expect(brief(scene.peer.received)).toBe(exchange.sent);
    expect(scene.notes()).toEqual([]);
    expect(scene.access.sockets.every((socket) => socket.destroyed)).toBe(true);
  });

  test('split at every octet', async () => {
    for (let at = 0; at <= Math.min(exchange.answer.length, 160); at += 1) {
      const script: PeerScript = async (connection) => {
        await requestOf(connection);
        await connection.send(exchange.answer.slice(0, at));
        await connection.send(exchange.answer.slice(at));
      };
      await using scene = await visit(script, { allowAskBlock: true });
      expect(await bodyText(await scene.retrieve(pathOf(exchange)))).toBe(itemOf(exchange.answer));
    }
  });

  test('cut off at every octet, it never passes for whole', async () => {
    const { answer: octets } = exchange;
    const counted = /^\+(\d+)\r\n/.exec(octets);
    // What comes after the counted octets is UMN's surplus; a lone dot ends a text with or without its line end.
    const enough = counted ? counted[0].length + Number(counted[1]) : octets.length - 2;
    for (let at = 1; at < Math.min(enough, 160); at += 1) {
      const script: PeerScript = async (connection) => {
        await requestOf(connection);
        await connection.send(octets.slice(0, at));
      };
      await using scene = await visit(script, { allowAskBlock: true });
      const failure = await scene
        .retrieve(pathOf(exchange))
        .then(bodyText)
        .catch((error: unknown) => error);
      expect([octets.slice(0, at), failure]).toMatchObject([octets.slice(0, at), { code: 'incomplete' }]);
    }
  });
});

test.each(refused.map((exchange) => [JSON.stringify(exchange.sent), exchange] as const))(
  '%s is refused in the words of the server',
  async (_, exchange) => {
    await using scene = await visit(umnGopherd, { allowAskBlock: true });
    const [, , contact = '', words = ''] = /^--1\r\n1 ((.*)\r\n(.*))\r\n\.\r\n$/s.exec(exchange.answer)?.values() ?? [];
    await expect(scene.retrieve(pathOf(exchange))).rejects.toMatchObject({
      code: 'not-found',
      message: `the server says: ${words}`,
      reply: { code: 1, text: `${contact}\n${words}` },
    });
    expect(brief(scene.peer.received)).toBe(exchange.sent);
    expect(scene.access.sockets.every((socket) => socket.destroyed)).toBe(true);
  },
);

test('a plain request for what does not exist is not found, though its line has type 0', async () => {
  await using scene = await visit(umnGopherd);
  await expect(scene.retrieve('/00/nosuch.txt')).rejects.toMatchObject({ code: 'not-found', reply: { code: 0 } });
});

test('an item and its attributes', async () => {
  await using scene = await visit(umnGopherd);
  expect(await scene.entries('/00/views/doc.txt%09%09!')).toEqual([
    {
      name: 'doc',
      rawName: Buffer.from('doc'),
      kind: 'file',
      url: 'gopher://localhost/00/views/doc.txt',
      mediaType: 'text/plain',
      modified: new Date('2026-11-20T17:34:55Z'),
      facts: { type: '0', gopherPlus: '+', admin: 'Test Admin <a@b>', views: 'text/plain En_US <.1k>' },
    },
  ]);
});

test('the items of a directory and their attributes, those asked for', async () => {
  await using scene = await visit(umnGopherd);
  const entries = await scene.entries('/11/texts%09%09$+ABSTRACT+VIEWS');
  expect(entries.map(({ name, facts }) => [name, facts?.['views']])).toEqual([
    ['crlf', 'text/plain En_US <.0k>'],
    ['dots', 'text/plain En_US <.1k>'],
    ['empty', 'text/plain En_US <.0k>'],
    ['latin1', 'text/plain En_US <.0k>'],
    ['longline', 'text/plain En_US <98k>'],
    ['plain', 'text/plain En_US <.1k>'],
    ['utf8', 'text/plain En_US <.0k>'],
    ['(NULL)', undefined],
  ]);
  expect(entries[7]).toMatchObject({
    kind: 'error',
    facts: { abstract: 'abstract of plain\nsecond abstract line' },
  });
});

test('more attributes than asked for are left out of the facts', async () => {
  await using scene = await visit(umnGopherd);
  const [entry] = await scene.entries('/00/texts/plain.txt%09%09!+ABSTRACT');
  expect(entry).toMatchObject({ name: 'plain', facts: { type: '0', gopherPlus: '+' } });
  expect(entry).not.toHaveProperty('modified');
  expect(entry?.facts).not.toHaveProperty('views');
});

test('attributes that Gopher+ does not name are facts under their own name', async () => {
  await using scene = await visit(umnGopherd);
  const [entry] = await scene.entries('/1%09%09!');
  expect(entry).toMatchObject({ kind: 'directory', url: 'gopher://localhost/1', mediaType: 'application/gopher-menu' });
  expect(entry?.facts).toMatchObject({ abstract: 'top abstract', '+VERONICA': 'treewalk: yes' });
  expect(entry?.facts?.['+STATISTICS']).toMatch(/^Total Connections: 23\n/);
});

test('a menu marks items with a form, and their URLs lead to it', async () => {
  await using scene = await visit(umnGopherd);
  expect((await scene.entries('/11/ask')).map(({ url, facts }) => [url, facts?.['gopherPlus']])).toEqual([
    ['gopher://localhost/00/ask/fask.txt%09%09?', '?'],
    ['gopher://localhost/00/ask/form%09%09?', '?'],
    ['gopher://localhost/00/ask/script%09%09?', '?'],
  ]);
});

test('a form is fetched, filled in and answered (RFC 1738 §3.4.5, §3.4.9)', async () => {
  await using scene = await visit(
    // The transcript has the form under `!`, which UMN sends for any attribute.
    async (connection) => {
      const line = await connection.line();
      await connection.send(
        exchanges.find(({ sent }) => sent === brief(`${line}\r\n`).replace('!+ASK', '!'))?.answer ?? '',
      );
    },
  );
  const [item] = await scene.entries('/00/ask/script%09%09?');
  expect(scene.peer.received).toBe('0/ask/script\t\t!+ASK\r\n');
  expect(item?.facts).toEqual({
    type: '0',
    gopherPlus: '?',
    ask: expect.stringContaining('AskP: Password?') as string,
  });
  expect(parseAsk(String(item?.facts?.['ask'])).questions).toEqual([
    { type: 'Ask', prompt: 'Your name?', default: 'Default Name' },
    { type: 'AskP', prompt: 'Password?' },
    { type: 'Select', prompt: 'Sure?', default: true, choices: [] },
    { type: 'Choose', prompt: 'Colour?', choices: ['red', 'green'] },
    { type: 'AskL', prompt: 'Long text' },
    { type: 'Note', prompt: 'a note' },
  ]);

  await using second = await visit(umnGopherd, { allowAskBlock: true });
  const url = askUrl(`${second.base}/00/ask/script%09%09?`, ['Name', 'secret', true, 'red', 'long line']);
  const content = await second.content(url.slice(second.base.length));
  expect(await content.body.text()).toBe('script-out\nName\nsecret\n1\nred\nlong line\n');
  expect(second.peer.received).toBe('0/ask/script\t+\t1\r\n+-1\r\nName\r\nsecret\r\n1\r\nred\r\nlong line\r\n.\r\n');
  expect(JSON.stringify(second.access.events)).not.toContain('secret');
});

test('answers before an empty search are malformed to UMN, hence the single TAB of §3.4.9', () => {
  const malformed = exchanges.find(({ sent }) => sent.startsWith('0/ask/script\t\t+\t1'));
  expect(malformed?.answer).toBe('0Malformed command\t\terror.host\t1\r\n.\r\n');
});

test('the raw answer is there for the parser', async () => {
  await using scene = await visit(umnGopherd);
  const { body } = await scene.listing('/00/ask/fask.txt%09%09!');
  const [item] = parseAttributes(await body.bytes());
  expect(item).toMatchObject({
    admin: 'Test Admin <a@b>',
    views: [{ mediaType: 'text/plain', language: 'En_US', size: '.0k' }],
  });
  expect(item?.ask?.questions).toHaveLength(6);
});

test('a server that takes the empty search for a fault is asked without it', async () => {
  await using scene = await visit(async (connection) => {
    const line = await connection.line();
    await connection.send(line === '/a\t+' ? '+2\r\nok' : '0Malformed command\t\terror.host\t1\r\n.\r\n');
  });
  expect(await (await scene.content('/0/a%09%09+')).body.text()).toBe('ok');
  expect(scene.peer.received).toBe('/a\t\t+\r\n/a\t+\r\n');
  expect(scene.notes()).toEqual([expect.stringContaining('without the empty search')]);
});

/** Serves one exchange's answer, then breaks the connection short of it. */
const broken =
  (octets: string): PeerScript =>
  async (connection) => {
    await connection.line();
    await connection.send(octets);
  };

describe.each([
  ['counted octets', '/0/doc%09%09+', '+5\r\nhello.\r\n', '+5\r\nhel', 'hello'],
  ['lines to a dot', '/0/doc%09%09+', '+-1\r\na\r\n..b\r\n.\r\n', '+-1\r\na\r\n', 'a\r\n.b\r\n'],
])('conformance: %s', (_, path, whole, short, octets) => {
  const checks = driverConformance({
    driver: gopher(),
    url: ({ host, port }) => `gopher://${host}:${port}${path}`,
    serve: answer(whole),
    serveShort: broken(short),
    hostileUrl: ({ host, port }) => `gopher://${host}:${port}/0/doc%09%09+%091%0D%0A+-1%0D%0Aa%0D%0A.%0D%0A`,
    kind: 'content',
    octets: Buffer.from(octets),
  });
  for (const { name, run } of checks) test(name, run);
});

describe.each([
  ['a menu', '/1/%09%09+', '+-1\r\n1A\t/a\th\t70\t+\r\n.\r\n', '+-1\r\n1A\t/a\th\t70\t+\r\n'],
  ['attributes', '/1/%09%09$', '+-1\r\n+INFO: 1A\t/a\th\t70\t+\r\n+ABSTRACT:\r\n a\r\n.\r\n', '+-1\r\n+INFO: 1A\t/a'],
])('conformance: %s', (_, path, whole, short) => {
  const checks = driverConformance({
    driver: gopher(),
    url: ({ host, port }) => `gopher://${host}:${port}${path}`,
    serve: answer(whole),
    serveShort: broken(short),
    hostileUrl: ({ host, port }) => `gopher://${host}:${port}${path}%0D%0Aevil`,
    kind: 'listing',
    names: ['A'],
  });
  for (const { name, run } of checks) test(name, run);
});
