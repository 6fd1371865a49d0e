import type { Credentials, Realm } from '@retriever/driver';
import { describe, expect, test } from 'vitest';
import { ftpPeer, type FtpPeerOptions } from '../testing/ftp-peer.ts';
import { visit } from '../testing/retrieve.ts';
import type { FtpOptions } from './index.ts';

interface LoginCase {
  readonly login?: string;
  readonly peer?: FtpPeerOptions;
  readonly options?: FtpOptions;
  readonly answer?: Credentials;
  readonly credentials?: { readonly user: string; readonly password?: string };
}

async function loginOf({
  login = '',
  peer: peerOptions = {},
  options,
  answer,
  credentials,
}: LoginCase): Promise<{ commands: readonly string[]; asked: Realm[]; error: unknown }> {
  await using peer = await ftpPeer({ data: { LIST: '' }, ...peerOptions });
  const asked: Realm[] = [];
  using one = visit(options, {
    credentials: (realm) => {
      asked.push(realm);
      return answer;
    },
  });
  const error: unknown = await one.retrieve(peer.url('/', login), { credentials }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { commands: peer.commands.filter((line) => /^(USER|PASS|ACCT)/.test(line)), asked, error };
}

describe('who logs in (RFC 1738 §3.2.1)', () => {
  test.each<[string, LoginCase, string[]]>([
    ['nobody: anonymous', {}, ['USER anonymous', 'PASS anonymous@']],
    [
      'nobody, with an address of ones own',
      { options: { anonymousPassword: 'me@example.org' } },
      ['USER anonymous', 'PASS me@example.org'],
    ],
    ['a user and a password', { login: 'alice:won%64er@' }, ['USER alice', 'PASS wonder']],
    ['octets, not text', { login: 'caf%E9:%FF@' }, ['USER caf\xe9', 'PASS \xff']],
    ['an empty password', { login: 'alice:@' }, ['USER alice', 'PASS ']],
    ['an empty user', { login: '@', answer: { password: 'p' } }, ['USER ', 'PASS p']],
    ['230 straight after USER (Pure-FTPd)', { peer: { replies: { USER: '230 in' } } }, ['USER anonymous']],
    [
      'a user without a password, not asked for one',
      { login: 'alice@', peer: { replies: { USER: '230 in' } } },
      ['USER alice'],
    ],
    [
      'the request overrides the URL',
      { login: 'alice:a@', credentials: { user: 'bob', password: 'b' } },
      ['USER bob', 'PASS b'],
    ],
    [
      'an account by the options',
      { login: 'a:b@', options: { account: 'acct' }, peer: { replies: { PASS: '332 account' } } },
      ['USER a', 'PASS b', 'ACCT acct'],
    ],
    [
      'an account asked for after USER',
      { login: 'a:b@', answer: { account: 'acct' }, peer: { replies: { USER: '332 account', ACCT: '230 in' } } },
      ['USER a', 'ACCT acct'],
    ],
  ])('%s', async (_, subject, commands) => {
    const replies = { ACCT: '230 in', ...subject.peer?.replies };
    const result = await loginOf({ ...subject, peer: { ...subject.peer, replies } });
    expect(result.error).toBeUndefined();
    expect(result.commands).toEqual(commands);
  });

  test("a user without a password: the user is asked, with the server's words", async () => {
    const { commands, asked } = await loginOf({ login: 'alice@', answer: { password: 'é' } });
    expect(commands).toEqual(['USER alice', 'PASS \xc3\xa9']);
    expect(asked).toMatchObject([
      { scheme: 'ftp', host: '127.0.0.1', wanted: 'password', user: 'alice', prompt: 'password, please' },
    ]);
  });

  test('nobody answers: nothing is invented', async () => {
    const { commands, error } = await loginOf({ login: 'alice@' });
    expect(commands).toEqual(['USER alice']);
    expect(error).toMatchObject({ code: 'credentials', reply: { code: 331 } });
  });

  test('an account that nobody knows', async () => {
    const { error } = await loginOf({ login: 'a:b@', peer: { replies: { PASS: '332 account' } } });
    expect(error).toMatchObject({ code: 'credentials', message: expect.stringContaining('an account') as string });
  });

  test('an answer that would end the line is refused', async () => {
    const { commands, error } = await loginOf({ login: 'a@', answer: { password: 'x\r\nDELE y' } });
    expect(commands).toEqual(['USER a']);
    expect(error).toMatchObject({ code: 'policy' });
  });
});

describe('anonymous in one segment, for servers known to take it', () => {
  const greeting = '220 ProFTPD Server ready';
  test.each<[string, FtpPeerOptions, object | undefined]>([
    ['331, 230', { greeting }, undefined],
    ['230 straight after USER (Pure-FTPd)', { greeting, replies: { USER: '230 in', PASS: '503 already' } }, undefined],
    [
      '530 after USER, then closed',
      { greeting, replies: { USER: '530 no anonymous', PASS: null } },
      { code: 'credentials' },
    ],
    ['530 after PASS', { greeting, replies: { PASS: '530 no' } }, { code: 'credentials' }],
    ['421 after USER', { greeting, replies: { USER: '421 full', PASS: null } }, { code: 'refused', temporary: true }],
  ])('%s', async (_, peer, error) => {
    const result = await loginOf({ peer });
    if (error) expect(result.error).toMatchObject(error);
    else expect(result.error).toBeUndefined();
  });

  test('a password of somebody waits until it is asked for', async () => {
    const { commands } = await loginOf({ login: 'alice:x@', peer: { greeting, replies: { USER: '530 no' } } });
    expect(commands).toEqual(['USER alice']);
  });
});

describe('a login refused', () => {
  test.each<[string, FtpPeerOptions, object]>([
    ['a wrong password', { replies: { PASS: '530 Login incorrect.' } }, { code: 'credentials', temporary: false }],
    [
      'no anonymous users',
      { replies: { USER: '530 This server does not allow anonymous' } },
      { code: 'credentials', temporary: false },
    ],
    [
      'too many users after PASS (ProFTPD)',
      { replies: { PASS: '530 Sorry, the maximum number of allowed clients (1) are already connected.' } },
      { code: 'refused', temporary: true },
    ],
    [
      'TLS wanted (vsftpd)',
      { replies: { USER: '530 Non-anonymous sessions must use encryption.' } },
      { code: 'refused', message: expect.stringContaining('ftps:') as string },
    ],
    ['421', { replies: { PASS: '421 go away' } }, { code: 'refused', temporary: true }],
    ['closed after USER', { replies: { USER: null } }, { code: 'incomplete' }],
  ])('%s', async (_, peer, error) => {
    expect((await loginOf({ peer })).error).toMatchObject(error);
  });
});

describe('TLS by AUTH TLS (RFC 4217)', () => {
  test('refused under `require`: an error, and no USER', async () => {
    const { commands, error } = await loginOf({ options: { tls: 'require' } });
    expect(commands).toEqual([]);
    expect(error).toMatchObject({ code: 'refused', message: expect.stringContaining('AUTH TLS') as string });
  });

  test('refused under `try`: clear text, and a note', async () => {
    await using peer = await ftpPeer({ data: { LIST: '' } });
    using one = visit({ tls: 'try' });
    expect(await one.entries(peer.url('/'))).toEqual([]);
    expect(peer.commands[0]).toBe('AUTH TLS');
    expect(one.access.events).toContainEqual({
      type: 'note',
      text: '127.0.0.1 refused AUTH TLS; going on in clear text',
    });
  });

  test('clear text behind the reply to AUTH is an attack', async () => {
    const { commands, error } = await loginOf({
      options: { tls: 'try' },
      peer: { replies: { AUTH: '234 go on\r\n230 injected' } },
    });
    expect(commands).toEqual([]);
    expect(error).toMatchObject({ code: 'protocol' });
  });
});
