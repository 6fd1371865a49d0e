/** Gopher+ against scripted servers that do what UMN's did not do in the transcript: lie, move things, ignore it. */
import type { Reference } from '@retriever/driver';
import type { PeerScript } from '@retriever/driver/testing';
import { describe, expect, test } from 'vitest';
import { answer, visit } from '../testing/visit.ts';
import { gopherPlusOf, gopherView } from './gopher-plus.ts';
import { askUrl } from './index.ts';
import { replyHeader } from './reply-header.ts';

const octets = (latin1: string): Uint8Array => Buffer.from(latin1, 'latin1');

describe('a Gopher+ string', () => {
  test.each([
    ['+', { kind: 'view', view: undefined, answers: false }],
    [
      '+application/postscript Es_ES',
      { kind: 'view', view: { mediaType: 'application/postscript', language: 'Es_ES' }, answers: false },
    ],
    ['+Text/plain', { kind: 'view', view: { mediaType: 'text/plain' }, answers: false }],
    ['+\t1\r\n+-1\r\nx\r\n.\r\n', { kind: 'view', view: undefined, answers: true }],
    ['+\t0', { kind: 'view', view: undefined, answers: false }],
    ['!', { kind: 'attributes', of: 'item', names: [] }],
    ['$', { kind: 'attributes', of: 'directory', names: [] }],
    ['!+ABSTRACT +Smell', { kind: 'attributes', of: 'item', names: ['ABSTRACT', 'SMELL'] }],
    ['$+ABSTRACT+VIEWS', { kind: 'attributes', of: 'directory', names: ['ABSTRACT', 'VIEWS'] }],
    ['?', { kind: 'form' }],
    ['??', { kind: 'unknown' }],
    ['x', { kind: 'unknown' }],
  ])('%j', (text, meaning) => expect(gopherPlusOf(octets(text))).toEqual(meaning));

  test.each([
    ['text/plain; charset=UTF-8 Fr_FR', { mediaType: 'text/plain', charset: 'utf-8', language: 'Fr_FR' }],
    ['text/plain;charset="latin1"', { mediaType: 'text/plain', charset: 'latin1' }],
    ['Directory+/recursive', { mediaType: 'directory+/recursive' }],
    ['Text/plain <script>', { mediaType: 'text/plain' }],
    ['  ', undefined],
    ['text', undefined],
    ['a/b\u0001', undefined],
  ])('a view %j', (text, view) => expect(gopherView(text)).toEqual(view));
});

describe('a header', () => {
  test.each([
    ['+43\r\n', { text: '+43', success: true, ends: 'count', count: 43, length: 5 }],
    ['+-1\r\nx', { text: '+-1', success: true, ends: 'dot', count: 0, length: 5 }],
    ['+-2\r\n', { text: '+-2', success: true, ends: 'close', count: 0, length: 5 }],
    ['--1\r\n', { text: '--1', success: false, ends: 'dot', count: 0, length: 5 }],
    ['-17\r\n', { text: '-17', success: false, ends: 'count', count: 17, length: 5 }],
    ['+0 \r\n', { text: '+0', success: true, ends: 'count', count: 0, length: 5 }],
    ['', 'more'],
    ['+', 'more'],
    ['+-', 'more'],
    ['+-1\r', 'more'],
    ['+999999999999999', 'more'],
    // Texts that begin so.
    ['+5\n', undefined],
    ['+5 apples\r\n', undefined],
    ['+-3\r\n', undefined],
    ['+1234567890123456\r\n', undefined],
    ['+ \r\n', undefined],
    ['--\r\n', undefined],
    ['-- a comment', undefined],
    ['+INFO: 0a', undefined],
    ['0A menu', undefined],
    [`+1${' '.repeat(40)}`, undefined],
  ])('%j', (text, header) => expect(replyHeader(octets(text))).toEqual(header));
});

