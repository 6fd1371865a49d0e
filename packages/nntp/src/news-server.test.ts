/** Which servers are asked, and in which order. */
import { parse, type NewsUrl, type NntpUrl } from '@retriever/url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { newsPeer, withText } from '../testing/news-peer.ts';
import { visit } from '../testing/retrieve.ts';
import { serversFor } from './news-server.ts';

const article = 'Subject: hello\r\n\r\nbody\r\n';
const has = { responses: { ARTICLE: withText('220 0 <a@b>', article) } };
const hasNot = { responses: { ARTICLE: '430 no such article', GROUP: '411 no such group' } };

beforeEach(() => vi.stubEnv('NNTPSERVER', undefined));
afterEach(() => vi.unstubAllEnvs());

const addresses = (url: string, servers: readonly string[]): unknown =>
  serversFor({ url: parse(url) as NewsUrl | NntpUrl }, { servers }).map(
    ({ host, port, implicitTls }) => `${host} ${port}${implicitTls ? ' tls' : ''}`,
  );

describe('servers', () => {
  test('of the URL, else of the options; ports by scheme (RFC 1738 §3.7, RFC 5538 §5)', () => {
    const servers = ['a', 'b:8119', 'nntp://c', 'nntps://d', 'news://e:1/', 'snews://f', '[::1]', '[::1]:8119'];
    expect(addresses('news:x@y', servers)).toEqual([
      'a 119',
      'b 8119',
      'c 119',
      'd 563 tls',
      'e 1',
      'f 563 tls',
      '::1 119',
      '::1 8119',
    ]);
    expect(addresses('snews:x@y', ['a', 'b:8119', 'nntps://d'])).toEqual(['a 563 tls', 'b 8119 tls', 'd 563 tls']);
    expect(addresses('news://h/x@y', servers)).toEqual(['h 119']);
    expect(addresses('snews://h:1/x@y', servers)).toEqual(['h 1 tls']);
    expect(addresses('nntp://h/g', servers)).toEqual(['h 119']);
    expect(addresses('nntps://h/g', servers)).toEqual(['h 563 tls']);
  });

  test.each(['http://h', 'ftp://u:secret@h', '', 'a b', 'nntp://', 'news:a.group', 'h:99999'])(
    '%j is none',
    (server) => {
      expect(() => addresses('news:x@y', [server])).toThrow(/no news server/);
      expect(() => addresses('news:x@y', [server])).not.toThrow(/secret/);
    },
  );

  test('none at all is an error that says what to do, before any network', async () => {
    using one = visit();
    const error = await one.failure('news:x@y');
    expect(error).toMatchObject({ code: 'unsupported', message: expect.stringContaining('NNTPSERVER') });
    expect(one.access.endpoints).toEqual([]);
  });

  test('come from NNTPSERVER where the options have none', async () => {
    await using peer = await newsPeer(has);
    vi.stubEnv('NNTPSERVER', `127.0.0.1:${peer.port}`);
    using one = visit();
    expect(await one.text('news:a@b')).toBe(article);
    using two = visit({ servers: [] });
    expect(await two.failure('news:a@b')).toMatchObject({ code: 'unsupported' });
  });
});

describe('a list of servers', () => {
  test('is tried in order: an article missing on one is asked of the next', async () => {
    await using first = await newsPeer(hasNot);
    await using second = await newsPeer(has);
    await using third = await newsPeer(has);
    using one = visit({ servers: [first.url(''), second.url(''), third.url('')] });
    expect(await one.text('news:a@b')).toBe(article);
    expect(await one.text('news:a@b')).toBe(article);
    expect([first.connections, second.connections, third.connections]).toEqual([1, 1, 0]);
    expect(one.talk.some((line) => /^note .*430 no such article; asking/.test(line))).toBe(true);
  });

  test('in which all say no means not found, with every answer', async () => {
    await using first = await newsPeer(hasNot);
    await using second = await newsPeer(hasNot);
    using one = visit({ servers: [first.url(''), second.url('')] });
    const error = await one.failure('news:a@b');
    expect(error).toMatchObject({ code: 'not-found', temporary: false, reply: { code: 430 } });
    expect(error.message).toContain('none of 2 news servers has <a@b>');
    expect(await one.failure('news:a.group')).toMatchObject({ code: 'not-found', reply: { code: 411 } });
  });

  test('in which one could not be asked never means not found', async () => {
    await using dead = await newsPeer({ greeting: '400 too busy' });
    await using second = await newsPeer(hasNot);
    await using third = await newsPeer(has);
    using one = visit({ servers: [second.url(''), dead.url('')] });
    expect(await one.failure('news:a@b')).toMatchObject({ code: 'refused', temporary: true });
    using two = visit({ servers: [dead.url(''), third.url('')] });
    expect(await two.text('news:a@b')).toBe(article);
  });

  test('is not tried for a URL that names its server', async () => {
    await using first = await newsPeer(hasNot);
    await using second = await newsPeer(has);
    using one = visit({ servers: [second.url('')] });
    expect(await one.failure(first.url('a@b', 'news'))).toMatchObject({ code: 'not-found' });
    expect(second.connections).toBe(0);
  });

  test('is left at once when the caller aborts', async () => {
    await using first = await newsPeer({ responses: { ARTICLE: '' } });
    await using second = await newsPeer(has);
    const controller = new AbortController();
    using one = visit({ servers: [first.url(''), second.url('')] }, { signal: controller.signal });
    setTimeout(() => controller.abort(), 30);
    expect(await one.failure('news:a@b')).toBe(controller.signal.reason);
    expect(second.connections).toBe(0);
  });
});
