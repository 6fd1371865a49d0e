import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { retriever, temporaryDirectory } from './command.ts';
import { ftpPeer } from './ftp-peer.ts';

const unixList =
  'total 2\r\n-rw-r--r--   1 0 0 1234 Apr  9  2003 README\r\ndrwxr-xr-x   2 0 0 512 Apr  9  2003 pub\r\nlrwxrwxrwx   1 0 0 6 Apr  9  2003 latest -> README\r\n';

describe.concurrent('retriever over FTP', () => {
  test('retrieves a file by one CWD a directory (RFC 1738 §3.2.2)', async () => {
    const peer = await ftpPeer({ files: { f: 'hello\n' } });
    expect(await retriever([`${peer.url}/a/b/f`])).toMatchObject({ code: 0, stdout: 'hello\n', stderr: '' });
    expect(peer.commands).toContain('CWD a');
    expect(peer.commands).toContain('CWD b');
    expect(peer.commands).toContain('RETR f');
  });

  test('--ftp-method takes other ways to the directory', async () => {
    const peer = await ftpPeer({ files: { f: 'x', 'a/b/f': 'y' } });
    expect((await retriever(['--ftp-method', 'singlecwd', `${peer.url}/a/b/f`])).stdout).toBe('x');
    expect(peer.commands).toContain('CWD a/b');
    expect((await retriever(['--ftp-method=nocwd', `${peer.url}/a/b/f`])).stdout).toBe('y');
    expect(peer.commands).toContain('RETR a/b/f');
  });

  test('--disable-epsv begins with PASV', async () => {
    const peer = await ftpPeer({ files: { f: 'x' }, replies: { PASV: '500 No.' } });
    expect((await retriever(['--disable-epsv', `${peer.url}/f`])).code).toBe(13);
    expect(peer.commands).not.toContain('EPSV');
  });

  test('-u logs in, --ftp-account answers 332, and neither is shown by -v', async () => {
    const peer = await ftpPeer({ files: { f: 'x' }, replies: { PASS: '332 Account?', ACCT: '230 Welcome.' } });
    const { code, stderr } = await retriever(['-v', '-u', 'joe:hidden1', '--ftp-account', 'hidden2', `${peer.url}/f`]);
    expect(code).toBe(0);
    expect(peer.commands).toEqual(expect.arrayContaining(['USER joe', 'PASS hidden1', 'ACCT hidden2']));
    expect(stderr).toContain('> USER joe\n');
    expect(stderr).toContain('< 220 Hello.\n');
    expect(stderr).not.toMatch(/hidden/);
  });

  test('-u without a password fails where nobody can be asked', async () => {
    const peer = await ftpPeer();
    const ran = await retriever(['-u', 'joe', `${peer.url}/f`]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('-u USER:PASSWORD');
    expect((await retriever([peer.url.replace('//', '//joe@')])).code).toBe(67);
  });

  test('-B and ;type=a transfer text with line ends of this system', async () => {
    const peer = await ftpPeer({ files: { f: 'a\r\nb\r\n' } });
    expect((await retriever(['-B', `${peer.url}/f`])).octets).toBe('a\nb\n');
    expect(peer.commands).toContain('TYPE A');
    expect((await retriever([`${peer.url}/f;type=a`])).octets).toBe('a\nb\n');
    expect((await retriever([`${peer.url}/f`])).octets).toBe('a\r\nb\r\n');
  });

  test('a directory comes as the server lists it, with line ends of this system, -l lists names', async () => {
    const peer = await ftpPeer({ list: unixList });
    expect((await retriever([`${peer.url}/pub/`])).octets).toBe(unixList.replaceAll('\r\n', '\n'));
    expect(peer.commands).toContain('LIST');
    await retriever(['-l', `${peer.url}/pub/`]);
    expect(peer.commands).toContain('NLST');
  });

  test('-I prints time and size as curl does', async () => {
    const peer = await ftpPeer({ files: { f: 'x'.repeat(51) } });
    expect((await retriever(['-I', `${peer.url}/f`])).octets).toBe(
      'Last-Modified: Wed, 09 Apr 2003 10:26:59 GMT\r\nContent-Length: 51\r\nAccept-ranges: bytes\r\n',
    );
  });

  test('-r takes a part, -C - the rest, -D the replies', async () => {
    const cwd = temporaryDirectory();
    const peer = await ftpPeer({ files: { f: '0123456789' } });
    expect((await retriever(['-r', '2-4', `${peer.url}/f`])).stdout).toBe('234');
    expect((await retriever(['-r', '-3', `${peer.url}/f`])).stdout).toBe('789');
    expect((await retriever(['-r', '20-', `${peer.url}/f`])).code).toBe(36);
    writeFileSync(join(cwd, 'f'), '0123');
    expect((await retriever(['-C', '-', '-O', '-D', 'replies', `${peer.url}/f`], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, 'f'), 'utf8')).toBe('0123456789');
    expect(peer.commands).toContain('REST 4');
    expect(readFileSync(join(cwd, 'replies'), 'utf8')).toMatch(/^220 Hello\.\r\n331 Password\?\r\n/);
    expect((await retriever(['-C', '-', '-O', `${peer.url}/f`], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, 'f'), 'utf8')).toBe('0123456789');
  });

  test('-C - starts over where the file is longer than the object', async () => {
    const cwd = temporaryDirectory();
    const peer = await ftpPeer({ files: { f: 'short' } });
    writeFileSync(join(cwd, 'f'), 'something longer');
    expect((await retriever(['-C', '-', '-O', `${peer.url}/f`], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, 'f'), 'utf8')).toBe('short');
  });

  test('-z leaves an older file where it is', async () => {
    const peer = await ftpPeer({ files: { f: 'x' } });
    expect(await retriever(['-z', '2004-01-01', `${peer.url}/f`])).toMatchObject({ code: 0, stdout: '' });
    expect(await retriever(['-z', '2002-01-01', `${peer.url}/f`])).toMatchObject({ code: 0, stdout: 'x' });
  });

  test('a transfer that the server breaks off is exit 18, what came stays', async () => {
    const cwd = temporaryDirectory();
    const peer = await ftpPeer({ files: { f: '0123456789' }, cutAt: 4, replies: { END: '426 Broken.' } });
    expect((await retriever(['-O', `${peer.url}/f`], { cwd })).code).toBe(18);
    expect(readFileSync(join(cwd, 'f'), 'utf8')).toBe('0123');
  });

  test('-w tells the last reply code', async () => {
    const peer = await ftpPeer({ files: { f: 'x' } });
    expect((await retriever(['-w', ' %{http_code} %{scheme}', `${peer.url}/f`])).stdout).toBe('x 226 FTP');
  });

  test('--json gives a directory as typed entries', async () => {
    const peer = await ftpPeer({ mlsd: 'type=file;size=5;modify=20030409102659; a.txt\r\ntype=dir; sub\r\n' });
    const record = JSON.parse((await retriever(['--json', `${peer.url}/pub/`])).stdout) as unknown;
    expect(record).toMatchObject({
      kind: 'listing',
      entries: [
        { name: 'a.txt', kind: 'file', size: 5, modified: '2003-04-09T10:26:59.000Z', url: `${peer.url}/pub/a.txt` },
        { name: 'sub', kind: 'directory', url: `${peer.url}/pub/sub/` },
      ],
    });
  });

  test('ls lists in columns, or as JSON lines', async () => {
    const peer = await ftpPeer({ list: unixList });
    expect((await retriever(['ls', `${peer.url}/`])).stdout).toBe(
      [
        'file  1234  2003-04-09  README',
        'dir         2003-04-09  pub/',
        'link        2003-04-09  latest -> README',
        '',
      ].join('\n'),
    );
    const { stdout } = await retriever(['ls', '--json', `${peer.url}/`]);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { name: string }).name),
    ).toEqual(['README', 'pub', 'latest']);
  });

  test('ls makes names harmless', async () => {
    const peer = await ftpPeer({ list: '-rw-r--r--   1 0 0 1 Apr  9  2003 a\u001b]0;x\u0007b\r\n' });
    expect((await retriever(['ls', `${peer.url}/`])).stdout).toContain(String.raw`a\e]0;x\x07b`);
  });

  test('ls of a file shows one line', async () => {
    const peer = await ftpPeer({ files: { 'f.txt': '12345' } });
    const { stdout } = await retriever(['ls', `${peer.url}/f.txt`]);
    expect(stdout).toBe('file  5  2003-04-09 10:26  f.txt\n');
  });

  test.for([
    [8, 'a greeting that is no welcome', { GREETING: '500 Go away.' }],
    [28, '421', { GREETING: '421 Too busy.' }],
    [67, 'a login refused', { PASS: '530 No.' }],
    [11, 'an account refused', { PASS: '332 Account?', ACCT: '530 No.' }],
    [9, 'a CWD refused', { CWD: '550 No.' }],
    [13, 'no passive mode', { EPSV: '500 No.', PASV: '500 No.' }],
    [14, 'a 227 without a port', { EPSV: '500 No.', PASV: '227 Somewhere.' }],
    [17, 'a TYPE refused', { TYPE: '504 No.' }],
    [78, 'RETR 550', { RETR: '550 No.', 'CWD f': '550 No.' }],
    [19, 'RETR refused otherwise', { RETR: '451 No.' }],
    [64, 'TLS required and refused', { AUTH: '500 No.' }],
    [56, 'a control connection that closes', { RETR: null }],
    [18, 'a transfer not reported complete', { END: '451 Disk trouble.' }],
    [8, 'a reply that is none', { USER: 'what?' }],
  ] as const)('exit %i for %s', async ([code, what, replies]) => {
    const peer = await ftpPeer({ files: { f: 'x' }, replies });
    const args = ['--ftp-account', 'a', ...(what.startsWith('TLS') ? ['--ssl-reqd'] : []), '--retry', '0'];
    const ran = await retriever([...args, `${peer.url}/d/f`]);
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(`retriever: (${code}) `)]);
  });
});
