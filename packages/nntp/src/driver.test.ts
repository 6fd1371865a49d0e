/** What goes over the wire, and what is made of it, server by server. */
import { scriptedPeer } from '@retriever/driver/testing';
import { describe, expect, test } from 'vitest';
import { newsPeer, withText } from '../testing/news-peer.ts';
import { visit } from '../testing/retrieve.ts';

const article = 'Subject: hello\r\nDate: Sat, 03 Feb 2001 04:05:06 +0000\r\n\r\nbody\r\n';
const group = '211 3 1 3 a.group';

describe('an article', () => {
  test('news:id is ARTICLE with angle brackets (RFC 1738 §3.6), and every octet of the id as the URL has it', async () => {
    await using peer = await newsPeer({ responses: { ARTICLE: withText('220 0 <x>', article) } });
    using one = visit();
    expect(await one.text(peer.url('odd%2541/sl%3fq%23h$d+p=e&a!b*c@x.y', 'news'))).toBe(article);
    expect(await one.text(peer.url('caf%e9@x', 'news'))).toBe(article);
    expect(await one.text(peer.url('%3Cin@brackets%3E', 'news'))).toBe(article);
    expect(peer.commands).toEqual([
      'ARTICLE <odd%41/sl?q#h$d+p=e&a!b*c@x.y>',
      'ARTICLE <caf\xe9@x>',
      'ARTICLE <in@brackets>',
    ]);
    expect(peer.connections).toBe(1);
  });

  test('nntp://host/group/number is GROUP and ARTICLE in one segment (RFC 3977 §3.5)', async () => {
    let first = '';
    await using peer = await scriptedPeer(async (connection) => {
      await connection.send('200 ready\r\n');
      first = await new Promise((resolve) =>
        connection.socket.once('readable', () => resolve(String(connection.socket.read()))),
      );
      await connection.send(`${group}\r\n${withText('220 3 <a@b>', article)}\r\n`);
      await connection.closed();
    });
    using one = visit();
    expect(await one.text(`nntp://127.0.0.1:${peer.port}/a.group/3`)).toBe(article);
    expect(first).toBe('GROUP a.group\r\nARTICLE 3\r\n');
  });

  test('a hundred articles come over one session, and GROUP goes out only where another is wanted', async () => {
    await using peer = await newsPeer({ responses: { GROUP: group, ARTICLE: withText('220 0 <a@b>', article) } });
    using one = visit();
    for (let number = 1; number <= 100; number += 1) await one.text(peer.url(`a.group/${number}`));
    await one.text(peer.url('b.group/1'));
    expect(peer.connections).toBe(1);
    expect(peer.commands.filter((line) => line.startsWith('GROUP'))).toEqual(['GROUP a.group', 'GROUP b.group']);
    expect(peer.commands).toHaveLength(103);
  });

  test('a number that is not there in a group selected earlier is asked again after GROUP (RFC 3977 §6.1.1.2)', async () => {
    await using peer = await newsPeer({
      responses: {
        GROUP: group,
        ARTICLE: withText('220 1 <a@b>', article),
        'ARTICLE 4': (_, before) => (before === 0 ? '423 none' : withText('220 4 <a@b>', article)),
      },
    });
    using one = visit();
    await one.text(peer.url('a.group/1'));
    expect(await one.text(peer.url('a.group/4'))).toBe(article);
    expect(peer.commands.slice(2)).toEqual(['ARTICLE 4', 'GROUP a.group', 'ARTICLE 4']);
  });

  test('a refused GROUP hides the article of the group before it', async () => {
    await using peer = await newsPeer({
      responses: { GROUP: group, 'GROUP no.such': '411 no', ARTICLE: withText('220 1 <a@b>', article) },
    });
    using one = visit();
    await one.text(peer.url('a.group/1'));
    expect(await one.failure(peer.url('no.such/1'))).toMatchObject({ code: 'not-found', reply: { code: 411 } });
    expect(await one.text(peer.url('a.group/1'))).toBe(article);
    expect(peer.connections).toBe(1);
    expect(peer.commands.slice(2)).toEqual(['GROUP no.such', 'ARTICLE 1', 'GROUP a.group', 'ARTICLE 1']);
  });

  test('waits for each response where pipelining is off', async () => {
    await using peer = await newsPeer({ responses: { GROUP: '411 no' } });
    using one = visit({ pipelining: false });
    await one.failure(peer.url('a.group/1'));
    expect(peer.commands).toEqual(['GROUP a.group']);
  });

  test('comes whole wherever the packets break', async () => {
    const text = withText('220 0 <a@b>', 'Subject: x\r\n\r\n.\r\n..\r\n.a\r\n\r\n');
    for (let at = 0; at <= text.length + 2; at += 1) {
      await using peer = await scriptedPeer(async (connection) => {
        await connection.send('200 ready\r\n');
        await connection.line();
        await connection.send(`${text}\r\n`.slice(0, at));
        await connection.send(`${text}\r\n`.slice(at));
        await connection.closed();
      });
      using one = visit();
      expect(await one.text(`news://127.0.0.1:${peer.port}/a@b`)).toBe('Subject: x\r\n\r\n.\r\n..\r\n.a\r\n\r\n');
      expect(one.access.idle.size).toBe(1);
    }
  });

  test('metadata: type, date, unfolded and decoded fields in order; the body stays as it is', async () => {
    const text =
      'From: =?ISO-8859-1?Q?J=FCrgen?= <j@x>\r\nSubject: a\r\n b\r\n\tc\r\nsubject: caf\xe9\r\nno field\r\n' +
      'Message-ID: <=?utf-8?q?x?=@y>\r\nDate: Tue, 5 Mar 2002 18:00:30 +0100\r\n\r\nSubject: not a field\r\n';
    await using peer = await newsPeer({ responses: { ARTICLE: withText('220 0 <a@b> here', text) } });
    using one = visit();
    const { metadata, body } = await one.content(peer.url('a@b', 'news'));
    expect(metadata).toEqual({
      mediaType: 'message/rfc822',
      modified: new Date('2002-03-05T17:00:30Z'),
      reply: { code: 220, text: '0 <a@b> here' },
      headers: [
        ['From', 'Jürgen <j@x>'],
        ['Subject', 'a b c'],
        ['subject', 'café'],
        ['Message-ID', '<=?utf-8?q?x?=@y>'],
        ['Date', 'Tue, 5 Mar 2002 18:00:30 +0100'],
      ],
    });
    expect(Buffer.from(await body.bytes()).toString('latin1')).toBe(text);
  });

  test('a header beyond its bound is cut in the metadata alone', async () => {
    const text = `Subject: x\r\nLong: ${'y'.repeat(5000)}\r\n ${'z'.repeat(5000)}\r\nLast: 1\r\n\r\nbody\r\n`;
    await using peer = await newsPeer({ responses: { ARTICLE: withText('220 0 <a@b>', text) } });
    using one = visit({ maxHeaderBytes: 1000 });
    const { metadata, body } = await one.content(peer.url('a@b', 'news'));
    expect(metadata.headers).toEqual([['Subject', 'x']]);
    expect(Buffer.from(await body.bytes()).toString('latin1')).toBe(text);
  });

  test('metadataOnly is HEAD, and the session goes on', async () => {
    const head = 'Subject: hello\r\nDate: Sat, 03 Feb 2001 04:05:06 +0000\r\n';
    await using peer = await newsPeer({ responses: { HEAD: withText('221 0 <a@b>', head) } });
    using one = visit();
    const { metadata, body } = await one.content(peer.url('a@b', 'news'), { metadataOnly: true });
    expect(metadata).toMatchObject({
      modified: new Date('2001-02-03T04:05:06Z'),
      headers: [
        ['Subject', 'hello'],
        ['Date', expect.any(String)],
      ],
    });
    expect(await body.bytes()).toHaveLength(0);
    expect(one.access.idle.size).toBe(1);
  });

  test('ifModifiedSince compares the Date field', async () => {
    const head = 'Date: Sat, 03 Feb 2001 04:05:06 +0000\r\n';
    await using peer = await newsPeer({
      responses: { HEAD: withText('221 0 <a@b>', head), ARTICLE: withText('220 0 <a@b>', article) },
    });
    using one = visit();
    const since = { ifModifiedSince: new Date('2001-02-03T04:05:06Z') };
    expect((await one.content(peer.url('a@b', 'news'), since)).metadata.notModified).toBe(true);
    const before = { ifModifiedSince: new Date('2001-02-03T04:05:05Z') };
    expect(await one.text(peer.url('a@b', 'news'), before)).toBe(article);
  });

  test.each([
    [430, 'not-found', false],
    [423, 'not-found', false],
    [400, 'refused', true],
    [403, 'refused', true],
    [502, 'refused', false],
    [501, 'refused', false],
    [483, 'refused', false],
    [111, 'protocol', false],
    [220.5, 'protocol', false],
  ])('%s is %s', async (code, error, temporary) => {
    await using peer = await newsPeer({ responses: { ARTICLE: `${code} words`, MODE: '500 no' } });
    using one = visit();
    expect(await one.failure(peer.url('a@b', 'news'))).toMatchObject({ code: error, temporary });
  });

  test('ends incomplete when the server goes away before the dot, in the header or behind it', async () => {
    for (const sent of [
      '220 0\r\nSubject: x\r\n',
      '220 0\r\nSubject: x\r\n\r\nbody\r\n',
      '220 0\r\n\r\nbody\r\n.',
      '22',
    ]) {
      await using peer = await scriptedPeer(async (connection) => {
        await connection.send('200 ready\r\n');
        await connection.line();
        await connection.send(sent);
      });
      using one = visit();
      expect(await one.failure(`news://127.0.0.1:${peer.port}/a@b`)).toMatchObject({
        code: sent === '22' ? 'protocol' : 'incomplete',
      });
      expect(one.access.idle.size).toBe(0);
    }
  });

  test('a cancelled body ends the session', async () => {
    await using peer = await newsPeer({ responses: { ARTICLE: '220 0 <a@b>\r\nSubject: x\r\n\r\nthe first of many' } });
    using one = visit();
    const { body } = await one.content(peer.url('a@b', 'news'));
    await body.cancel();
    expect(one.access.idle.size).toBe(0);
    await peer.drained();
  });
});

