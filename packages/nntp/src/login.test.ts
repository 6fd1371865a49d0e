/** AUTHINFO USER/PASS (RFC 4643) on demand, and what never shows. */
import type { Realm } from '@retriever/driver';
import { describe, expect, test } from 'vitest';
import { newsPeer, withText, type NewsPeerOptions } from '../testing/news-peer.ts';
import { visit } from '../testing/retrieve.ts';

const article = 'Subject: hello\r\n\r\nbody\r\n';

/** Hides everything behind alice and wonderland. */
function locked(hidden = '480 login, please', options: { readonly echo?: boolean } = {}): NewsPeerOptions {
  let user = '';
  let open = false;
  const behind = (answer: string) => () => (open ? answer : hidden);
  return {
    responses: {
      GROUP: behind('211 1 1 1 a.group'),
      ARTICLE: behind(withText('220 1 <a@b>', article)),
      AUTHINFO(line) {
        const [, kind, value = ''] = line.split(' ');
        if (kind === 'USER') user = value;
        if (kind === 'USER') return '381 password?';
        open = user === 'alice' && value === 'wonderland';
        return open ? '281 welcome' : `481 wrong${options.echo ? ` password ${value}` : ''}`;
      },
    },
  };
}

describe('a login', () => {
  test('is made on demand with what the URL gives, and the commands repeated', async () => {
    await using peer = await newsPeer(locked());
    using one = visit();
    expect(await one.text(peer.url('a.group/1', 'nntp', 'alice:wonderland@'))).toBe(article);
    expect(await one.text(peer.url('a.group/1', 'nntp', 'alice:wonderland@'))).toBe(article);
    expect(peer.commands).toEqual([
      'GROUP a.group',
      'ARTICLE 1',
      'AUTHINFO USER alice',
      'AUTHINFO PASS wonderland',
      'GROUP a.group',
      'ARTICLE 1',
      'ARTICLE 1',
    ]);
    expect(one.talk.join('\n')).not.toContain('wonderland');
    expect(one.talk).toContain('sent AUTHINFO PASS ***');
  });

  test('is not made where nobody asks for it', async () => {
    await using peer = await newsPeer({ responses: { ARTICLE: withText('220 1 <a@b>', article) } });
    using one = visit();
    await one.text(peer.url('a@b', 'news', 'alice:wonderland@'));
    expect(peer.commands).toEqual(['ARTICLE <a@b>']);
  });

  test('comes from the request before the URL, and from the entry of the server list', async () => {
    await using peer = await newsPeer(locked());
    using one = visit();
    const credentials = { user: 'alice', password: 'wonderland' };
    expect(await one.text(peer.url('a@b', 'news', 'bob:x@'), { credentials })).toBe(article);
    await using another = await newsPeer(locked());
    using two = visit({ servers: [another.url('', 'nntp', 'alice:wonderland@')] });
    expect(await two.text('news:a@b')).toBe(article);
  });

  test('is asked of the user, once for both or for the password alone', async () => {
    const realms: Realm[] = [];
    const ask = (realm: Realm): { user: string; password: string } => {
      realms.push(realm);
      return { user: 'alice', password: 'wonderland' };
    };
    await using peer = await newsPeer(locked());
    using one = visit({}, { credentials: ask });
    expect(await one.text(peer.url('a.group/1'))).toBe(article);
    await using another = await newsPeer(locked());
    using two = visit({}, { credentials: ask });
    expect(await two.text(another.url('a.group/1', 'nntp', 'alice@'))).toBe(article);
    expect(realms).toEqual([
      { scheme: 'nntp', host: '127.0.0.1', port: peer.port, wanted: 'login', user: undefined, prompt: 'login, please' },
      { scheme: 'nntp', host: '127.0.0.1', port: another.port, wanted: 'password', user: 'alice', prompt: 'password?' },
    ]);
  });

  test('is never invented', async () => {
    await using peer = await newsPeer(locked());
    using one = visit();
    expect(await one.failure(peer.url('a@b', 'news'))).toMatchObject({ code: 'credentials', reply: { code: 480 } });
    expect(peer.commands).toEqual(['ARTICLE <a@b>']);
    expect(await one.failure(peer.url('a@b', 'news', 'alice@'))).toMatchObject({
      code: 'credentials',
      reply: { code: 381 },
    });
  });

  test('that is wrong is an error without the password, though the server echoes it', async () => {
    await using peer = await newsPeer(locked('480 login', { echo: true }));
    using one = visit();
    const error = await one.failure(peer.url('a@b', 'news', 'alice:hunter2@'));
    expect(error).toMatchObject({ code: 'credentials', reply: { code: 481, text: 'wrong password ***' } });
    expect(error.message + one.talk.join()).not.toContain('hunter2');
  });

  test('that was given is tried before "no such article" is believed (INN)', async () => {
    await using peer = await newsPeer(locked('430 no such article'));
    using one = visit();
    expect(await one.text(peer.url('a@b', 'news', 'alice:wonderland@'))).toBe(article);
    await using sn = await newsPeer({ responses: { ARTICLE: '430 no' } });
    expect(await one.failure(sn.url('a@b', 'news', 'alice:wonderland@'))).toMatchObject({ code: 'not-found' });
    expect(sn.commands).toEqual(['ARTICLE <a@b>', 'AUTHINFO USER alice']);
  });

  test('that is demanded for ever is no endless loop', async () => {
    await using peer = await newsPeer({ responses: { ARTICLE: '480 more', AUTHINFO: '281 fine' } });
    using one = visit();
    expect(await one.failure(peer.url('a@b', 'news', 'alice:x@'))).toMatchObject({ code: 'credentials' });
  });

  test('holds no line end (RFC 1738 §6)', async () => {
    await using peer = await newsPeer(locked());
    using one = visit();
    expect(await one.failure(peer.url('a@b', 'news', 'alice:x%0D%0AQUIT@'))).toMatchObject({ code: 'policy' });
    expect(await one.failure(peer.url('a@b', 'news', 'a%0Al:x@'))).toMatchObject({ code: 'policy' });
    expect(peer.received).not.toContain('QUIT');
    expect(peer.connections).toBe(0);
  });

  test('that needs TLS first says so (483)', async () => {
    await using peer = await newsPeer({ responses: { ARTICLE: '480 login', AUTHINFO: '483 not in clear text' } });
    using one = visit();
    const error = await one.failure(peer.url('a@b', 'news', 'alice:x@'));
    expect(error).toMatchObject({ code: 'refused', message: expect.stringContaining("tls: 'require'") });
  });
});

describe('STARTTLS (RFC 4642)', () => {
  test('refused: an error with require, clear text and a note with try', async () => {
    await using peer = await newsPeer({ responses: { ARTICLE: withText('220 1 <a@b>', article) } });
    using strict = visit({ tls: 'require' });
    expect(await strict.failure(peer.url('a@b', 'news'))).toMatchObject({ code: 'refused', reply: { code: 500 } });
    using easy = visit({ tls: 'try' });
    expect(await easy.text(peer.url('a@b', 'news'))).toBe(article);
    expect(easy.talk).toContain('note 127.0.0.1 refused STARTTLS; going on in clear text');
  });

  test('clear text behind 382 is an injection', async () => {
    await using peer = await newsPeer({ responses: { STARTTLS: '382 go on\r\n200 injected' } });
    using one = visit({ tls: 'require' });
    expect(await one.failure(peer.url('a@b', 'news'))).toMatchObject({ code: 'protocol' });
  });
});