describe('replies', () => {
  test.each([
    ['counted octets', '+5\r\nhello', 'hello', 5],
    ["the lone dot that UMN sends after them is nobody's", '+5\r\nhello.\r\n', 'hello', 5],
    ['the same on a line of its own', '+5\r\nhello\r\n.\r\n', 'hello', 5],
    ['no octets', '+0\r\n', '', 0],
    ['dots among counted octets', '+9\r\n..\r\n.\r\n..', '..\r\n.\r\n..', 9],
    ['lines to a dot', '+-1\r\na\r\n..b\r\n.\r\n', 'a\r\n.b\r\n', undefined],
    ['a lone dot in the middle, which UMN does not stuff', '+-1\r\na\n.\nb\n.\r\n', 'a\n.\nb\n', undefined],
    ['nothing but the dot', '+-1\r\n.\r\n', '', undefined],
    ['octets to the close', '+-2\r\na\r\n.\r\n..', 'a\r\n.\r\n..', undefined],
    ['a header inside', '+-2\r\n+5\r\n', '+5\r\n', undefined],
  ])('%s', async (_, wire, body, size) => {
    await using scene = await visit(answer(wire));
    const content = await scene.content('/0/x%09%09+');
    expect(content.metadata).toEqual({ mediaType: 'text/plain', ...(size !== undefined && { size }) });
    expect(content.body.size).toBe(size);
    expect(await content.body.text()).toBe(body);
    expect(scene.notes()).toEqual([]);
    await scene.peer.drained();
  });

  test('a counted image', async () => {
    const image = Uint8Array.from({ length: 300_000 }, (_, n) => (n * 7) % 256);
    await using scene = await visit(answer(Buffer.concat([octets('+300000\r\n'), image])));
    const { body, metadata } = await scene.content('/I/a.png%09%09+');
    expect(metadata).toEqual({ mediaType: 'image/png', size: 300_000 });
    expect(Buffer.compare(await body.bytes(), image)).toBe(0);
  });

  test.each([
    ['/0/x%09%09+application/postscript%20Es_ES', { mediaType: 'application/postscript', language: 'Es-ES' }],
    ['/0/x%09%09+text/plain;charset=utf-8', { mediaType: 'text/plain', charset: 'utf-8' }],
    ['/1/x%09%09+text/html%20En_US', { mediaType: 'text/html', language: 'En-US' }],
  ])('%s is content of the type asked for (§3.4.8)', async (path, metadata) => {
    await using scene = await visit(answer('+-2\r\n%!PS'));
    const content = await scene.content(path);
    expect(content.metadata).toEqual(metadata);
    expect(await content.body.text()).toBe('%!PS');
  });

  test.each([
    ['+-1', '1A\t/a\th\t70\t+\r\n.\r\n'],
    ['+-2', '1A\t/a\th\t70\t+\r\n'],
    ['+14', '1A\t/a\th\t70\t+\r\n'],
    ['+14', '1A\t/a\th\t70\t+\r\n.\r\n'],
  ])('a menu after %s', async (header, menu) => {
    for (const path of ['/1/x%09%09+', '/7/x%09words%09+', '/1/x%09%09+application/gopher-menu']) {
      await using scene = await visit(answer(`${header}\r\n${menu}`));
      expect((await scene.entries(path)).map(({ url }) => url)).toEqual(['gopher://h/1/a']);
      expect(scene.notes()).toEqual([]);
    }
  });

  test('a directory as Gopher+ menu is attributes', async () => {
    await using scene = await visit(answer('+-2\r\n+INFO: 0A\t/a\th\t70\t+\r\n+ABSTRACT:\r\n all\r\n'));
    const [entry] = await scene.entries('/1/x%09%09+application/gopher+-menu');
    expect(entry).toMatchObject({ name: 'A', facts: { abstract: 'all' } });
  });

  test('only metadata: hangs up after the header', async () => {
    for (const path of ['/0/x%09%09+', '/1/x%09%09$', '/1/x%09%09+']) {
      await using scene = await visit(async (connection) => {
        await connection.line();
        await connection.send('+1000000\r\nabc');
        await connection.closed();
      });
      const retrieval = await scene.retrieve(path, { metadataOnly: true });
      if (retrieval.kind !== 'content' && retrieval.kind !== 'listing') throw new TypeError(retrieval.kind);
      expect(retrieval.metadata.size).toBe(1_000_000);
      expect(await retrieval.body.bytes()).toHaveLength(0);
      await scene.peer.drained();
    }
  });
});

