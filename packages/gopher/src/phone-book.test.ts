/** CSO phone books against a scripted ph server: the dialogues are those of RFC 2378 and the protocol's older text. */
import { driverConformance, type PeerScript } from '@retriever/driver/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answer, visit } from '../testing/visit.ts';
import { gopher } from './index.ts';
import { phoneBookLine } from './phone-book-line.ts';

const dorner = [
  '102:There was 1 match to your request.',
  '-200:1:         alias: s-dorner',
  '-200:1:          name: dorner steven c.',
  '-200:1:         email: dorner@garcon.cso.uiuc.edu',
  '-200:1:       address: 181 DCL, MC 256',
  '-200:1:              : 1201 W. Washington, C, 61821',
  '-508:1:         hours: Not present in entry.',
  '-200:2:         alias: m-dorner',
  '-200:2:         hours: 8:00-4:00 weekdays',
  '200:Ok.',
  '',
].join('\r\n');

/** Answers `query` and `fields` and, after `quit`, says good-bye. */
const book =
  (octets: string): PeerScript =>
  async (connection) => {
    await connection.line();
    await connection.send(octets);
    if ((await connection.line()) === 'quit') await connection.send('200:Bye!\r\n');
  };

describe('a query', () => {
  const checks = driverConformance({
    driver: gopher(),
    url: ({ host, port }) => `gopher://${host}:${port}/2%09dorner`,
    serve: book(dorner),
    serveShort: answer(dorner.slice(0, 200)),
    hostileUrl: ({ host, port }) => `gopher://${host}:${port}/2%09dorner%0D%0Adelete%20name=dorner`,
    kind: 'listing',
    names: ['dorner steven c.', 'm-dorner'],
  });
  for (const { name, run } of checks) test(name, run);

  test('lists who matches, a fact for each field', async () => {
    await using scene = await visit(book(dorner));
    expect(await scene.entries('/2%09name=dorner%20return%20all')).toEqual([
      {
        name: 'dorner steven c.',
        rawName: new TextEncoder().encode('dorner steven c.'),
        kind: 'other',
        facts: {
          alias: 's-dorner',
          name: 'dorner steven c.',
          email: 'dorner@garcon.cso.uiuc.edu',
          address: '181 DCL, MC 256\n1201 W. Washington, C, 61821',
        },
      },
      {
        name: 'm-dorner',
        rawName: new TextEncoder().encode('m-dorner'),
        kind: 'other',
        facts: { alias: 'm-dorner', hours: '8:00-4:00 weekdays' },
      },
    ]);
    await scene.peer.drained();
    expect(scene.peer.received).toBe('query name=dorner return all\r\nquit\r\n');
    expect(scene.access.endpoints).toEqual([{ host: '127.0.0.1', port: scene.peer.port }]);
  });

  test.each([
    ['after %09', '/2%09dorner', 'query dorner'],
    ['after a question mark', '/2?dorner', 'query dorner'],
    ['as the selector', '/2dorner%20return%20email', 'query dorner return email'],
    ['octets that are no UTF-8', '/2%09d%F6rner', 'query d\xf6rner'],
  ])('words %s', async (_, path, line) => {
    await using scene = await visit(book(dorner));
    expect(await scene.entries(path)).toHaveLength(2);
    await scene.peer.drained();
    expect(scene.peer.received).toBe(`${line}\r\nquit\r\n`);
  });

  test("the answer in the server's words, to the line that ends it", async () => {
    await using scene = await visit(book(dorner));
    expect(await (await scene.listing('/2%09dorner')).body.text()).toBe(dorner);
  });

  test('only metadata: asks, and hangs up', async () => {
    await using scene = await visit(book(dorner));
    const { body } = await scene.listing('/2%09dorner', { metadataOnly: true });
    expect(await body.bytes()).toHaveLength(0);
    await scene.peer.drained();
  });

  test('cut off at every octet, it never passes for whole', async () => {
    for (let at = 0; at < dorner.length - 6; at += 1) {
      await using scene = await visit(answer(dorner.slice(0, at)));
      await expect(scene.entries('/2%09dorner')).rejects.toThrow(/./);
    }
  });
});