describe('sessions', () => {
  test.each(['400 idle for too long\r\n', ''])(
    'an idle session that the server ended (%j) is replaced by a new one',
    async (farewell) => {
      await using peer = await scriptedPeer(async (connection) => {
        await connection.send('200 ready\r\n');
        await connection.line();
        await connection.send(`${withText('220 0 <a@b>', article)}\r\n`);
        await connection.line();
        await connection.send(farewell);
      });
      using one = visit();
      expect(await one.text(`news://127.0.0.1:${peer.port}/1@b`)).toBe(article);
      expect(await one.text(`news://127.0.0.1:${peer.port}/2@b`)).toBe(article);
      expect(peer.connections).toBe(2);
    },
  );

  test('a response too many ends the session', async () => {
    await using peer = await newsPeer({
      responses: { ARTICLE: `${withText('220 0 <a@b>', article)}\r\n205 surprise` },
    });
    using one = visit();
    expect(await one.text(peer.url('a@b', 'news'))).toBe(article);
    expect(one.access.idle.size).toBe(0);
  });

  test.each([
    ['400 not now', { code: 'refused', temporary: true }],
    ['502 go away', { code: 'refused', temporary: false }],
    ['503 misconfigured\r\nread the manual\r\n', { code: 'refused' }],
    ['220 an FTP server', { code: 'protocol' }],
    ['SSH-2.0-OpenSSH', { code: 'protocol' }],
  ])('greeting %j', async (greeting, error) => {
    await using peer = await newsPeer({ greeting });
    using one = visit();
    expect(await one.failure(peer.url('a@b', 'news'))).toMatchObject(error);
  });

  test('an idle session is kept alive by DATE, whatever the answer but 400', async () => {
    await using peer = await newsPeer({
      responses: {
        ARTICLE: withText('220 0 <a@b>', article),
        DATE: (_, before) => ['111 20010203040506', '500 what', '400 enough'][before] ?? null,
      },
    });
    using one = visit();
    await one.text(peer.url('a@b', 'news'));
    const [session] = one.access.idle.values();
    await session?.keepAlive?.();
    await session?.keepAlive?.();
    expect(session?.usable).toBe(true);
    await expect(session?.keepAlive?.()).rejects.toMatchObject({ reply: { code: 400 } });
    expect(session?.usable).toBe(false);
  });

  test('MODE READER is sent when the server wants it (401), alone, and once', async () => {
    let reader = false;
    await using peer = await newsPeer({
      responses: {
        GROUP: () => (reader ? group : '401 MODE-READER'),
        ARTICLE: () => (reader ? withText('220 1 <a@b>', article) : '401 MODE-READER'),
        'MODE READER': () => ((reader = true), '200 reader'),
      },
    });
    using one = visit();
    expect(await one.text(peer.url('a.group/1'))).toBe(article);
    expect(await one.text(peer.url('a.group/2'))).toBe(article);
    expect(peer.commands).toEqual([
      'GROUP a.group',
      'ARTICLE 1',
      'MODE READER',
      'GROUP a.group',
      'ARTICLE 1',
      'ARTICLE 2',
    ]);
  });

  test('an old transit server, which knows no GROUP, gets MODE READER too; a refusal of it is the answer', async () => {
    await using peer = await newsPeer({ responses: { 'MODE READER': '502 transit only' } });
    using one = visit();
    expect(await one.failure(peer.url('a.group/1'))).toMatchObject({ code: 'refused', reply: { code: 502 } });
    expect(peer.commands).toEqual(['GROUP a.group', 'ARTICLE 1', 'MODE READER']);
  });

  test('401 for ever is no endless loop', async () => {
    await using peer = await newsPeer({ responses: { ARTICLE: '401 MODE-READER', MODE: '200 yes' } });
    using one = visit();
    expect(await one.failure(peer.url('a@b', 'news'))).toMatchObject({ code: 'refused', reply: { code: 401 } });
  });
});

