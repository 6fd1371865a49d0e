import type { Content } from '@retriever/driver';
import { testAccess } from '@retriever/driver/testing';
import { parse, type NntpUrl } from '@retriever/url';
import { expect, test, vi } from 'vitest';
import { newsPeer, withText, type NewsPeer, type NewsPeerOptions } from '../testing/news-peer.ts';
import { oneSession, type OneSession } from '../testing/one-session.ts';
import { nntp, type NntpOptions } from './index.ts';

interface Scene extends AsyncDisposable {
  readonly peer: NewsPeer;
  readonly access: OneSession;
  readonly connections: number;
  /** The first article of group `a`, its body unread. */
  readonly held: Content;
  text(path: string, login?: string): Promise<string>;
  head(path: string): Promise<Content>;
  /** Waits until the peer got this command. */
  got(command: string): Promise<void>;
}

const group = (name: string): string => `211 9 1 9 ${name}`;
const text = ({ body }: Content): Promise<string> => body.text();

/** A session in the middle of the article `a/1`, with nothing to wait for but the rest of it. */
async function scene(
  responses: NewsPeerOptions['responses'] = {},
  options?: NntpOptions,
  octetByOctet = true,
): Promise<Scene> {
  let selected = '';
  const select = (line: string): string => group((selected = line.slice('GROUP '.length)));
  const peer = await newsPeer({
    octetByOctet,
    responses: {
      GROUP: select,
      ARTICLE: (line) => withText('220 0 <x@y>', `\r\n${selected} ${line}\r\n.dot\r\n`),
      HEAD: (line) => withText('221 0 <x@y>', `Subject: ${selected} ${line}\r\n`),
      ...responses,
    },
  });
  const test = testAccess();
  const access = oneSession(test);
  const driver = nntp(options);
  const retrieve = async (path: string, login?: string, more: object = {}): Promise<Content> =>
    (await driver.retrieve({ url: parse(peer.url(path, 'nntp', login)) as NntpUrl, ...more }, access)) as Content;
  const held = await retrieve('a/1');
  return {
    peer,
    access,
    held,
    get connections() {
      return test.sockets.length;
    },
    text: async (path, login) => text(await retrieve(path, login)),
    head: (path) => retrieve(path, '', { metadataOnly: true }),
    got: (command) => vi.waitFor(() => expect(peer.commands).toContain(command), { timeout: 20_000 }),
    async [Symbol.asyncDispose]() {
      test.close();
      await peer[Symbol.asyncDispose]();
    },
  };
}

test('articles are asked for while another is read, GROUP only where it changes, and come in turn (RFC 3977 §3.5)', async () => {
  await using at = await scene();
  const others = ['a/2', 'b/3', 'b/4', 'a/5'].map((path) => at.text(path));
  await at.got('ARTICLE 5');
  const asked = 'GROUP a, ARTICLE 1, ARTICLE 2, GROUP b, ARTICLE 3, ARTICLE 4, GROUP a, ARTICLE 5';
  expect(at.peer.commands.join(', ')).toBe(asked);
  expect(await text(at.held)).toBe('\r\na ARTICLE 1\r\n.dot\r\n');
  expect(await Promise.all(others)).toEqual(
    ['a ARTICLE 2', 'b ARTICLE 3', 'b ARTICLE 4', 'a ARTICLE 5'].map((line) => `\r\n${line}\r\n.dot\r\n`),
  );
  expect([at.peer.commands.length, at.connections]).toEqual([8, 1]);
});

test('a head is asked for ahead where only the metadata are wanted', async () => {
  await using at = await scene();
  const heads = ['a/2', 'a/3'].map((path) => at.head(path));
  await at.got('HEAD 3');
  await text(at.held);
  expect((await Promise.all(heads)).map(({ metadata }) => metadata.headers)).toEqual([
    [['Subject', 'a HEAD 2']],
    [['Subject', 'a HEAD 3']],
  ]);
  expect(at.peer.commands).toHaveLength(4);
});

