import { setTimeout as delay } from 'node:timers/promises';
import { RetrievalError } from '@retriever/driver';
import { describe, expect, test } from 'vitest';
import { ftpPeer, sendData, type FtpPeerOptions } from '../testing/ftp-peer.ts';
import { visit, type Visit } from '../testing/retrieve.ts';
import type { FtpOptions } from './index.ts';

/** The commands that one URL costs, with the body read. */
async function commandsOf(
  path: string,
  options: FtpPeerOptions = {},
  settings?: FtpOptions,
  login?: string,
): Promise<readonly string[]> {
  await using peer = await ftpPeer(options);
  using one = visit(settings);
  const retrieval = await one.retrieve(peer.url(path, login));
  if (retrieval.kind === 'listing') for await (const _ of retrieval.entries);
  else if (retrieval.kind === 'content') await retrieval.body.bytes();
  return peer.commands;
}

const anonymous = ['USER anonymous', 'PASS anonymous@'];

describe('the commands of a URL (RFC 1738 §3.2.2)', () => {
  test('one CWD a segment, TYPE I, SIZE and MDTM, EPSV, RETR', async () => {
    expect(await commandsOf('/a/b/c', { data: { RETR: 'x' } })).toEqual([
      ...anonymous,
      'PWD',
      'CWD a',
      'CWD b',
      'TYPE I',
      'SIZE c',
      'MDTM c',
      'EPSV',
      'RETR c',
    ]);
  });

  test('%2F is part of its segment: CWD /etc', async () => {
    expect(await commandsOf('/%2Fetc/motd', { data: { RETR: 'x' } })).toContain('CWD /etc');
  });

  test('an empty segment is a CWD with a null argument', async () => {
    const commands = await commandsOf('//etc/motd', { data: { RETR: 'x' } });
    expect(commands.filter((line) => line.startsWith('CWD'))).toEqual(['CWD ', 'CWD etc']);
  });

  test('octets go out as they are decoded', async () => {
    expect(await commandsOf('/caf%E9/%C3%A9%FF', { data: { RETR: 'x' } })).toEqual(
      expect.arrayContaining(['CWD caf\xe9', 'RETR \xc3\xa9\xff']),
    );
  });

  test(';type=a is TYPE A and no SIZE', async () => {
    expect(await commandsOf('/t;type=a', { data: { RETR: 'x' } })).toEqual([
      ...anonymous,
      'TYPE A',
      'MDTM t',
      'EPSV',
      'RETR t',
    ]);
  });

  test(';type=i is TYPE I', async () => {
    expect(await commandsOf('/t;type=i', { data: { RETR: 'x' } })).toEqual([
      ...anonymous,
      'TYPE I',
      'SIZE t',
      'MDTM t',
      'EPSV',
      'RETR t',
    ]);
  });

  test(';type=d is NLST of the name in the last directory', async () => {
    expect(await commandsOf('/a/b;type=d', { data: { 'NLST b': 'x\r\n' } })).toEqual([
      ...anonymous,
      'PWD',
      'CWD a',
      'TYPE A',
      'EPSV',
      'NLST b',
    ]);
  });

  test(';type=d with an empty name is NLST alone', async () => {
    expect(await commandsOf('/a/;type=d', { data: { NLST: 'x\r\n' } })).toEqual([
      ...anonymous,
      'PWD',
      'CWD a',
      'TYPE A',
      'EPSV',
      'NLST',
    ]);
  });

  test('no path at all lists the login directory', async () => {
    expect(await commandsOf('', { data: { LIST: '' } })).toEqual([...anonymous, 'FEAT', 'TYPE A', 'EPSV', 'LIST']);
  });

  test('MLSD where FEAT offers it, without TYPE', async () => {
    const replies = { FEAT: '211-Features:\r\n MLST type*;size*;\r\n211 End' };
    expect(await commandsOf('/pub/', { replies, data: { MLSD: '' } })).toEqual([
      ...anonymous,
      'PWD',
      'CWD pub',
      'FEAT',
      'EPSV',
      'MLSD',
    ]);
  });

  test('LIST after all where MLSD was offered and is not known', async () => {
    const replies = { FEAT: '211-Features:\r\n MLST type*;\r\n211 End', MLSD: '500 unknown' };
    expect(await commandsOf('/', { replies, data: { LIST: '' } })).toEqual([
      ...anonymous,
      'FEAT',
      'EPSV',
      'MLSD',
      'TYPE A',
      'EPSV',
      'LIST',
    ]);
  });

  test('a name that RETR does not find is no directory where CWD leads nowhere', async () => {
    await using peer = await ftpPeer({ data: { LIST: 'x' }, replies: { PWD: '257 "/"' } });
    using one = visit();
    await expect(one.retrieve(peer.url('/none'))).rejects.toThrow('RETR none at 127.0.0.1 was answered 550');
    expect(await one.listing(peer.url('/.'))).toMatchObject({ kind: 'listing' });
  });

  test('a name that RETR does not find is tried as a directory', async () => {
    expect(await commandsOf('/pub', { data: { LIST: '' } })).toEqual([
      ...anonymous,
      'TYPE I',
      'SIZE pub',
      'MDTM pub',
      'EPSV',
      'RETR pub',
      'PWD',
      'CWD pub',
      'PWD',
      'FEAT',
      'TYPE A',
      'EPSV',
      'LIST',
    ]);
  });

  test('singlecwd and nocwd, as curl has them', async () => {
    const data = { RETR: 'x' };
    expect(await commandsOf('/a/b/c', { data }, { method: 'singlecwd' })).toEqual(
      expect.arrayContaining(['CWD a/b', 'RETR c']),
    );
    const nocwd = await commandsOf('/a/b/c', { data }, { method: 'nocwd' });
    expect(nocwd).toEqual([...anonymous, 'TYPE I', 'SIZE a/b/c', 'MDTM a/b/c', 'EPSV', 'RETR a/b/c']);
    expect(await commandsOf('/a/b/', { data: { LIST: '' } }, { method: 'nocwd' })).toContain('LIST a/b/');
  });

  test('nocwd: an empty listing of a missing path is not-found (vsftpd, Pure-FTPd)', async () => {
    await using peer = await ftpPeer({ data: { LIST: '' }, replies: { 'CWD a/none/': '550 no' } });
    using one = visit({ method: 'nocwd' });
    expect(await one.entries(peer.url('/a/empty/'))).toEqual([]);
    await expect(one.retrieve(peer.url('/a/none/'))).rejects.toMatchObject({ code: 'not-found' });
    await expect(one.retrieve(peer.url('/a/none/'), { metadataOnly: true })).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  test('an account that would end the line is refused before anything is sent', async () => {
    await using peer = await ftpPeer();
    using one = visit({ account: 'x\r\nDELE y' });
    await expect(one.retrieve(peer.url('/a'))).rejects.toMatchObject({ code: 'policy' });
    expect(peer.connections).toBe(0);
  });

  test('list: nlst and list: mlsd ask no FEAT', async () => {
    expect(await commandsOf('/', { data: { NLST: '' } }, { list: 'nlst' })).toEqual([
      ...anonymous,
      'TYPE A',
      'EPSV',
      'NLST',
    ]);
    expect(await commandsOf('/', { data: { MLSD: '' } }, { list: 'mlsd' })).toEqual([...anonymous, 'EPSV', 'MLSD']);
  });

  test('a command that the server does not know is asked once a session', async () => {
    await using peer = await ftpPeer({ data: { RETR: 'x' } });
    using one = visit();
    await one.text(peer.url('/a'));
    await one.text(peer.url('/b'));
    expect(peer.commands.filter((line) => line.startsWith('MDTM'))).toEqual(['MDTM a']);
  });

  test.each(['%0D', '%0A', '%00'])('%s in a name is refused before anything is sent (RFC 1738 §6)', async (octet) => {
    await using peer = await ftpPeer();
    using one = visit();
    for (const path of [`/a${octet}/b`, `/a${octet}`, `/a${octet};type=d`]) {
      await expect(one.retrieve(peer.url(path))).rejects.toMatchObject({ code: 'policy' });
    }
    await expect(one.retrieve(peer.url('/', `u${octet}:p@`))).rejects.toMatchObject({ code: 'policy' });
    await expect(one.retrieve(peer.url('/', `u:p${octet}@`))).rejects.toMatchObject({ code: 'policy' });
    expect(peer.connections).toBe(0);
  });

  test('0xFF is doubled when the server does not find it as it is (inetutils, netkit)', async () => {
    await using peer = await ftpPeer({
      data: { 'RETR a\xff\xff': 'x' },
      replies: { 'CWD a\xff': '550 no', 'CWD a\xff\xff': '550 no' },
    });
    using one = visit();
    expect(await one.text(peer.url('/a%FF'))).toBe('x');
  });
});

describe('refusals', () => {
  const failure = async (path: string, options: FtpPeerOptions): Promise<RetrievalError> => {
    await using peer = await ftpPeer(options);
    using one = visit();
    const error: unknown = await one.retrieve(peer.url(path)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RetrievalError);
    return error as RetrievalError;
  };

  test('a missing file: the first refusal, with its reply', async () => {
    const error = await failure('/none', {
      replies: { 'RETR none': '550 no such file', 'CWD none': '550 not a directory' },
    });
    expect(error).toMatchObject({ code: 'not-found', temporary: false, reply: { code: 550, text: 'no such file' } });
    expect(error.message).toBe('RETR none at 127.0.0.1 was answered 550 no such file');
  });

  test('the session goes on after a refusal', async () => {
    await using peer = await ftpPeer({ replies: { 'CWD none': '550 no' }, data: { 'RETR a': 'x' } });
    using one = visit();
    await expect(one.retrieve(peer.url('/none'))).rejects.toMatchObject({ code: 'not-found' });
    expect(await one.text(peer.url('/a'))).toBe('x');
    expect(peer.connections).toBe(1);
  });

  test('permission denied is refused', async () => {
    expect(await failure('/x;type=i', { replies: { RETR: '550 x: Permission denied.' } })).toMatchObject({
      code: 'refused',
      temporary: false,
    });
  });

  test('4yz is temporary', async () => {
    expect(await failure('/x', { replies: { RETR: '450 busy' } })).toMatchObject({ code: 'refused', temporary: true });
  });

  test('421 at connect is temporary', async () => {
    expect(await failure('/x', { greeting: '421 too many users' })).toMatchObject({
      code: 'refused',
      temporary: true,
      reply: { code: 421 },
    });
  });

  test('a CWD that is refused names the segment', async () => {
    expect((await failure('/a/b/c', { replies: { 'CWD b': '550 no' } })).message).toContain('CWD b at 127.0.0.1');
  });

  test('an explicit type does not fall back to a listing', async () => {
    await using peer = await ftpPeer({ data: { LIST: 'x' } });
    using one = visit();
    await expect(one.retrieve(peer.url('/pub;type=i'))).rejects.toMatchObject({ code: 'not-found' });
    expect(peer.commands).not.toContain('CWD pub');
  });
});

describe(';type=d and what is not there', () => {
  test('226 without an octet for a missing name is not-found (vsftpd)', async () => {
    await using peer = await ftpPeer({ data: { NLST: '' }, replies: { 'CWD none': '550 no' } });
    using one = visit();
    await expect(one.retrieve(peer.url('/none;type=d'))).rejects.toMatchObject({ code: 'not-found' });
  });

  test('226 without an octet for an empty directory is an empty listing', async () => {
    await using peer = await ftpPeer({ data: { NLST: '' } });
    using one = visit();
    expect(await one.entries(peer.url('/empty;type=d'))).toEqual([]);
  });

  test('550 for an empty directory is an empty listing (inetutils)', async () => {
    await using peer = await ftpPeer({ replies: { NLST: '550 No files found.' } });
    using one = visit();
    expect(await one.entries(peer.url('/empty;type=d'))).toEqual([]);
    expect(await one.entries(peer.url('/empty/;type=d'))).toEqual([]);
  });

  test('550 for a missing name is not-found', async () => {
    await using peer = await ftpPeer({ replies: { NLST: '550 none: gone', 'CWD none': '550 no' } });
    using one = visit();
    await expect(one.retrieve(peer.url('/none;type=d'))).rejects.toMatchObject({
      code: 'not-found',
      reply: { text: 'none: gone' },
    });
  });

  test('names with the directory before them lose it (BSD, Pure-FTPd); `.` and `..` are left out', async () => {
    await using peer = await ftpPeer({ data: { NLST: 'pub/.\r\npub/..\r\npub/a\r\n' } });
    using one = visit();
    expect(await one.entries(peer.url('/pub;type=d'))).toMatchObject([
      { name: 'a', kind: 'other', url: peer.url('/pub/a') },
    ]);
  });

  test('a file lists itself beside, not inside', async () => {
    await using peer = await ftpPeer({ data: { NLST: 'file.txt\r\n' } });
    using one = visit();
    expect(await one.entries(peer.url('/pub/file.txt;type=d'))).toMatchObject([{ url: peer.url('/pub/file.txt') }]);
  });
});

/** How many commands were sent at a time, without a reply between them. */
function segmentsOf({ access }: Visit): number[] {
  const types = access.events.map(({ type }) => type).filter((type) => type === 'sent' || type === 'received');
  return types
    .join(' ')
    .split(/(?:received ?)+/)
    .map((sent) => sent.split(' ').filter((type) => type === 'sent').length)
    .filter((count) => count > 0);
}

describe('sessions (RFC 1738 §3.2.5)', () => {
  const two = async (
    first: string,
    second: string,
    replies: FtpPeerOptions['replies'] = {},
  ): Promise<{ commands: readonly string[]; sessions: number }> => {
    await using peer = await ftpPeer({ data: { RETR: 'x' }, replies: { SIZE: '500', ...replies } });
    using one = visit();
    await one.text(peer.url(first));
    const before = peer.commands.length;
    await one.text(peer.url(second));
    return {
      commands: peer.commands.slice(before),
      sessions: peer.commands.filter((line) => line.startsWith('USER')).length,
    };
  };

  test('the same directories: no CWD at all', async () => {
    expect(await two('/a/b/x', '/a/b/y')).toEqual({ commands: ['EPSV', 'RETR y'], sessions: 1 });
  });

  test('further directories below: the same commands as from the start', async () => {
    expect(await two('/a/x', '/a/b/y')).toEqual({ commands: ['CWD b', 'EPSV', 'RETR y'], sessions: 1 });
  });

  test('other directories: by way of the login directory, if PWD told it', async () => {
    expect(await two('/a/x', '/b/y')).toEqual({ commands: ['CWD /home', 'CWD b', 'EPSV', 'RETR y'], sessions: 1 });
  });

  test('the login directory itself', async () => {
    expect(await two('/a/x', '/y')).toEqual({ commands: ['CWD /home', 'EPSV', 'RETR y'], sessions: 1 });
  });

  test.each([
    ['is refused', '502 no'],
    ['gives a relative path', '257 "home"'],
    ['is in doubt about quotes (Pure-FTPd)', '257 "/q"d" is current'],
  ])('a new session where PWD %s', async (_, reply) => {
    const { commands, sessions } = await two('/a/x', '/b/y', { PWD: reply });
    expect(sessions).toBe(2);
    expect(commands).toContain('CWD b');
  });

  test('a new session where the login directory is refused', async () => {
    expect((await two('/a/x', '/b/y', { 'CWD /home': '550 no' })).sessions).toBe(2);
  });

  test('the type is set again only when it changes', async () => {
    expect((await two('/x', '/y;type=a')).commands).toEqual(['TYPE A', 'EPSV', 'RETR y']);
  });

  test('another user gets another session', async () => {
    await using peer = await ftpPeer({ data: { RETR: 'x' } });
    using one = visit();
    await one.text(peer.url('/x'));
    await one.text(peer.url('/x', 'u:p@'));
    await one.text(peer.url('/x', 'u:q@'));
    expect(peer.commands.filter((line) => /^(USER|PASS)/.test(line))).toEqual([
      ...anonymous,
      'USER u',
      'PASS p',
      'USER u',
      'PASS q',
    ]);
  });

  test.each([
    ['closes', null],
    ['says 421', '421 idle too long'],
  ])('a reused session that %s is replaced once', async (_, reply) => {
    let retrievals = 0;
    await using peer = await ftpPeer({ data: { RETR: 'x' }, replies: { EPSV: () => null } });
    await using dying = await ftpPeer({
      data: { RETR: 'x' },
      replies: { 'RETR y': () => (++retrievals === 1 ? reply : '550 later') },
    });
    using one = visit();
    await one.text(dying.url('/x'));
    await expect(one.retrieve(dying.url('/y;type=i'))).rejects.toMatchObject({ code: 'not-found' });
    expect(retrievals).toBe(2);
    // A new session that dies is an error.
    await expect(one.retrieve(peer.url('/x'))).rejects.toMatchObject({ code: 'incomplete' });
    expect(peer.connections).toBe(1);
  });

  test('an idle session that the server ended is not usable', async () => {
    await using peer = await ftpPeer({
      async transfer({ control, socket }) {
        await control.send('150 here\r\n');
        await sendData(await socket, 'x');
        await control.send('226 done\r\n');
        await delay(20);
        await control.send('421 idle\r\n');
        control.end();
      },
    });
    using one = visit();
    await one.text(peer.url('/x'));
    const [session] = [...one.access.idle.values()];
    expect(session?.usable).toBe(true);
    await delay(60);
    expect(session?.usable).toBe(false);
  });

  test('NOOP keeps a session alive, and finds a dead one', async () => {
    await using peer = await ftpPeer({ data: { RETR: 'x' } });
    using one = visit();
    await one.text(peer.url('/x'));
    const [session] = [...one.access.idle.values()];
    await session?.keepAlive?.();
    expect(peer.commands.at(-1)).toBe('NOOP');
    session?.close();
    await expect(session?.keepAlive?.()).rejects.toMatchObject({ code: 'incomplete' });
  });

  test('pipelining sends what needs no reply first in one segment, for servers known to take it', async () => {
    const options: FtpPeerOptions = {
      greeting: '220 (vsFTPd 3.0.3)',
      data: { RETR: 'x' },
      replies: { 'CWD gone': '550 no' },
    };
    await using peer = await ftpPeer(options);
    using one = visit();
    expect(await one.text(peer.url('/a/b'))).toBe('x');
    // USER PASS, then PWD CWD TYPE SIZE MDTM EPSV, and their replies behind them.
    expect(segmentsOf(one)).toEqual([2, 6, 1]);
    await expect(one.text(peer.url('/gone/x'))).rejects.toMatchObject({ code: 'not-found' });
    expect(await one.text(peer.url('/a/b'))).toBe('x');
  });

  test('pipelining a range: REST and RETR in one segment', async () => {
    await using peer = await ftpPeer({ data: { RETR: 'def' } });
    using one = visit({ pipelining: true });
    const { metadata, body } = await one.content(peer.url('/a'), { range: { start: 3 } });
    expect(metadata.range).toEqual({ start: 3 });
    expect(await body.text()).toBe('def');
    expect(peer.commands.slice(-3)).toEqual(['EPSV', 'REST 3', 'RETR a']);
    // USER PASS, TYPE SIZE MDTM EPSV, REST RETR.
    expect(segmentsOf(one)).toEqual([2, 4, 2]);
  });

  test('pipelining a listing: FEAT along with CWD, EPSV along with TYPE', async () => {
    await using peer = await ftpPeer({ data: { LIST: '' } });
    using one = visit({ pipelining: true });
    expect(await one.entries(peer.url('/a/'))).toEqual([]);
    // USER PASS, PWD CWD FEAT, TYPE EPSV, LIST.
    expect(segmentsOf(one)).toEqual([2, 3, 2, 1]);
  });

  test('pipelining asks for no data port where a transfer may not be wanted', async () => {
    await using peer = await ftpPeer({ replies: { SIZE: '213 1', MDTM: '213 20010203040506' }, data: { RETR: 'x' } });
    using one = visit({ pipelining: true });
    await one.content(peer.url('/a'), { ifModifiedSince: new Date('2002-02-03T04:05:06Z') });
    await one.content(peer.url('/a'), { metadataOnly: true });
    await one.listing(peer.url('/'), { metadataOnly: true });
    expect(peer.commands).not.toContain('EPSV');
  });
});

describe('metadata and conditions', () => {
  const file: FtpPeerOptions = {
    replies: { SIZE: '213 10', MDTM: '213 20010203040506' },
    data: { RETR: '0123456789' },
  };
  const modified = new Date('2001-02-03T04:05:06Z');

  test('size, time, media type by the name, and the reply', async () => {
    await using peer = await ftpPeer(file);
    using one = visit();
    const { metadata, body } = await one.content(peer.url('/a.html'));
    expect(metadata).toEqual({
      size: 10,
      modified,
      mediaType: 'text/html',
      reply: { code: 150, text: 'here it comes (10 bytes)' },
    });
    expect(body.size).toBe(10);
    await body.bytes();
  });

  test('metadataOnly transfers nothing', async () => {
    await using peer = await ftpPeer(file);
    using one = visit();
    const { metadata, body } = await one.content(peer.url('/a.html'), { metadataOnly: true });
    expect(metadata).toEqual({ size: 10, modified, mediaType: 'text/html' });
    expect(await body.bytes()).toHaveLength(0);
    expect(peer.commands).toEqual([...anonymous, 'TYPE I', 'SIZE a.html', 'MDTM a.html']);
  });

  test('metadataOnly of a directory, with and without its slash', async () => {
    await using peer = await ftpPeer();
    using one = visit();
    expect((await one.listing(peer.url('/pub'), { metadataOnly: true })).kind).toBe('listing');
    expect((await one.listing(peer.url('/pub/'), { metadataOnly: true })).kind).toBe('listing');
    expect(peer.connections).toBe(1);
  });

  test('metadataOnly of what is missing', async () => {
    await using peer = await ftpPeer({ replies: { 'CWD none': '550 no' } });
    using one = visit();
    await expect(one.retrieve(peer.url('/none'), { metadataOnly: true })).rejects.toMatchObject({
      code: 'not-found',
      reply: { text: 'no size' },
    });
  });

  test('ifModifiedSince: not modified, and modified', async () => {
    await using peer = await ftpPeer(file);
    using one = visit();
    const same = await one.content(peer.url('/a'), { ifModifiedSince: modified });
    expect(same.metadata.notModified).toBe(true);
    expect(await same.body.bytes()).toHaveLength(0);
    const newer = await one.content(peer.url('/a'), { ifModifiedSince: new Date('2000-01-01') });
    expect(newer.metadata.notModified).toBeUndefined();
    await newer.body.bytes();
  });

  const ranged: FtpPeerOptions = {
    ...file,
    data: { RETR: '3456789' },
  };

  test('a range: EPSV, REST, RETR in this order, and no more than was asked for', async () => {
    await using peer = await ftpPeer(ranged);
    using one = visit();
    const { metadata, body } = await one.content(peer.url('/a'), { range: { start: 3, end: 5 } });
    expect(metadata).toMatchObject({ size: 10, range: { start: 3, end: 5 } });
    expect(body.size).toBe(3);
    expect(await body.text()).toBe('345');
    expect(peer.commands.slice(-3)).toEqual(['EPSV', 'REST 3', 'RETR a']);
    expect(one.access.idle.size).toBe(0);
  });

  test.each([{ start: 3 }, { start: 3, end: 99 }, { suffix: 7 }])('a range to the end: %j', async (range) => {
    await using peer = await ftpPeer(ranged);
    using one = visit();
    const { metadata, body } = await one.content(peer.url('/a'), { range });
    expect(metadata.range).toEqual({ start: 3, end: 9 });
    expect(await body.text()).toBe('3456789');
    expect(one.access.idle.size).toBe(1);
  });

  test('a range that ends short is incomplete', async () => {
    await using peer = await ftpPeer({ ...file, data: { RETR: '34' } });
    using one = visit();
    const { body } = await one.content(peer.url('/a'), { range: { start: 3, end: 5 } });
    await expect(body.bytes()).rejects.toMatchObject({ code: 'incomplete' });
  });

  test('a range of an object whose size nobody tells is what REST gives', async () => {
    await using peer = await ftpPeer({ replies: { SIZE: '500 what?' }, data: { RETR: 'defghi' } });
    using one = visit();
    const rest = await one.content(peer.url('/a'), { range: { start: 3 } });
    expect(rest.metadata).toMatchObject({ range: { start: 3 } });
    expect(await rest.body.text()).toBe('defghi');
    const part = await one.content(peer.url('/a'), { range: { start: 3, end: 5 } });
    expect(part.metadata.range).toEqual({ start: 3, end: 5 });
    expect(await part.body.text()).toBe('def');
    const suffix = await one.content(peer.url('/a'), { range: { suffix: 3 } });
    expect(suffix.metadata.range).toBeUndefined();
    await suffix.body.cancel();
    expect(peer.commands.filter((command) => command.startsWith('REST'))).toEqual(['REST 3', 'REST 3']);
  });

  test('metadataOnly where the server has neither SIZE nor MDTM', async () => {
    await using peer = await ftpPeer({ replies: { SIZE: '500 what?', 'CWD file': '550 no' } });
    using one = visit();
    expect((await one.listing(peer.url('/pub'), { metadataOnly: true })).kind).toBe('listing');
    await expect(one.retrieve(peer.url('/file'), { metadataOnly: true })).rejects.toMatchObject({
      code: 'unsupported',
    });
  });

  test('a suffix longer than the object is all of it', async () => {
    await using peer = await ftpPeer(file);
    using one = visit();
    const { metadata, body } = await one.content(peer.url('/a'), { range: { suffix: 99 } });
    expect(metadata.range).toEqual({ start: 0, end: 9 });
    expect(await body.text()).toBe('0123456789');
  });

  test.each([{ start: 10 }, { suffix: 0 }, { start: 5, end: 4 }])('a range outside: %j', async (range) => {
    await using peer = await ftpPeer(file);
    using one = visit();
    await expect(one.retrieve(peer.url('/a'), { range })).rejects.toMatchObject({ code: 'range' });
    expect(peer.connections).toBe(1);
    expect(one.access.idle.size).toBe(1);
  });

  test('REST refused: the whole object, and no range in the metadata', async () => {
    await using peer = await ftpPeer({ ...file, replies: { ...file.replies, REST: '502 no' } });
    using one = visit();
    const { metadata, body } = await one.content(peer.url('/a'), { range: { start: 3 } });
    expect(metadata.range).toBeUndefined();
    expect(await body.text()).toBe('0123456789');
  });

  test('a server that forgets REST fails the body (the BSD servers, had EPSV come after)', async () => {
    await using peer = await ftpPeer(file);
    using one = visit();
    const { body } = await one.content(peer.url('/a'), { range: { start: 3 } });
    await expect(body.bytes()).rejects.toMatchObject({ code: 'protocol' });
  });

  test('ifRange: the range of the same version only', async () => {
    await using peer = await ftpPeer({ ...file, data: { RETR: '0123456789' } });
    using one = visit();
    const stale = await one.content(peer.url('/a'), { range: { start: 0, end: 1 }, ifRange: new Date('2000-01-01') });
    expect(stale.metadata.range).toBeUndefined();
    expect(await stale.body.text()).toBe('0123456789');
    const tagged = await one.content(peer.url('/a'), { range: { start: 0, end: 1 }, ifRange: '"tag"' });
    expect(tagged.metadata.range).toBeUndefined();
    await tagged.body.bytes();
    const fresh = await one.content(peer.url('/a'), { range: { start: 0, end: 1 }, ifRange: modified });
    expect(await fresh.body.text()).toBe('01');
  });

  test(';type=a is text with LF, of unknown size', async () => {
    await using peer = await ftpPeer({ ...file, data: { RETR: 'a\r\nb\r\r\nc\rd\r' } });
    using one = visit();
    const { metadata, body } = await one.content(peer.url('/a.bin;type=a'));
    expect(metadata).toMatchObject({ mediaType: 'text/plain' });
    expect(metadata.size).toBeUndefined();
    expect(await body.text()).toBe('a\nb\r\nc\rd\r');
    using wire = visit({ newline: 'wire' });
    expect(await wire.text(peer.url('/a;type=a'))).toBe('a\r\nb\r\r\nc\rd\r');
  });
});