describe('listing a group', () => {
  const line = (number: string, subject: string): string =>
    `${number}\t${subject}\tA <a@x>\tSat, 03 Feb 2001 04:05:06 +0000\t<${number}@x>\t<0@x> <1@x>\t1234\t12\tXref: x a.group:1\r\n`;

  test('is CAPABILITIES and GROUP, then OVER where it is offered (RFC 3977 §8.3)', async () => {
    await using peer = await newsPeer({
      responses: {
        CAPABILITIES: withText('101 list', 'VERSION 2\r\nREADER\r\nover MSGID\r\n'),
        GROUP: group,
        OVER: withText('224 here', line('1', '=?utf-8?q?caf=C3=A9?=') + line('3', '.dot')),
      },
    });
    using one = visit();
    const entries = await one.entries(peer.url('a.group'));
    expect(entries).toEqual(
      [
        {
          name: 'café',
          rawName: Buffer.from('=?utf-8?q?caf=C3=A9?='),
          kind: 'file',
          url: peer.url('a.group/1'),
          modified: new Date('2001-02-03T04:05:06Z'),
          mediaType: 'message/rfc822',
          facts: {
            number: 1,
            subject: 'café',
            from: 'A <a@x>',
            date: 'Sat, 03 Feb 2001 04:05:06 +0000',
            'message-id': '<1@x>',
            references: '<0@x> <1@x>',
            octets: 1234,
            lines: 12,
          },
        },
        expect.objectContaining({ name: '.dot', url: peer.url('a.group/3') }),
      ].map((entry) => ('rawName' in entry ? { ...entry, rawName: Uint8Array.from(entry.rawName) } : entry)),
    );
    expect(peer.commands).toEqual(['CAPABILITIES', 'GROUP a.group', 'OVER 1-3']);
    await one.entries(peer.url('a.group/2-'));
    expect(peer.commands.slice(3)).toEqual(['GROUP a.group', 'OVER 2-']);
  });

  test('a news: listing leads to news: URLs by message-id, without the password', async () => {
    const hostile = ['<a b@x>', '<no-at>', '<>', 'bare@x', '<//x@y>', '<a%b#c?d@x>', '<caf\xe9@x>'];
    const lines = hostile.map((id, at) => `${at}\ts\tf\t\t${id}\t\t\t\r\n`).join('');
    await using peer = await newsPeer({ responses: { GROUP: group, XOVER: withText('224 here', lines) } });
    using one = visit();
    const entries = await one.entries(peer.url('a.group', 'news', 'alice:secret@'));
    const base = peer.url('', 'news', 'alice@');
    expect(entries.map(({ url }) => url)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      `${base}%2F/x@y`,
      `${base}a%25b%23c?d@x`,
      undefined,
    ]);
  });

  test('sn: CAPABILITIES 500, XOVER', async () => {
    await using peer = await newsPeer({
      greeting: "201 Hi, you can't post (sn version 0.3.8)",
      responses: { GROUP: '211 1 10 10 a.group', XOVER: withText('224 XOVER follows', line('10', 's')) },
    });
    using one = visit();
    expect(await one.entries(peer.url('a.group'))).toHaveLength(1);
    expect(peer.commands).toEqual(['CAPABILITIES', 'GROUP a.group', 'XOVER 10-10']);
  });

  test('without any overview the heads are asked for, pipelined, gaps left out', async () => {
    const numbers = Array.from({ length: 100 }, (_, at) => at + 1);
    await using peer = await newsPeer({
      responses: {
        GROUP: '211 100 1 100 a.group',
        LISTGROUP: withText('211 list', numbers.map((number) => `${number}\r\n`).join('')),
        HEAD: (command) =>
          command === 'HEAD 7'
            ? '423 gone'
            : withText('221 head', `Subject: s\r\n ${command}\r\nMessage-ID: <${command.slice(5)}@x>\r\nLines: 3\r\n`),
      },
    });
    using one = visit();
    const entries = await one.entries(peer.url('a.group/5-90'));
    expect(entries).toHaveLength(85);
    expect(entries[0]).toMatchObject({ name: 's HEAD 5', url: peer.url('a.group/5'), facts: { number: 5, lines: 3 } });
    expect(peer.commands.slice(0, 5)).toEqual([
      'CAPABILITIES',
      'GROUP a.group',
      'XOVER 5-90',
      'LISTGROUP a.group',
      'HEAD 5',
    ]);
    expect(one.access.idle.size).toBe(1);
  });

  test('without LISTGROUP every number between the marks is asked for', async () => {
    await using peer = await newsPeer({
      responses: {
        GROUP: '211 3 4 6 a.group',
        HEAD: (command) => (command === 'HEAD 5' ? '430 no' : withText('221', 'Subject: s')),
      },
    });
    using one = visit({ overview: 'head', pipelining: false });
    expect((await one.entries(peer.url('a.group'))).map(({ facts }) => facts?.['number'])).toEqual([4, 6]);
    using two = visit({ overview: 'head', maxEntries: 2 });
    expect(await two.failure(peer.url('a.group'))).toMatchObject({ code: 'limit' });
  });

  test.each(['211 0 0 0 a.group', '211 0 1 0 a.group', '211 0 5 4 a.group', '211 0 5 5 a.group', '211 7 5 4 a.group'])(
    'an empty group: %s (RFC 3977 §6.1.1.2)',
    async (answer) => {
      await using peer = await newsPeer({ responses: { GROUP: answer } });
      using one = visit();
      expect(await one.entries(peer.url('a.group'))).toEqual([]);
      expect(one.access.idle.size).toBe(1);
    },
  );

  test('a range without articles: 423 to OVER, an empty text to XOVER', async () => {
    await using peer = await newsPeer({
      responses: { GROUP: group, XOVER: (_, before) => (before ? '224 none\r\n.' : '423 none') },
    });
    using one = visit();
    expect(await one.entries(peer.url('a.group/7-9'))).toEqual([]);
    expect(await one.entries(peer.url('a.group/7-9'))).toEqual([]);
  });

  test('the body is the overview in the server’s words; metadataOnly is GROUP alone', async () => {
    await using peer = await newsPeer({ responses: { GROUP: group, XOVER: withText('224 here', line('1', '.s')) } });
    using one = visit();
    expect(await (await one.listing(peer.url('a.group'))).body.text()).toBe(line('1', '.s'));
    const { metadata } = await one.listing(peer.url('a.group'), { metadataOnly: true });
    expect(metadata.reply).toEqual({ code: 211, text: '3 1 3 a.group' });
    expect(peer.commands.at(-1)).toBe('GROUP a.group');
  });

  test('no such group', async () => {
    await using peer = await newsPeer({ responses: { GROUP: '411 no such group' } });
    using one = visit();
    expect(await one.failure(peer.url('a.group'))).toMatchObject({ code: 'not-found', reply: { code: 411 } });
  });

  test('numbers beyond 2^53 stay what they are', async () => {
    const huge = '18446744073709551615';
    await using peer = await newsPeer({
      responses: { GROUP: `211 1 ${huge} ${huge} a.group`, XOVER: withText('224', line(huge, 's')) },
    });
    using one = visit();
    const [entry] = await one.entries(peer.url('a.group'));
    expect(entry).toMatchObject({ url: peer.url(`a.group/${huge}`), facts: { number: huge } });
    expect(peer.commands.at(-1)).toBe(`XOVER ${huge}-${huge}`);
  });

  test('numbers of no sense are refused before anything is sent (RFC 5538 §3)', async () => {
    using one = visit();
    for (const path of ['1'.repeat(21), `1-${'1'.repeat(21)}`, `${'1'.repeat(21)}-`]) {
      expect(await one.failure(`nntp://127.0.0.1:1/a.group/${path}`)).toMatchObject({ code: 'not-found' });
    }
    expect(await one.failure('nntp://127.0.0.1:1/a%20b/1')).toMatchObject({ code: 'policy' });
    expect(await one.failure('news://127.0.0.1:1/a%09b@c')).toMatchObject({ code: 'policy' });
    expect(one.access.endpoints).toEqual([]);
  });

  test('a server that lies: no numbers, lines that are none, no end, lines without end', async () => {
    await using vague = await newsPeer({ responses: { GROUP: '211 a.group' } });
    using one = visit();
    expect(await one.failure(vague.url('a.group'))).toMatchObject({ code: 'protocol' });

    await using garbage = await newsPeer({ responses: { GROUP: group, XOVER: '224\r\nwhat\x1b[2J?\r\n\r\n5\r\n.' } });
    const entries = await one.entries(garbage.url('a.group'));
    expect(entries).toMatchObject([
      { kind: 'error', name: 'what [2J?' },
      { kind: 'file', name: '', facts: { number: 5 } },
    ]);

    await using endless = await scriptedPeer(async (connection) => {
      await connection.send(`200 ready\r\n`);
      await connection.line();
      await connection.send(`500 what\r\n${group}\r\n224 here\r\n`);
      for (;;) await connection.send(line('1', 's').repeat(1000));
    });
    using bounded = visit({ maxEntries: 5000 });
    expect(await bounded.failure(`nntp://127.0.0.1:${endless.port}/a.group`)).toMatchObject({ code: 'limit' });
    using tight = visit({ maxListingBytes: 100_000 });
    expect(await tight.failure(`nntp://127.0.0.1:${endless.port}/a.group`)).toMatchObject({ code: 'limit' });

    await using long = await scriptedPeer(async (connection) => {
      await connection.send(`200 ready\r\n`);
      await connection.line();
      await connection.send(`500 what\r\n${group}\r\n224 here\r\n`);
      for (;;) await connection.send('x'.repeat(10_000));
    });
    expect(await one.failure(`nntp://127.0.0.1:${long.port}/a.group`)).toMatchObject({ code: 'limit' });

    await using greeting = await scriptedPeer(async (connection) => {
      for (;;) await connection.send('2'.repeat(10_000));
    });
    expect(await one.failure(`nntp://127.0.0.1:${greeting.port}/a.group`)).toMatchObject({ code: 'limit' });
  });
});