test("behind a GROUP that is refused, another group's article is not taken for the one that was asked for", async () => {
  await using at = await scene({ 'GROUP gone': '411 no such group' });
  const others = ['gone/2', 'gone/3', 'a/4'].map((path) => at.text(path));
  await at.got('ARTICLE 4');
  await text(at.held);
  const [first, second, third] = await Promise.allSettled(others);
  expect(first).toMatchObject({ status: 'rejected', reason: { code: 'not-found' } });
  expect(second).toMatchObject({ status: 'rejected', reason: { code: 'not-found' } });
  expect(third).toMatchObject({ status: 'fulfilled', value: expect.stringContaining('a ARTICLE 4') as string });
  expect(at.connections).toBe(1);
});

test('where the server wants a login in the middle, those behind ask again', async () => {
  let member = false;
  await using at = await scene({
    'GROUP private': () => (member ? group('private') : '480 members only'),
    'AUTHINFO USER u': '381 password',
    'AUTHINFO PASS p': () => {
      member = true;
      return '281 welcome';
    },
  });
  const others = ['private/2', 'private/3'].map((path) => at.text(path, ''));
  await at.got('ARTICLE 3');
  at.access.credentials = async () => ({ user: 'u', password: 'p' });
  await text(at.held);
  expect((await Promise.all(others)).map((body) => body.includes('ARTICLE'))).toEqual([true, true]);
  expect(at.connections).toBe(1);
});

test('who gives up is read past, and those behind get what is theirs', async () => {
  await using at = await scene();
  const [b, c, d] = ['b/2', 'b/3', 'b/4'].map((path) => at.text(path));
  await at.got('ARTICLE 4');
  at.access.giveUp(1);
  await expect(c).rejects.toThrow('given up');
  at.access.giveUp(0);
  await expect(b).rejects.toThrow('given up');
  await text(at.held);
  expect(await d).toContain('b ARTICLE 4');
  expect(at.connections).toBe(1);
});

test('a session that has too much to read past is given up for another', async () => {
  const large = withText('220 2 <x@y>', `\r\n${'x'.repeat(70)}\r\n`.repeat(20_000));
  await using at = await scene({ 'ARTICLE 2': large }, {}, false);
  const [b, c] = ['a/2', 'a/3'].map((path) => at.text(path));
  await at.got('ARTICLE 2');
  at.access.giveUp(0);
  await expect(b).rejects.toThrow('given up');
  await text(at.held);
  expect(await c).toContain('a ARTICLE 3');
  expect(at.connections).toBe(2);
});

test.each([
  ['closes the connection', null],
  ['says 400', '400 good night'],
])('when the server %s at one that was asked for ahead, all are asked for again', async (_, end) => {
  let ended = false;
  const once = (answer: string) => (): string | null => {
    if (ended) return answer;
    ended = true;
    return end;
  };
  await using at = await scene({ 'ARTICLE 2': once(withText('220 2 <x@y>', '\r\ntwo\r\n')) });
  const others = ['a/2', 'a/3'].map((path) => at.text(path));
  await at.got('ARTICLE 2');
  await text(at.held);
  expect(await Promise.all(others)).toEqual(['\r\ntwo\r\n', expect.stringContaining('ARTICLE 3') as string]);
  expect(at.connections).toBe(2);
});

test('an abandoned article ends the session, and those behind it ask on another', async () => {
  await using at = await scene();
  const others = ['a/2', 'a/3'].map((path) => at.text(path));
  await at.got('ARTICLE 3');
  await at.held.body.cancel();
  expect((await Promise.all(others)).map((body) => body.includes('ARTICLE'))).toEqual([true, true]);
  expect(at.connections).toBe(2);
});

test('without pipelining nothing is sent ahead', async () => {
  await using at = await scene({}, { pipelining: false });
  const other = at.text('a/2');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(at.peer.commands).toEqual(['GROUP a', 'ARTICLE 1']);
  await text(at.held);
  expect(await other).toContain('a ARTICLE 2');
});