test.each(['/2', '/2%09', '/2/cso', '/2%20'])('%s lists the fields, and says what to do', async (path) => {
  await using scene = await visit(
    book(
      '-200:6:alias:max 32 Indexed Lookup Public\r\n-200:6:alias:Unique name for user.\r\n-200:3:name:max 64\r\n' +
        '-200:3:name:Full name.\r\n200:Ok.\r\n',
    ),
  );
  expect((await scene.entries(path)).map(({ name, facts }) => [name, facts])).toEqual([
    ['alias', { field: 6, properties: 'max 32 Indexed Lookup Public', description: 'Unique name for user.' }],
    ['name', { field: 3, properties: 'max 64', description: 'Full name.' }],
  ]);
  await scene.peer.drained();
  expect(scene.peer.received).toBe('fields\r\nquit\r\n');
  expect(scene.notes()).toEqual([expect.stringContaining('%09words')]);
});

test.each([
  ['501:No matches to your query.\r\n', { code: 'not-found', reply: { code: 501, text: 'No matches to your query.' } }],
  ['502:Too many matches to query.\r\n', { code: 'refused', temporary: false }],
  ['475:Database unavailable; try later.\r\n', { code: 'refused', temporary: true }],
  ['506:You must be logged in to use this command.\r\n', { code: 'credentials' }],
  ['598:Command not recognized.\r\n', { code: 'refused' }],
  ['-515:1:no:More information needed\r\n515:Refused.\r\n', { code: 'refused', reply: { code: 515 } }],
  ['100:Working\r\n501:No matches.\r\n', { code: 'not-found' }],
  ['3No such item\t\terror.host\t1\r\n.\r\n', { code: 'protocol' }],
  ['', { code: 'incomplete' }],
  ['102:There was 1 ma', { code: 'incomplete' }],
])('%j', async (octets, error) => {
  await using scene = await visit(answer(octets));
  await expect(scene.listing('/2%09nobody')).rejects.toMatchObject(error);
  expect(scene.access.sockets.every((socket) => socket.destroyed)).toBe(true);
});

test('no entries at all are an empty listing', async () => {
  await using scene = await visit(book('200:Ok.\r\n'));
  expect(await scene.entries('/2%09x')).toEqual([]);
});

test('a server that gives up in the middle fails the entries', async () => {
  await using scene = await visit(book('-200:1:name:a\r\n475:Going down\r\n'));
  await expect(scene.entries('/2%09x')).rejects.toMatchObject({ code: 'refused', temporary: true });
});

describe('hostile servers', () => {
  const endless =
    (line: (n: number) => string): PeerScript =>
    async (connection) => {
      await connection.line();
      for (let n = 0; ; n += 100) {
        await connection.send(Array.from({ length: 100 }, (_, at) => line(n + at)).join(''));
      }
    };

  test.each([
    ['entries without end', (n: number) => `-200:${n}:name:x\r\n`],
    ['an entry without end', () => `-200:1:name:${'x'.repeat(500)}\r\n`],
    ['lines of a field without end', () => '-200:1::x\r\n'],
    ['a line without end', () => '-200:1:name:xxxxxxxxxx'],
  ])('%s', async (_, line) => {
    await using scene = await visit(endless(line), { maxMenuEntries: 500, maxMenuBytes: 4 * 1024 * 1024 });
    await expect(scene.entries('/2%09x')).rejects.toMatchObject({ code: 'limit' });
    await scene.peer.drained();
  });

  test('field names that are properties of objects are facts like others', async () => {
    await using scene = await visit(book('-200:1:__proto__:a\r\n-200:1:constructor:b\r\n200:Ok.\r\n'));
    const [entry] = await scene.entries('/2%09x');
    expect(Object.entries(entry?.facts ?? {})).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });

  test('leaving the entries early closes the connection', async () => {
    await using scene = await visit(async (connection) => {
      await connection.line();
      await connection.send('-200:1:name:a\r\n-200:2:name:b\r\n');
      await connection.closed();
    });
    for await (const entry of (await scene.listing('/2%09x')).entries) {
      expect(entry.name).toBe('a');
      break;
    }
    await scene.peer.drained();
  });

  test('whatever a line holds, reading it does not throw', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void phoneBookLine(`-200:1:${text}`)));
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void phoneBookLine(text)));
  });
});

test('a menu gives a phone book the port of its own protocol unless it says another', async () => {
  await using scene = await visit(answer('2People\t\tph.example\r\n2Others\t\tph.example\t1105\r\n.\r\n'));
  expect((await scene.entries('/')).map(({ kind, url }) => [kind, url])).toEqual([
    ['search', 'gopher://ph.example:105/2'],
    ['search', 'gopher://ph.example:1105/2'],
  ]);
});