describe('listing groups', () => {
  const newsgroups = withText('215 descriptions', 'a.group\tThe first\r\nb.group Caf\xe9, as sn sends it\r\n');

  test('news:* is LIST COUNTS where it is offered (RFC 6048 §3), with descriptions', async () => {
    await using peer = await newsPeer({
      responses: {
        CAPABILITIES: withText('101', 'VERSION 2\r\nREADER\r\nLIST ACTIVE COUNTS NEWSGROUPS\r\n'),
        'LIST NEWSGROUPS': newsgroups,
        'LIST COUNTS': withText('215', 'a.group 0000000012 0000000003 9 y\r\nb.group 0 1 0 m\r\n'),
      },
    });
    using one = visit();
    expect(await one.entries(peer.url('*', 'news'))).toMatchObject([
      {
        name: 'a.group',
        kind: 'directory',
        url: peer.url('a.group', 'news'),
        facts: { low: 3, high: 12, count: 9, status: 'y', description: 'The first' },
      },
      { name: 'b.group', facts: { low: 1, high: 0, count: 0, status: 'm', description: 'Café, as sn sends it' } },
    ]);
    expect(peer.commands).toEqual(['CAPABILITIES', 'LIST NEWSGROUPS', 'LIST COUNTS']);
    const [entry] = await one.entries(peer.url(''));
    expect(entry?.url).toBe(peer.url('a.group'));
  });

  test('a wildmat goes with both (RFC 5538 §4)', async () => {
    await using peer = await newsPeer({ responses: { LIST: withText('215', 'a.group 2 1 y\r\n') } });
    using one = visit();
    expect(await one.entries(peer.url('a.*', 'news'))).toHaveLength(1);
    expect(peer.commands).toEqual(['CAPABILITIES', 'LIST NEWSGROUPS a.*', 'LIST ACTIVE a.*']);
  });

  test('RFC 977: LIST alone, no descriptions', async () => {
    await using peer = await newsPeer({
      responses: {
        'LIST NEWSGROUPS': '500 what',
        'LIST ACTIVE': '501 what',
        LIST: withText('215', 'a.group 2 1 y\r\n'),
      },
    });
    using one = visit();
    expect(await one.entries(peer.url('*', 'news'))).toMatchObject([
      { name: 'a.group', facts: { low: 1, high: 2, status: 'y' } },
    ]);
  });

  test('names that are no groups lead nowhere; too many descriptions are left out', async () => {
    const names = ['*', 'a/b', 'a@b', 'a,b', '<x>', '\x1b[2J', 'caf\xe9', 'ok-1.b_c+d'];
    await using peer = await newsPeer({
      responses: {
        'LIST NEWSGROUPS': newsgroups,
        'LIST ACTIVE': withText('215', names.map((name) => `${name} 99999999999999999999 1 y\r\n`).join('')),
      },
    });
    using one = visit({ maxDescriptionBytes: 10 });
    const entries = await one.entries(peer.url('*', 'news'));
    expect(entries.map(({ url }) => url?.slice(peer.url('', 'news').length))).toEqual([
      ...Array<undefined>(6).fill(undefined),
      'caf%E9',
      'ok-1.b_c+d',
    ]);
    expect(entries[0]?.facts).toEqual({ low: 1, high: '99999999999999999999', status: 'y' });
    expect(one.talk).toContain('note some descriptions of groups are left out: there are too many');
  });

  test('MODE-READER among the capabilities means MODE READER first (RFC 3977 §5.2.2)', async () => {
    let reader = false;
    await using peer = await newsPeer({
      responses: {
        CAPABILITIES: () => withText('101', reader ? 'VERSION 2\r\nREADER\r\n' : 'VERSION 2\r\nMODE-READER\r\n'),
        'MODE READER': () => ((reader = true), '201 reader'),
        LIST: withText('215', 'a.group 2 1 y\r\n'),
      },
    });
    using one = visit();
    await one.entries(peer.url('*', 'news'));
    expect(peer.commands).toEqual(['CAPABILITIES', 'MODE READER', 'CAPABILITIES', 'LIST NEWSGROUPS', 'LIST ACTIVE']);
  });
});
