/** News against INN, which speaks RFC 3977, and sn, which speaks RFC 977. */
import { createHash } from 'node:crypto';
import { createClient, type Client, type ClientOptions } from '@retriever/client';
import type { Realm } from '@retriever/driver';
import { nntp, type NntpOptions } from '@retriever/nntp';
import { describe, expect, inject, test, vi } from 'vitest';
import { asking, type Asking } from './asking.ts';
import { run } from '../containers/command.ts';
import { startDisposable } from '../containers/disposable.ts';

const { inn, sn } = inject('news');

interface Visit extends Asking, AsyncDisposable {
  readonly client: Client;
  /** The commands and responses so far. */
  readonly talk: readonly string[];
  /** How many connections were made. */
  readonly connections: number;
}

/** A client of one test's own. */
function visit(options?: NntpOptions, clientOptions?: Omit<ClientOptions, 'drivers'>): Visit {
  const talk: string[] = [];
  let connections = 0;
  const client = createClient({
    drivers: [nntp(options)],
    ...clientOptions,
    trace(event) {
      if (event.type === 'sent' || event.type === 'received') talk.push(event.text);
      else if (event.type === 'secured') talk.push('secured');
      else if (event.type === 'connected') connections += 1;
    },
  });
  return {
    client,
    talk,
    get connections() {
      return connections;
    },
    ...asking(client),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

const bodyOf = (article: string): string => article.slice(article.indexOf('\r\n\r\n') + 4);
const fox = 'The quick brown fox jumps\r\nover a lazy dog.\r\n';
const login = { credentials: { user: 'alice', password: 'wonderland' } };

describe.each([
  ['INN', `${inn.host}:${inn.port}`, 1],
  ['sn', `${sn.host}:${sn.port}`, 10],
] as const)('%s', (name, address, first) => {
  const byId = (id: string): string => `news://${address}/${id}@fixture.test`;
  const byNumber = (group: string, nth: number): string => `nntp://${address}/${group}/${first + nth}`;

  test('an article by message-id and by number, its header as metadata', async () => {
    await using one = visit();
    const { metadata, body } = await one.content(byId('plain'));
    expect(metadata).toMatchObject({ mediaType: 'message/rfc822', modified: new Date('2001-02-03T04:05:06Z') });
    expect(metadata.headers).toContainEqual(['Subject', 'A plain article']);
    const article = await body.text();
    expect(bodyOf(article)).toBe(fox);
    expect(article).toContain('\r\nMessage-ID: <plain@fixture.test>\r\n');
    expect(await one.text(byNumber('fixture.plain', 0))).toBe(article);
    expect(one.connections).toBe(1);
  });

  test('dots, 8-bit octets, folded fields and encoded-words', async () => {
    await using one = visit();
    const dots = 'first\r\n.\r\n..\r\n.leading\r\n..double\r\nin . side\r\n.\r\nlast\r\n';
    expect(bodyOf(await one.text(byNumber('fixture.plain', 1)))).toBe(dots);
    const eight = await one.content(byId('8-bit'));
    expect(eight.metadata.headers).toContainEqual(['Subject', 'Café in raw UTF-8']);
    const octets = Buffer.from(await eight.body.bytes()).toString('latin1');
    expect(bodyOf(octets)).toBe('caf\xe9 cr\xe8me in Latin-1\r\n\x80\xff\r\n');
    const words = await one.content(byId('words'));
    expect(words.metadata.headers).toContainEqual(['Subject', 'Über drüben & drüber (encoded)']);
    expect(words.metadata.headers).toContainEqual(['From', 'Jürgen Müller <jm@fixture.test>']);
    expect(words.metadata.modified).toEqual(new Date('2002-03-05T17:00:30Z'));
    expect(await words.body.text()).toContain('\r\nSubject: =?UTF-8?B?w5xiZXI=?=');
    const folded = await one.content(byId('folded'), { metadataOnly: true });
    const subject = folded.metadata.headers?.find(([field]) => field === 'Subject')?.[1];
    expect(subject?.replace(/\s+/g, ' ')).toBe('A subject that is folded three times over');
    const references = folded.metadata.headers?.find(([field]) => field === 'References')?.[1];
    expect(references?.split(/\s+/)).toHaveLength(22);
  });

  test('a line of 20,000 octets, 4.5 MB, and 20,000 lines that begin with a dot', async () => {
    await using one = visit();
    expect(bodyOf(await one.text(byId('long-line')))).toBe(`${'x'.repeat(20_000)}\r\nshort\r\n`);
    const large = Array.from(
      { length: 62_500 },
      (_, at) =>
        `${String(at + 1).padStart(7, '0')} .dots. and the rest of a line of seventy-two octets ..............\r\n`,
    ).join('');
    expect(bodyOf(await one.text(byId('large'))) === large).toBe(true);
    const hash = createHash('sha256');
    const { body } = await one.content(byNumber('fixture.long', 2));
    await body.pipeTo((chunk) => void hash.update(chunk));
    const again = createHash('sha256').update(await one.text(byId('dot-lines')), 'latin1');
    expect(hash.digest('hex')).toBe(again.digest('hex'));
    expect(bodyOf(await one.text(byId('dot-lines')))).toBe(
      Array.from({ length: 20_000 }, (_, at) => `.${at + 1}\r\n`).join(''),
    );
  });

  test('a cross-posted article is one in two groups; parts stay together; an odd id is found', async () => {
    await using one = visit();
    const cross = await one.text(byId('cross'));
    expect(bodyOf(cross)).toBe('twice, and once\r\n');
    expect(await one.text(byNumber('fixture.cross.a', 0))).toBe(cross);
    // sn writes an Xref of its own for each group
    const inB = await one.text(byNumber('fixture.cross.b', 0));
    expect(inB.replace(/^Xref: .*/m, '')).toBe(cross.replace(/^Xref: .*/m, ''));
    expect(bodyOf(await one.text(byId('multipart')))).toMatch(/--=_fixture\r\n[^]*R0lGOD[^]*\r\n--=_fixture--\r\n$/);
    expect(bodyOf(await one.text(`news://${address}/odd%2541/sl?q%23h$d+p=e&a!b*c@fixture.test`))).toBe('odd\r\n');
    expect(bodyOf(await one.text(byId('empty')))).toBe(name === 'sn' ? '\r\n' : '');
  });

  test('what is not there is not found, and the session goes on', async () => {
    await using one = visit();
    await expect(one.content(byId('nosuch'))).rejects.toMatchObject({ code: 'not-found', reply: { code: 430 } });
    await expect(one.content(`nntp://${address}/no.such/1`)).rejects.toMatchObject({ code: 'not-found' });
    await expect(one.listing(`news://${address}/no.such`)).rejects.toMatchObject({ code: 'not-found' });
    await expect(one.content(byNumber('fixture.plain', 900))).rejects.toMatchObject({ code: 'not-found' });
    expect(await one.text(byNumber('fixture.plain', 0))).toContain(fox);
    expect(one.connections).toBe(1);
  });

  test('a group as entries', async () => {
    await using one = visit();
    const entries = await one.entries(`nntp://${address}/fixture.plain`);
    expect(entries).toHaveLength(8);
    expect(entries[3]).toMatchObject({
      name: 'Über drüben & drüber (encoded)',
      kind: 'file',
      url: byNumber('fixture.plain', 3),
      modified: new Date('2002-03-05T17:00:30Z'),
      facts: {
        number: first + 3,
        from: 'Jürgen Müller <jm@fixture.test>',
        'message-id': '<words@fixture.test>',
        lines: 1,
      },
    });
    for (const entry of entries) expect(await one.text(entry.url ?? '')).toContain('fixture.test');
    for (const { url } of await one.entries(`news://${address}/fixture.plain`)) await one.text(url ?? '');
    expect(one.connections).toBe(1);
  });

  test('ranges, an empty group, and heads where there is no overview', async () => {
    await using one = visit();
    const range = `nntp://${address}/fixture.plain/${first + 2}-${first + 4}`;
    const listed = await one.entries(range);
    expect(listed.map(({ facts }) => facts?.['message-id'])).toEqual(
      ['8-bit', 'words', 'folded'].map((id) => `<${id}@fixture.test>`),
    );
    expect(await one.entries(`nntp://${address}/fixture.plain/${first + 6}-`)).toHaveLength(2);
    expect(await one.entries(`nntp://${address}/fixture.plain/900-999`)).toEqual([]);
    expect(await one.entries(`news://${address}/fixture.empty`)).toEqual([]);
    await using two = visit({ overview: 'head' });
    const heads = await two.entries(range);
    expect(heads.map((entry) => entry.name)).toEqual(listed.map((entry) => entry.name));
    expect(heads.map((entry) => entry.url)).toEqual(listed.map((entry) => entry.url));
    expect(two.connections).toBe(1);
  });

  test('all groups with descriptions, and those that match', async () => {
    await using one = visit();
    const groups = await one.entries(`news://${address}/*`);
    expect(groups).toHaveLength(8);
    expect(groups.find((entry) => entry.name === 'fixture.plain')).toMatchObject({
      kind: 'directory',
      url: `news://${address}/fixture.plain`,
      facts: {
        low: first,
        high: first + 7,
        description: 'Plain articles, and odd ones',
        ...(name === 'INN' && { count: 8 }),
      },
    });
    expect((await one.entries(`nntp://${address}/`)).map((entry) => entry.url)).toContain(
      `nntp://${address}/fixture.big`,
    );
    const matching = await one.entries(`news://${address}/fixture.c*`);
    expect(matching.map((entry) => entry.name).toSorted()).toEqual(['fixture.cross.a', 'fixture.cross.b']);
  });

  test('a hundred articles over one session', async () => {
    await using one = visit();
    for (let nth = 0; nth < 100; nth += 1) {
      expect(await one.text(byNumber('fixture.big', nth))).toContain(`\r\narticle ${nth + 1}\r\n`);
    }
    expect(one.connections).toBe(1);
    expect(one.talk.filter((line) => line.startsWith('GROUP'))).toEqual(['GROUP fixture.big']);
  });

  test('a hundred at once over one session, asked for ahead (RFC 3977 §3.5), some of them wanted no more', async () => {
    await using one = visit({}, { pool: { maxSessionsPerHost: 1 } });
    const controller = new AbortController();
    const unread = await one.content(byNumber('fixture.big', 0));
    const reading = Promise.allSettled(
      Array.from({ length: 99 }, (_, at) => {
        const options = at % 40 === 7 ? { signal: controller.signal } : {};
        return one.text(byNumber('fixture.big', at + 1), options);
      }),
    );
    await vi.waitFor(() => expect(one.talk).toContain(`ARTICLE ${first + 32}`), { timeout: 20_000 });
    controller.abort(new Error('enough'));
    await unread.body.bytes();
    for (const [at, outcome] of (await reading).entries()) {
      if (at % 40 === 7) expect(outcome).toMatchObject({ reason: { message: 'enough' } });
      else expect(bodyOf((outcome as PromiseFulfilledResult<string>).value)).toBe(`article ${at + 2}\r\n`);
    }
    // the first of the three had been asked for already
    expect(one.talk.filter((line) => line.startsWith('ARTICLE'))).toHaveLength(98);
    expect(one.talk.filter((line) => line.startsWith('GROUP'))).toHaveLength(1);
    expect(one.connections).toBe(1);
  });

  test('sixteen at once, each whole', async () => {
    await using one = visit();
    const texts = await Promise.all(Array.from({ length: 16 }, (_, at) => one.text(byId(`big-${at + 1}`))));
    texts.forEach((text, at) => expect(bodyOf(text)).toBe(`article ${at + 1}\r\n`));
    expect(one.connections).toBeLessThanOrEqual(6);
  });

  test('an abort in the middle of a body', async () => {
    await using one = visit();
    const controller = new AbortController();
    const { body } = await one.content(byId('large'), { signal: controller.signal });
    const reading = body.pipeTo(() => controller.abort(new Error('enough')));
    await expect(reading).rejects.toThrow('enough');
    expect(bodyOf(await one.text(byId('plain')))).toBe(fox);
  });
});

describe('INN', () => {
  const base = `nntp://${inn.host}`;

  test('numbers that are gone: not listed, not found', async () => {
    await using one = visit();
    const entries = await one.entries(`${base}/fixture.expired`);
    expect(entries.map(({ facts }) => facts?.['number'])).toEqual([3, 4, 6, 7, 8, 9, 10, 11]);
    for (const gone of [1, 2, 5, 12]) {
      await expect(one.content(`${base}/fixture.expired/${gone}`)).rejects.toMatchObject({
        code: 'not-found',
        reply: { code: 423 },
      });
    }
    await expect(one.content(`news://${inn.host}/expired-2@fixture.test`)).rejects.toMatchObject({ code: 'not-found' });
    await using heads = visit({ overview: 'head' });
    expect(await heads.entries(`${base}/fixture.expired`)).toHaveLength(8);
  });

  test('5,000 articles are listed with bounded memory', async () => {
    await using one = visit();
    const { entries } = await one.listing(`${base}/fixture.big`);
    let count = 0;
    let early = 0;
    let most = 0;
    for await (const entry of entries) {
      count += 1;
      expect(entry.facts?.['number']).toBe(count);
      if (count % 500 !== 0) continue;
      const { heapUsed, external } = process.memoryUsage();
      if (count === 500) early = heapUsed + external;
      most = Math.max(most, heapUsed + external);
    }
    expect(count).toBe(5000);
    expect(most - early).toBeLessThan(64 * 1024 * 1024);
    await using heads = visit({ overview: 'head' });
    expect(await heads.entries(`${base}/fixture.big`)).toHaveLength(5000);
    expect(heads.connections).toBe(1);
  });

  test('a listing left early, and one read as it is', async () => {
    await using one = visit();
    for await (const entry of (await one.listing(`${base}/fixture.big`)).entries) {
      expect(entry.name).toBe('Article 00001');
      break;
    }
    const { body } = await one.listing(`${base}/fixture.plain/1-2`);
    expect((await body.text()).split('\r\n')).toEqual([
      expect.stringMatching(/^1\tA plain article\t/),
      expect.stringMatching(/^2\tDots\t/),
      '',
    ]);
  });

  test('a login on demand: of the URL, of the request, of the user', async () => {
    await using one = visit();
    expect(await one.text(`nntp://alice:wonderland@${inn.host}/private.club/1`)).toContain('members only');
    expect(await one.text(`${base}/private.club/1`, login)).toContain('members only');
    // to those who are not logged in INN says that there is none
    expect(await one.text(`news://${inn.host}/private@fixture.test`, login)).toContain('members only');
    const names = (await one.entries(`news://${inn.host}/*`, login)).map((entry) => entry.name);
    expect(names).toContain('private.club');
    expect(one.talk.join('\n')).not.toContain('wonderland');

    const realms: Realm[] = [];
    const credentials = (realm: Realm): { user: string; password: string } => {
      realms.push(realm);
      return { user: 'alice', password: 'wonderland' };
    };
    await using two = visit({}, { credentials });
    expect(await two.entries(`${base}/private.club`)).toHaveLength(1);
    expect(await two.text(`${base}/private.club/1`)).toContain('members only');
    expect(realms).toMatchObject([{ scheme: 'nntp', host: inn.host, port: 119, wanted: 'login' }]);
    expect(two.talk.filter((line) => line.startsWith('AUTHINFO'))).toEqual([
      'AUTHINFO USER alice',
      'AUTHINFO PASS ***',
    ]);
  });

  test('a login that is missing or wrong', async () => {
    await using one = visit();
    await expect(one.content(`${base}/private.club/1`)).rejects.toMatchObject({
      code: 'credentials',
      reply: { code: 480 },
    });
    await expect(one.content(`nntp://alice:wrong@${inn.host}/private.club/1`)).rejects.toMatchObject({
      code: 'credentials',
      reply: { code: 481 },
    });
  });

  test('a server that wants a login before anything', async () => {
    await using one = visit();
    const all = `nntp://${inn.host}:${inn.loginPort}`;
    await expect(one.listing(`${all}/fixture.plain`)).rejects.toMatchObject({ code: 'credentials' });
    expect(await one.entries(`${all}/fixture.plain`, login)).toHaveLength(8);
    expect(await one.entries(`${all}/`, login)).toHaveLength(9);
    expect(await one.text(`news://${inn.host}:${inn.loginPort}/plain@fixture.test`, login)).toContain(fox);
  });

  test('a transit server becomes a reader by MODE READER', async () => {
    const transit = `${inn.host}:${inn.transitPort}`;
    await using one = visit();
    expect(await one.text(`nntp://${transit}/fixture.plain/1`)).toContain(fox);
    expect(one.talk).toContain('401 MODE-READER');
    await using two = visit();
    expect(await two.text(`news://${transit}/plain@fixture.test`)).toContain(fox);
    await using three = visit();
    expect(await three.entries(`news://${transit}/*`)).toHaveLength(8);
    await using four = visit();
    expect(await four.entries(`nntp://${transit}/private.club`, login)).toHaveLength(1);
    expect(four.talk.filter((line) => line.startsWith('MODE'))).toEqual(['MODE READER']);
  });

  test('TLS from the first octet and by STARTTLS, verified', async () => {
    const { ca } = inn;
    await using one = visit({}, { tls: { ca } });
    expect(await one.text(`nntps://${inn.host}/fixture.plain/1`)).toContain(fox);
    expect(await one.text(`snews://${inn.host}/plain@fixture.test`)).toContain(fox);
    await using two = visit({ tls: 'require' }, { tls: { ca } });
    expect(await two.text(`${base}/private.club/1`, login)).toContain('members only');
    expect(two.talk.slice(0, 4)).toEqual([
      expect.stringMatching(/^200 /),
      'STARTTLS',
      expect.stringMatching(/^382 /),
      'secured',
    ]);
    await using three = visit({ tls: 'require' }, { tls: { ca } });
    expect(await three.text(`nntp://${inn.host}:${inn.transitPort}/fixture.plain/1`)).toContain(fox);
    expect(three.talk.slice(1, 7)).toEqual([
      'STARTTLS',
      '401 MODE-READER',
      'MODE READER',
      expect.stringMatching(/^200 /),
      'STARTTLS',
      expect.stringMatching(/^382 /),
    ]);
    await using stranger = visit({ tls: 'try' });
    await expect(stranger.content(`${base}/fixture.plain/1`)).rejects.toMatchObject({ code: 'unreachable' });
    await expect(stranger.content(`nntps://${inn.host}/fixture.plain/1`)).rejects.toMatchObject({
      code: 'unreachable',
    });
    await using wary = visit({ tls: 'require' });
    await expect(wary.content(`nntp://${sn.host}:${sn.port}/fixture.plain/10`)).rejects.toMatchObject({
      code: 'refused',
    });
  });

  test('a server process killed in the middle of an article, and between two', async () => {
    await using server = await startDisposable('news');
    const shell = (script: string): Promise<string> => run('docker', ['exec', server.id, 'sh', '-c', script]);
    // at its own speed it would have handed the whole article to the kernel before the signal
    await shell(`sed -i 's/access: "RN"/& max_rate: 400000/' /etc/news/readers.conf`);
    // the daemon's children, which serve a connection each; with the whole container its last packets would be lost
    const children =
      'for p in $(pidof nnrpd); do read -r _ _ _ q _ </proc/$p/stat; grep -q nnrpd /proc/$q/comm && kill -9 $p; done';
    const kill = (): Promise<string> => shell(`${children}; true`);
    await using one = visit();
    const { body } = await one.content(`news://${server.host}/large@fixture.test`);
    let killing: Promise<string> | undefined;
    const reading = body.pipeTo(async () => void (await (killing ??= kill())));
    await expect(reading).rejects.toMatchObject({ code: 'incomplete', temporary: true });
    expect(bodyOf(await one.text(`news://${server.host}/plain@fixture.test`))).toBe(fox);
    await kill();
    expect(bodyOf(await one.text(`news://${server.host}/plain@fixture.test`))).toBe(fox);
    expect(one.connections).toBe(3);
  });
});

describe('a list of servers', () => {
  const servers = [`${sn.host}:${sn.port}`, `nntp://${inn.host}`];

  test('an article missing on the first is asked of the next', async () => {
    await using one = visit({ servers });
    expect(bodyOf(await one.text('news:plain@fixture.test'))).toBe(fox);
    expect(one.connections).toBe(1);
    // sn has but two hundred of these
    expect(bodyOf(await one.text('news:big-4711@fixture.test'))).toBe('article 4711\r\n');
    expect(one.connections).toBe(2);
    await expect(one.content('news:nosuch@fixture.test')).rejects.toThrow(/none of 2 news servers/);
    expect(await one.entries('news:fixture.big')).toHaveLength(200);
    expect((await one.entries('news:*')).map((entry) => entry.url)).toContain('news:fixture.plain');
    await using two = visit({ servers: [`${inn.host}:9`, ...servers] });
    expect(bodyOf(await two.text('news:plain@fixture.test'))).toBe(fox);
  });

  test('a login hides behind "no such article", and the entry of the list has it', async () => {
    await using one = visit({ servers: [`nntp://alice:wonderland@${inn.host}`] });
    expect(await one.text('news:private@fixture.test')).toContain('members only');
    await using two = visit({ servers: [inn.host] }, { tls: { ca: inn.ca } });
    expect(await two.text('snews:plain@fixture.test')).toContain(fox);
  });
});
