import { latin1Of } from '@retriever/driver';
import { describe, expect, test } from 'vitest';
import { ftpPeer } from '../../testing/ftp-peer.ts';
import { visit } from '../../testing/retrieve.ts';
import type { FtpOptions } from '../options.ts';
import { dosDate, unixDate, vmsDate } from './list-date.ts';
import { listParser, mlsdParser } from './list-parser.ts';
import type { LineParser, ListedLine } from './listed-line.ts';
import { directoryUrl, encodeSegment, entryUrl } from './url-base.ts';
import { parse, type FtpUrl } from '@retriever/url';

/** 20 November 2026, noon: what "recent" is measured by. */
const now = Date.UTC(2026, 10, 20, 12);

/** The lines understood, their names as latin1. */
function understood(parser: LineParser, text: string): (Omit<ListedLine, 'rawName'> & { rawName: string })[] {
  return text.split('\n').flatMap((lineText) => {
    const line = parser(Buffer.from(lineText, 'latin1'), lineText);
    return line === undefined || line === 'skip' ? [] : [{ ...line, rawName: latin1Of(line.rawName) }];
  });
}

const list = async (text: string): Promise<ReturnType<typeof understood>> =>
  understood(await listParser(() => now), text);
const mlsd = (text: string): ReturnType<typeof understood> => understood(mlsdParser(), text);

describe('LIST as ls writes it', () => {
  test('vsftpd, with links and modes', async () => {
    const lines = await list(
      [
        'total 12',
        'drwxr-xr-x    2 0        0            4096 Nov 20 19:41 .',
        'drwxr-xr-x    2 0        0            4096 Nov 20 19:41 ..',
        'drwxrwxrwt    2 0        0            4096 Nov 20 11:41 incoming',
        '-rwsr-x--T    1 ftp      staff          43 Feb 03  2001 text.txt',
        'lrwxrwxrwx    1 0        0               8 Dec 31 23:59 link-to-text -> text.txt',
        'crw-rw-rw-    1 root     root       1,   3 Jan  1  2020 null',
      ].join('\n'),
    );
    expect(lines).toEqual([
      {
        rawName: 'incoming',
        kind: 'directory',
        modified: new Date('2026-11-20T11:41Z'),
        precision: 'minute',
        facts: { 'unix.mode': '1777', 'unix.owner': '0', 'unix.group': '0' },
      },
      {
        rawName: 'text.txt',
        kind: 'file',
        size: 43,
        modified: new Date('2001-02-03'),
        precision: 'day',
        facts: { 'unix.mode': '5750', 'unix.owner': 'ftp', 'unix.group': 'staff' },
      },
      {
        rawName: 'link-to-text',
        kind: 'link',
        linkTarget: 'text.txt',
        modified: new Date('2025-12-31T23:59Z'),
        precision: 'minute',
        facts: { 'unix.mode': '0777', 'unix.owner': '0', 'unix.group': '0' },
      },
      {
        rawName: 'null',
        kind: 'other',
        modified: new Date('2020-01-01'),
        precision: 'day',
        facts: { 'unix.mode': '0666', 'unix.owner': 'root', 'unix.group': 'root' },
      },
    ]);
  });

  test.each([
    ['a leading space', ' leading'],
    ['a trailing space', 'trailing '],
    ['an arrow in a file', 'a -> b'],
    ['octets', 'caf\xe9 \xff\xa0'],
    ['a CR', 'carriage\rreturn'],
    ['a control', 'control\x01name'],
    ['a plus', '+plus,\tr'],
  ])('a name with %s is kept octet for octet', async (_, name) => {
    expect(await list(`-rw-r--r-- 1 0 0 5 Jan 01 2020 ${name}`)).toMatchObject([
      { rawName: name, kind: 'file', size: 5 },
    ]);
  });

  test.each([
    ['no group', '-rw-r--r--   1 owner  4096 Jan 01 2020 f'],
    ['no owner', '-rw-r--r--   1 4096 Jan 01 2020 f'],
    ['an inode first', '  1234 -rw-r--r--   1 o g 4096 Jan 01 2020 f'],
    ['a plus for an access list', '-rw-r--r--+  1 o g 4096 Jan 01 2020 f'],
    ['numbers for a date', '-rw-r--r--   1 o g 4096 2020-01-01 00:00 f'],
    ['the day first', '-rw-r--r--   1 o g 4096 01 Jan 2020 f'],
    ['a group of two words', '-rw-r--r--   1 o domain users 4096 Jan 01 2020 f'],
  ])('a line with %s', async (_, line) => {
    expect(await list(line)).toMatchObject([
      { rawName: 'f', kind: 'file', size: 4096, modified: new Date('2020-01-01') },
    ]);
  });

  test('a month in another language gives no date', async () => {
    const [line] = await list('-rw-r--r-- 1 o g 1 M\xe4r 01 2020 f');
    expect(line).toMatchObject({ rawName: 'f' });
    expect(line?.modified).toBeUndefined();
  });
});

