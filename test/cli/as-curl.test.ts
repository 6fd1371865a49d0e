/** Where scripts written for curl rely on what it does at the edges: heads as they came, exit codes, files left alone. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { retriever, temporaryDirectory } from './command.ts';
import { ftpPeer } from './ftp-peer.ts';
import { pathOf, response, tcpPeer } from './tcp-peer.ts';

const moved = (location: string): string =>
  response('moved', { status: '301 Moved', headers: location === '' ? [] : [`Location: ${location}`] });

describe.concurrent('retriever as curl', () => {
  test('-i and -D show heads as they came, interim ones too, and before the body', async () => {
    const cwd = temporaryDirectory();
    const head = 'HTTP/1.1 100 Continue\r\nA:b\r\n\r\nHTTP/1.1 200\r\nX:  y\r\n\tz\r\nContent-Length: 2\r\n\r\n';
    const peer = await tcpPeer(() => `${head}hi`);
    expect(await retriever(['-i', peer.http])).toMatchObject({ code: 0, stdout: `${head}hi` });
    expect(await retriever(['-D', '-', peer.http])).toMatchObject({ code: 0, stdout: `${head}hi` });
    expect(await retriever(['-D', 'h', '-o', 'f', peer.http], { cwd })).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, 'h'), 'latin1')).toBe(head);
  });

  test('takes a head whose lines end in LF', async () => {
    const peer = await tcpPeer(() => 'HTTP/1.1 200 OK\nContent-Length: 2\n\nhi');
    expect(await retriever([peer.http])).toMatchObject({ code: 0, stdout: 'hi' });
  });

  test('a redirection without a target is a page', async () => {
    const peer = await tcpPeer(() => moved(''));
    expect(await retriever(['-L', '-f', peer.http])).toMatchObject({ code: 0, stdout: 'moved' });
  });

  test('a redirection to what is no URL is a page without -L, and exit 3 with it', async () => {
    const peer = await tcpPeer(() => moved('http://'));
    expect(await retriever([peer.http])).toMatchObject({ code: 0, stdout: 'moved' });
    expect(await retriever(['-L', peer.http])).toMatchObject({ code: 3, stdout: '' });
  });

  test('--max-redirs shows the last redirection that it does not follow', async () => {
    const peer = await tcpPeer(() => moved('/b'));
    const format = '%{http_code} %{num_redirects} %{redirect_url}';
    const ran = await retriever(['-i', '-L', '--max-redirs', '0', '-w', format, `${peer.http}/a`]);
    expect(ran).toMatchObject({ code: 47 });
    expect(ran.stdout).toMatch(/^HTTP\/1\.1 301 Moved\r\n.*\r\n\r\n301 0 http:\S+\/b$/s);
  });

  test('a redirection by any status but 304 and 305 is followed, another protocol is exit 8', async () => {
    const peer = await tcpPeer((request) => {
      const code = Number(pathOf(request).slice(1));
      return code ? response('', { status: `${code} x`, headers: ['Location: /there'] }) : response('there');
    });
    const run = async (code: number) =>
      (({ code, stdout }) => [code, stdout])(await retriever(['-sL', `${peer.http}/${code}`]));
    for (const code of [300, 306, 307, 399]) expect(await run(code)).toEqual([0, 'there']);
    expect(await run(304)).toEqual([0, '']);
    expect(await run(305)).toEqual([3, '']);
    expect(await run(101)).toEqual([8, '']);
  });

  test('-I --max-filesize prints the header and tells what is too long, exit 63', async () => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n';
    const web = await tcpPeer(() => head);
    const ftp = await ftpPeer({ files: { f: 'abcdef' } });
    expect(await retriever(['-I', '--max-filesize', '4999', web.http])).toMatchObject({ code: 63, stdout: head });
    expect((await retriever(['-I', '--max-filesize', '5000', web.http])).code).toBe(0);
    expect((await retriever(['-I', '--max-filesize', '5', `${ftp.url}/f`])).code).toBe(63);
  });

  test('-OJ -i puts the header into the file that the server names', async () => {
    const cwd = temporaryDirectory();
    const peer = await tcpPeer(() => response('body', { headers: ['Content-Disposition: filename=f'] }));
    expect((await retriever(['-OJi', `${peer.http}/x`], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, 'f'), 'utf8')).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nbody$/s);
  });

  test('-C leaves the file alone when the server refuses', async () => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'f'), 'old');
    const peer = await tcpPeer(() => response('sorry', { status: '404 Not Found' }));
    for (const offset of ['-', '3'])
      expect((await retriever(['-C', offset, '-o', 'f', peer.http], { cwd })).code).toBe(33);
    expect((await retriever(['-f', '-C', '-', '-o', 'f', peer.http], { cwd })).code).toBe(22);
    expect(readFileSync(join(cwd, 'f'), 'utf8')).toBe('old');
  });

  test('-C OFFSET at the end has nothing to do, and beyond it is exit 36', async () => {
    const web = await tcpPeer(() => 'HTTP/1.1 416 No\r\nContent-Length: 5\r\nContent-Range: bytes */3\r\n\r\n');
    const ftp = await ftpPeer({ files: { f: 'abc' } });
    for (const url of [web.http, `${ftp.url}/f`]) {
      expect(await retriever(['-C', '3', url])).toMatchObject({ code: 0, stdout: '' });
      expect(await retriever(['-C', '4', url])).toMatchObject({ code: 36, stdout: '' });
    }
    expect((await retriever(['-f', '-C', '3', web.http])).code).toBe(22);
  });

  test('--compressed with a coding that nobody knows, or one that is broken, is exit 61', async () => {
    const peer = await tcpPeer((request) =>
      response('abc', { headers: [`Content-Encoding: ${pathOf(request).slice(1)}`] }),
    );
    for (const coding of ['maybe', 'gzip'])
      expect(await retriever(['--compressed', `${peer.http}/${coding}`])).toMatchObject({ code: 61, stdout: '' });
    expect(await retriever([`${peer.http}/maybe`])).toMatchObject({ code: 0, stdout: 'abc' });
  });

  test('-OJ --clobber overwrites', async () => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'f'), 'old');
    const peer = await tcpPeer(() => response('new', { headers: ['Content-Disposition: filename=f'] }));
    expect((await retriever(['-OJ', `${peer.http}/x`], { cwd })).code).toBe(23);
    expect((await retriever(['-OJ', '--clobber', `${peer.http}/x`], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, 'f'), 'utf8')).toBe('new');
  });

  test('-w @FILE puts lines together, %{header_json} takes them apart', async () => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'format'), '%{http_code}\n:%{header_json}\n');
    const peer = await tcpPeer(() => 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: a\r\nx: b\r\n\r\n');
    const { stdout } = await retriever(['-w', '@format', peer.http], { cwd });
    expect(stdout).toBe('200:{"content-length":["0"],\n"x":["a","b"]\n}');
  });

  test('an FTP server without SIZE goes on at an offset all the same', async () => {
    const peer = await ftpPeer({ files: { f: 'abcdef' }, replies: { SIZE: '500 no', MDTM: '500 no' } });
    expect(await retriever(['-C', '2', `${peer.url}/f`])).toMatchObject({ code: 0, stdout: 'cdef' });
    expect(await retriever(['-r', '2-3', `${peer.url}/f`])).toMatchObject({ code: 0, stdout: 'cd' });
  });

  test('an FTP server that takes any CWD has no directory by a name that RETR does not find, exit 78', async () => {
    const peer = await ftpPeer({ list: 'x' });
    expect(await retriever([`${peer.url}/none`])).toMatchObject({ code: 78, stdout: '' });
  });

  test('FTP: what came before a refusal is printed, exit 18; LF in a path is exit 3', async () => {
    const peer = await ftpPeer({ files: { f: 'abc' }, replies: { END: '550 broken' } });
    expect(await retriever([`${peer.url}/f`])).toMatchObject({ code: 18, stdout: 'abc' });
    expect((await retriever([`${peer.url}/a%0Ab`])).code).toBe(3);
  });

  test('a file of another host is exit 3; -D ends with an empty line', async () => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'f'), 'abc');
    expect((await retriever([`file://elsewhere${cwd}/f`])).code).toBe(3);
    expect((await retriever(['-D', '-', `file://${cwd}/f`])).stdout).toMatch(/^Content-Length: 3\r\n.*\r\n\r\nabc$/s);
  });
});