describe('lies', () => {
  test.each([
    ['fewer octets than announced', '+10\r\nhello', 'incomplete'],
    ['a huge count', '+999999999999999\r\nhello', 'incomplete'],
    ['more octets than announced', '+2\r\nhello', 'protocol'],
    ['a few more', '+4\r\nhello', 'protocol'],
    ['many more', `+4\r\n${'x'.repeat(100_000)}`, 'protocol'],
    ['two dots after the count', '+5\r\nhello.\r\n.\r\n', 'protocol'],
    ['no dot where one was promised', '+-1\r\nhello\r\n', 'incomplete'],
    ['a dot that is no line', '+-1\r\nhello.\r\n', 'incomplete'],
    ['a header and no more', '+5\r\n', 'incomplete'],
    ['half a header', '+5', 'incomplete'],
  ])('%s', async (_, wire, code) => {
    await using scene = await visit(answer(wire));
    const failure = scene.content('/0/x%09%09+').then(({ body }) => body.bytes());
    await expect(failure).rejects.toMatchObject({ code });
    await scene.peer.drained();
    await using menu = await visit(answer(wire));
    await expect(menu.entries('/1/x%09%09+')).rejects.toMatchObject({ code });
    await menu.peer.drained();
  });

  test('a reset after the last octet announced loses nothing', async () => {
    const script: PeerScript = async (connection) => {
      await connection.line();
      await connection.send('+5\r\nhello');
      await new Promise((resolve) => setTimeout(resolve, 20));
      connection.reset();
      await new Promise(() => undefined);
    };
    await using scene = await visit(script);
    expect(await (await scene.content('/0/x%09%09+')).body.text()).toBe('hello');
  });

  test('a sink that fails on the last octets is not hidden by the count', async () => {
    await using scene = await visit(answer('+5\r\nhello'));
    const { body } = await scene.content('/0/x%09%09+');
    await expect(body.pipeTo(() => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full');
  });
});

describe('errors', () => {
  test.each([
    [
      '--1\r\n1 Joe <j@h>\r\nNo such item\r\n.\r\n',
      { code: 'not-found', reply: { code: 1, text: 'Joe <j@h>\nNo such item' } },
    ],
    ['--2\r\n2 Joe <j@h>\r\nBusy\r\n', { code: 'refused', temporary: true, message: 'the server says: Busy' }],
    ['-23\r\n1 Joe <j@h>\r\nNot here\r\n.\r\n', { code: 'not-found', reply: { code: 1, text: 'Joe <j@h>\nNot here' } }],
    ['--1\r\n3 Joe <j@h>\r\nMoved, ask me where\r\n.\r\n', { code: 'refused', temporary: false, reply: { code: 3 } }],
    ['--1\r\n9 Joe <j@h>\r\nNew in 1994\r\n.\r\n', { code: 'refused', reply: { code: 9 } }],
    ['--1\r\n1\r\n.\r\n', { code: 'not-found', reply: { code: 1, text: '' } }],
    ['--1\r\nNo code\r\n.\r\n', { code: 'refused', reply: { code: 0, text: 'No code' } }],
    ['--1\r\n', { code: 'refused', reply: { code: 0, text: '' } }],
    ['--1\r\n1 Joe <j@h>\r\nbroken o', { code: 'not-found', reply: { code: 1, text: 'Joe <j@h>\nbroken o' } }],
  ])('%j', async (wire, error) => {
    for (const path of ['/0/x%09%09+', '/1/x%09%09$', '/0/x%09%09!', '/7/x%09y%09+']) {
      await using scene = await visit(answer(wire));
      await expect(scene.retrieve(path)).rejects.toMatchObject(error);
      await scene.peer.drained();
    }
  });

  test('an error without end is read so far and no further', async () => {
    const script: PeerScript = async (connection) => {
      await connection.line();
      await connection.send('--1\r\n1 Joe\r\n');
      for (;;) await connection.send('no '.repeat(1000));
    };
    await using scene = await visit(script);
    await expect(scene.retrieve('/0/x%09%09+')).rejects.toMatchObject({ code: 'not-found' });
    await scene.peer.drained();
  });

  test.each([
    ['--1\r\n3 0Doc\t/new\tother.example\t70\t+\r\n.\r\n', '/0/x%09%09+', 'gopher://other.example/0/new%09%09+'],
    [
      '--1\r\n3 Joe <j@h>\r\n0Doc\t/new\tother.example\t7070\r\n.\r\n',
      '/0/x%09%09!+ADMIN',
      'gopher://other.example:7070/0/new%09%09!+ADMIN',
    ],
    ['--1\r\n3\r\n1Doc\t/new\tother.example\t70\t?\r\n.\r\n', '/1/x%09%09?', 'gopher://other.example/1/new%09%09?'],
    [
      '--2\r\n3\r\n7Find\t/new\tother.example\t70\t+\r\n',
      '/7/x%09two%20words%09+',
      'gopher://other.example/7/new%09two%20words%09+',
    ],
    ['--2\r\n3\r\nhWeb\tURL:http://web.example/\tother.example\t70\r\n', '/0/x%09%09+', 'http://web.example/'],
  ])('%j: the item has moved', async (wire, path, target) => {
    await using scene = await visit(answer(wire));
    const reference = (await scene.retrieve(path)) as Reference;
    expect(reference).toMatchObject({ kind: 'reference', target, metadata: { reply: { code: 3 } } });
    expect(await reference.body?.text()).not.toBe('');
    await scene.peer.drained();
  });

  test.each([
    ['a script', '--2\r\n3\r\nhX\tURL:javascript:alert(1)\th\t70\r\n'],
    ['a local file', '--2\r\n3\r\nhX\tURL:file:///etc/passwd\th\t70\r\n'],
    ['no port', '--2\r\n3\r\n0X\t/x\th\t99999\r\n'],
    [
      'a form filled in by the server',
      '--2\r\n3\r\nhX\tURL:gopher://h/0/x%09%09+%091%0D%0A+-1%0D%0A.%0D%0A\th\t70\r\n',
    ],
  ])('moved to %s: refused', async (_, wire) => {
    await using scene = await visit(answer(wire));
    await expect(scene.retrieve('/0/x%09%09+')).rejects.toMatchObject({ code: 'refused' });
  });

  test('answers to a form do not go where the server points', async () => {
    await using scene = await visit(answer('--1\r\n3 0Doc\t/new\tother.example\t70\t?\r\n.\r\n'), {
      allowAskBlock: true,
    });
    const path = askUrl(`${scene.base}/0/x`, ['secret']).slice(scene.base.length);
    expect(await scene.retrieve(path)).toMatchObject({ target: 'gopher://other.example/0/new%09%09?' });
  });
});

describe('a server that ignores Gopher+', () => {
  const ignored = expect.stringContaining('ignored the Gopher+ string') as string;

  test.each([
    ['a text', 'one\r\n.two\r\n.\r\n', 'one\r\n.two\r\n'],
    ['a text without a lone dot', 'one\n', 'one\n'],
    ['an empty text', '', ''],
    ['a text that begins with a plus sign', '+5 apples\r\n.\r\n', '+5 apples\r\n'],
    ['a text that begins with a number, on a Unix line', '+5\napples\n.\r\n', '+5\napples\n'],
    ['a text that begins with a negative number', '-5\r\napples\r\n.\r\n', '-5\r\napples\r\n'],
    ['a text that begins with a negative number and another', '-12\r\n-13\r\n.\r\n', '-12\r\n-13\r\n'],
    ['a text of comments', '-- a\r\n-- b\r\n.\r\n', '-- a\r\n-- b\r\n'],
  ])('sends %s: that is what there is', async (_, wire, text) => {
    await using scene = await visit(answer(wire));
    const { body, metadata } = await scene.content('/0/x%09%09+application/postscript%20Es_ES');
    expect(metadata).toEqual({ mediaType: 'text/plain' });
    expect(await body.text()).toBe(text);
    expect(scene.notes()).toContainEqual(ignored);
    await scene.peer.drained();
  });

  test.each(['/1/x%09%09+', '/1/x%09%09!', '/1/x%09%09$', '/1/x%09%09+text/html'])('%s: the menu', async (path) => {
    await using scene = await visit(answer('1A\t/a\th\t70\r\n.\r\n'));
    expect((await scene.entries(path)).map(({ name }) => name)).toEqual(['A']);
    expect(scene.notes()).toEqual([ignored]);
  });

  test('an object, untouched', async () => {
    await using scene = await visit(answer('GIF89a\r\n.\r\n'));
    expect(await (await scene.content('/g/x%09%09!')).body.text()).toBe('GIF89a\r\n.\r\n');
  });

  test.each([
    ['/0/x%09%09!+ABSTRACT%20+SMELL', '/x\t\t!+ABSTRACT +SMELL\r\n/x\t\t!\r\n'],
    ['/1/x%09%09$+VIEWS', '/x\t\t$+VIEWS\r\n/x\t\t$\r\n'],
    ['/0/x%09%09?', '/x\t\t!+ASK\r\n/x\t\t!\r\n'],
  ])('%s: asked for all attributes before it is given up', async (path, received) => {
    await using scene = await visit(answer('1A\t/a\th\t70\r\n.\r\n'));
    await scene.retrieve(path);
    expect(scene.peer.received).toBe(received);
    expect(scene.notes()).toContainEqual(ignored);
  });

  test('attributes by name where all come only together (pygopherd)', async () => {
    await using scene = await visit(async (connection) => {
      const line = await connection.line();
      await connection.send(line.endsWith('!') ? '+-2\r\n+INFO: 0A\t/x\th\t70\t+\r\n+ASK:\r\n Ask: Name?\r\n' : 'text');
    });
    const [item] = await scene.entries('/0/x%09%09?');
    expect(item?.facts?.['ask']).toBe('Ask: Name?');
    expect(scene.notes()).toEqual([expect.stringContaining('by name')]);
  });

  test('says no plainly', async () => {
    await using scene = await visit(answer("3'/x' does not exist\t\terror.host\t1\r\n"));
    await expect(scene.retrieve('/0/x%09%09+')).rejects.toMatchObject({ code: 'not-found', reply: { code: 3 } });
    expect(scene.peer.received).toBe('/x\t\t+\r\n/x\t+\r\n');
  });
});

describe('forms', () => {
  test('an item without one is listed, and the trace says so', async () => {
    await using scene = await visit(answer('+-2\r\n+INFO: 0A\t/x\th\t70\t+\r\n+ADMIN:\r\n Admin: a\r\n'));
    expect(await scene.entries('/0/x%09%09?')).toMatchObject([{ name: 'A', facts: { type: '0', gopherPlus: '+' } }]);
    expect(scene.notes()).toEqual([expect.stringContaining('no form')]);
  });

  test('attributes without +INFO belong to the item asked about', async () => {
    await using scene = await visit(answer('+-2\r\n+ABSTRACT:\r\n a\r\n'));
    expect(await scene.entries('/0/x%09%09!+ABSTRACT')).toEqual([
      {
        name: '/x',
        rawName: new TextEncoder().encode('/x'),
        kind: 'file',
        url: `${scene.base}/0/x`,
        facts: { abstract: 'a' },
      },
    ]);
  });

  test('answers are refused unless the driver was told to send them, and nobody is asked', async () => {
    await using scene = await visit(answer('+0\r\n'));
    const path = askUrl(`${scene.base}/0/x`, ['a']).slice(scene.base.length);
    await expect(scene.retrieve(path)).rejects.toMatchObject({
      code: 'policy',
      message: expect.stringContaining('allowAskBlock') as string,
    });
    expect(scene.peer.connections).toBe(0);
  });
});

describe('hostile attributes', () => {
  const endless =
    (start: string, line: string): PeerScript =>
    async (connection) => {
      await connection.line();
      await connection.send(`+-1\r\n${start}`);
      for (;;) await connection.send(line.repeat(200));
    };

  test.each([
    ['items without end', '', '+INFO: 0A\t/a\th\t70\t+\r\n'],
    ['an abstract without end', '+INFO: 0A\t/a\th\t70\t+\r\n+ABSTRACT:\r\n', ` ${'x'.repeat(500)}\r\n`],
    ['attributes without end', '+INFO: 0A\t/a\th\t70\t+\r\n', '+X:\r\n'],
    ['a line without end', '+INFO: ', 'xxxxxxxxxx'],
    ['lines of nothing', '', 'xxxxxx\r\n'],
  ])('%s', async (_, start, line) => {
    await using scene = await visit(endless(start, line), { maxMenuEntries: 500 });
    await expect(scene.entries('/1/x%09%09$')).rejects.toMatchObject({ code: 'limit' });
    await scene.peer.drained();
  });
});

test('a + item has the URL that every server understands, a ? item that of its form (§3.4.4)', async () => {
  await using scene = await visit(
    answer('0A\t/a\th\t70\t+\r\n0B\t/b\th\t70\t?\r\n7C\t/c\th\t70\t?\r\n8D\tguest\th\t23\t?\r\n.\r\n'),
  );
  expect((await scene.entries('/')).map(({ url, facts }) => [url, facts?.['gopherPlus']])).toEqual([
    ['gopher://h/0/a', '+'],
    ['gopher://h/0/b%09%09?', '?'],
    ['gopher://h/7/c%09%09?', '?'],
    ['telnet://guest@h/', '?'],
  ]);
});

test('a search engine tells its attributes without words', async () => {
  await using scene = await visit(answer('+-2\r\n+INFO: 7Find\t/find\th\t70\t+\r\n'));
  expect(await scene.entries('/7/find%09%09!')).toMatchObject([{ name: 'Find', kind: 'search' }]);
  expect(scene.notes()).toEqual([]);
});

test('a URL: item is asked for its attributes', async () => {
  await using scene = await visit(
    answer('+-2\r\n+INFO: hWeb\tURL:http://w.example/\th\t70\t+\r\n+ABSTRACT:\r\n a\r\n'),
  );
  expect(await scene.entries('/hURL:http://w.example/%09%09!')).toMatchObject([
    { kind: 'link', url: 'http://w.example/', facts: { abstract: 'a' } },
  ]);
});

test('a moved item keeps the octets of its selector', async () => {
  await using scene = await visit(answer('--1\r\n 3  0Doc\t/caf\xe9\tother.example\t70\r\n.\r\n'));
  expect(await scene.retrieve('/0/x%09%09+')).toMatchObject({ target: 'gopher://other.example/0/caf%E9%09%09+' });
});

test('the trace shows the header that came', async () => {
  await using scene = await visit(answer('+5\r\nhello'));
  await (await scene.content('/0/x%09%09+')).body.text();
  expect(scene.access.events).toEqual([
    { type: 'sent', text: '/x\t\t+' },
    { type: 'received', text: '+5' },
  ]);
});

test('what is unknown of Gopher+ is sent once, as it is', async () => {
  await using scene = await visit(answer("3'/x' does not exist\t\terror.host\t1\r\n"));
  await expect(scene.retrieve('/0/x%09%09@strange')).rejects.toMatchObject({ code: 'not-found' });
  expect(scene.peer.received).toBe('/x\t\t@strange\r\n');
});