describe('other LIST formats', () => {
  test('IIS', async () => {
    expect(
      await list(
        '12-05-96  05:03PM       <DIR>          my dir\r\n11-20-2026  00:30                  43 text.txt'.replace(
          '\r',
          '',
        ),
      ),
    ).toEqual([
      { rawName: 'my dir', kind: 'directory', modified: new Date('1996-12-05T17:03Z'), precision: 'minute' },
      { rawName: 'text.txt', kind: 'file', size: 43, modified: new Date('2026-11-20T00:30Z'), precision: 'minute' },
    ]);
  });

  test('EPLF', async () => {
    expect(
      await list(
        '+i8388621.48594,m825718503,r,s280,\tdjb.html\n+i8388621.50690,m824255907,/,up755,\t514\n+/,\t..\n+m1,\tneither',
      ),
    ).toEqual([
      {
        rawName: 'djb.html',
        kind: 'file',
        size: 280,
        modified: new Date(825_718_503_000),
        precision: 'second',
        facts: { unique: '8388621.48594' },
      },
      {
        rawName: '514',
        kind: 'directory',
        modified: new Date(824_255_907_000),
        precision: 'second',
        facts: { unique: '8388621.50690', 'unix.mode': '0755' },
      },
      { rawName: 'neither', kind: 'other', modified: new Date(1000), precision: 'second' },
    ]);
  });

  test('VMS, with a name on a line of its own', async () => {
    const text = [
      'Directory SYS$SYSDEVICE:[ANON]',
      '',
      'CORE.DIR;1          1  8-SEP-1996 16:09 [SYSTEM] (RWE,RWED,RE,RE)',
      'CII-MANUAL.TEX;1  213/216  29-JAN-1996 03:33:12  [ANONYMOU,ANONYMOUS]  (RWED,RWED,,)',
      'A-VERY-LONG-NAME-THAT-FILLS-THE-LINE.TXT;12',
      '                    5  1-JAN-2000',
      '',
      'Total of 3 files, 219 blocks.',
    ].join('\n');
    expect(await list(text)).toEqual([
      {
        rawName: 'CORE.DIR;1',
        urlName: Uint8Array.from([67, 79, 82, 69]),
        kind: 'directory',
        modified: new Date('1996-09-08T16:09Z'),
        precision: 'minute',
        facts: { 'vms.blocks': 1, 'vms.owner': 'SYSTEM', 'vms.protection': 'RWE,RWED,RE,RE' },
      },
      {
        rawName: 'CII-MANUAL.TEX;1',
        kind: 'file',
        modified: new Date('1996-01-29T03:33:12Z'),
        precision: 'second',
        facts: { 'vms.blocks': 213, 'vms.owner': 'ANONYMOU,ANONYMOUS', 'vms.protection': 'RWED,RWED,,' },
      },
      {
        rawName: 'A-VERY-LONG-NAME-THAT-FILLS-THE-LINE.TXT;12',
        kind: 'file',
        modified: new Date('2000-01-01'),
        precision: 'day',
        facts: { 'vms.blocks': 5 },
      },
    ]);
  });

  test('bare names', async () => {
    expect(await list('a\nb c\n.\n..')).toEqual([
      { rawName: 'a', kind: 'other' },
      { rawName: 'b c', kind: 'other' },
    ]);
  });

  test.each([
    'ls: none: No such file or directory',
    '/bin/ls: cannot access none: No such file or directory',
    'unreadabledir: Permission denied',
    'bin/ls: .: Permission denied',
  ])('a complaint sent as data by BSD servers is an error, not a name: %s', async (line) => {
    expect(await list(line)).toEqual([{ rawName: line, kind: 'error' }]);
  });

  test('a line that fits nothing, among lines that do, is text', async () => {
    expect(
      await list('-rw-r--r-- 1 0 0 5 Jan 01 2020 f\nd [R----F--] supervisor 512 Jan 16 18:53 login'),
    ).toMatchObject([{ kind: 'file' }, { kind: 'info' }]);
  });

  test('a long line that fits nothing costs no long time', async () => {
    const parser = await listParser();
    const started = performance.now();
    for (const text of [
      '1 '.repeat(8000),
      'a'.repeat(16_000),
      `-rw-r--r-- 1 ${'x '.repeat(7000)}`,
      `drwxr-xr-x 1 ${' '.repeat(16_000)}`,
      `12-05-96 ${'1 '.repeat(8000)}`,
      `A;1 1 1-JAN-2000${' '.repeat(16_000)}x`,
      `Directory ${':['.repeat(8000)}`,
      `${': not found'.repeat(1400)}${' '.repeat(1000)}x`,
    ]) {
      parser(Buffer.from(text), text);
    }
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('MLSD (RFC 3659 §7)', () => {
  test('facts, names with spaces, cdir and pdir left out', () => {
    const lines = mlsd(
      [
        'type=cdir;modify=20200101000000; .',
        'type=pdir; ..',
        'Type=File;Size=43;Modify=20010203040506.789;UNIX.mode=0644;UNIX.owner=0; text.txt',
        'type=dir;sizd=4096;modify=20200101000000;  leading space',
        ' name without facts',
        'type=file;media-type=Text/HTML; a; b',
      ].join('\n'),
    );
    expect(lines).toEqual([
      {
        rawName: 'text.txt',
        kind: 'file',
        size: 43,
        modified: new Date('2001-02-03T04:05:06.789Z'),
        precision: 'second',
        facts: { 'unix.mode': '0644', 'unix.owner': '0' },
      },
      {
        rawName: ' leading space',
        kind: 'directory',
        modified: new Date('2020-01-01'),
        precision: 'second',
        facts: { sizd: '4096' },
      },
      { rawName: 'name without facts', kind: 'other' },
      { rawName: 'a; b', kind: 'file', mediaType: 'text/html' },
    ]);
  });

  test('links as ProFTPD and as Pure-FTPd write them', () => {
    expect(mlsd('type=OS.unix=symlink; a\ntype=OS.unix=slink:dir with space/x;UNIX.mode=0777; b')).toMatchObject([
      { rawName: 'a', kind: 'link' },
      { rawName: 'b', kind: 'link', linkTarget: 'dir with space/x' },
    ]);
    expect(mlsd('type=OS.unix=symlink; a')[0]?.linkTarget).toBeUndefined();
  });

  test('dates and sizes that are none are left out', () => {
    const [line] = mlsd('type=file;size=-1;modify=20010231000000; a');
    expect(line).toEqual({ rawName: 'a', kind: 'file' });
  });

  test('what is no MLSD line is text', () => {
    expect(mlsd('total 5\nfoo=bar')).toMatchObject([{ kind: 'info' }, { kind: 'info' }]);
  });

  test('a fact called __proto__ is a fact', () => {
    expect(Object.keys(mlsd('__proto__=x; a')[0]?.facts ?? {})).toEqual(['__proto__']);
  });

  test('a long line costs no long time', () => {
    const started = performance.now();
    for (const text of ['a='.repeat(8000), 'a=b'.repeat(5000), '='.repeat(16_000), `${'a=b;'.repeat(4000)}!`])
      mlsd(text);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

describe('dates without a year', () => {
  test.each([
    ['Nov 20 11:59', '2026-11-20T11:59Z'],
    ['Nov 21 11:59', '2026-11-21T11:59Z'], // a zone ahead of ours
    ['Nov 22 00:00', '2025-11-22T00:00Z'],
    ['Jan  1 00:00', '2026-01-01T00:00Z'],
    ['Feb 29 10:00', '2024-02-29T10:00Z'],
  ])('%s', (text, expected) => {
    expect(unixDate(text, now)).toEqual({ modified: new Date(expected), precision: 'minute' });
  });

  test('a new year has begun only for the server', () => {
    expect(unixDate('Jan 1 00:30', Date.UTC(2026, 11, 31, 23))).toMatchObject({
      modified: new Date('2027-01-01T00:30Z'),
    });
  });

  test.each(['Feb 30 2020', 'Foo 1 2020', 'Jan 1', 'Jan 1 99:99', '2020-13-01 00:00', ''])('none: %j', (text) => {
    expect(unixDate(text, now)).toBeUndefined();
  });

  test('noon and midnight', () => {
    expect(dosDate('01-02-26  12:00AM')?.modified).toEqual(new Date('2026-01-02T00:00Z'));
    expect(dosDate('01-02-26  12:00PM')?.modified).toEqual(new Date('2026-01-02T12:00Z'));
    expect(dosDate('13-02-26  12:00PM')).toBeUndefined();
    expect(vmsDate('31-FEB-2020 01:02')).toBeUndefined();
  });
});

describe('the URLs of entries', () => {
  const of = (text: string): FtpUrl => parse(text) as FtpUrl;

  test('login, host and port as they are, without the password', () => {
    expect(directoryUrl(of('ftp://us%40er:secret@h.example:2121/x'), [])).toBe('ftp://us%40er@h.example:2121/');
    expect(directoryUrl(of('ftp://@h.example'), [])).toBe('ftp://@h.example/');
    expect(directoryUrl(of('ftps://[::1]/a/b/'), [Buffer.from('a'), Buffer.from('/b')])).toBe('ftps://[::1]/a/%2Fb/');
  });

  test('octets are encoded so that they come back', () => {
    const octets = Uint8Array.from({ length: 256 }, (_, octet) => octet);
    const url = of(`ftp://h/${encodeSegment(octets)}`);
    expect(url.violations).toEqual([]);
    expect(Buffer.from(url.octets.name)).toEqual(Buffer.from(octets));
  });

  test('a name that is more than a name has no URL', () => {
    for (const name of ['a/b', '/etc/passwd', '../x', 'a\0b', 'a\nb', 'a\rb'])
      expect(entryUrl('ftp://h/', Buffer.from(name), false)).toBeUndefined();
    expect(entryUrl('ftp://h/', Buffer.from('a;type=a'), true)).toBe('ftp://h/a%3Btype=a/');
  });
});

describe('listings over the wire', () => {
  const line = '-rw-r--r-- 1 0 0 5 Jan 01 2020 caf\xe9\r\n';

  test("entries with names for people and octets for machines; the body in the server's words and local lines", async () => {
    await using peer = await ftpPeer({
      data: { LIST: `${line}drwxr-xr-x 2 0 0 1 Jan 01 2020 sub\r\n` },
      octetByOctet: true,
    });
    using one = visit();
    expect(await one.entries(peer.url('/a%20b/'))).toMatchObject([
      { name: 'café', rawName: Uint8Array.from(Buffer.from('caf\xe9', 'latin1')), url: peer.url('/a%20b/caf%E9') },
      { name: 'sub', kind: 'directory', url: peer.url('/a%20b/sub/') },
    ]);
    expect(await (await one.listing(peer.url('/'))).body.text({ charset: 'latin1' })).toMatch(/^-rw.*café\n/);
    using other = visit({ newline: 'wire' });
    expect(await (await other.listing(peer.url('/'))).body.text({ charset: 'latin1' })).toMatch(/^-rw.*café\r\n/);
  });

  test('a directory found without its slash lists as one with it', async () => {
    await using peer = await ftpPeer({ data: { LIST: line } });
    using one = visit();
    expect(await one.entries(peer.url('/pub'))).toMatchObject([{ url: peer.url('/pub/caf%E9') }]);
  });

  test.each<[string, FtpOptions]>([
    ['lines', { maxListingLineBytes: 20 }],
    ['entries', { maxEntries: 3 }],
    ['octets', { maxListingBytes: 100 }],
  ])('a flood of %s is cut off', async (_, options) => {
    await using peer = await ftpPeer({ data: { LIST: line.repeat(50) } });
    using one = visit(options);
    await expect(one.entries(peer.url('/'))).rejects.toMatchObject({ code: 'limit' });
    expect(one.access.idle.size).toBe(0);
  });

  test('450 of a directory that was entered is an empty listing (RFC 959 §5.4)', async () => {
    await using peer = await ftpPeer({ replies: { LIST: '450 No files found' } });
    using one = visit();
    expect(await one.entries(peer.url('/a/'))).toEqual([]);
    expect(one.access.idle.size).toBe(1);
  });

  test('a listing that ends with 450 after nothing is an error (ProFTPD)', async () => {
    await using peer = await ftpPeer({
      async transfer({ control, socket }) {
        await control.send('150 here\r\n');
        (await socket).end();
        await control.send('450 gone\r\n');
      },
    });
    using one = visit();
    await expect(one.entries(peer.url('/'))).rejects.toMatchObject({ code: 'incomplete', temporary: true });
  });
});
