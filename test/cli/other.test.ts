import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { onTerminal, retriever, temporaryDirectory } from './command.ts';
import { response, tcpPeer } from './tcp-peer.ts';

const menu = [
  'iHello there\t\terror.host\t1',
  '0About\tabout.txt\thost.example\t70',
  '1More\tmore\thost.example\t70',
  '7Search\tfind\thost.example\t70',
  '.',
  '',
].join('\r\n');

describe.concurrent('retriever over gopher and of files', () => {
  test('a menu comes as it is, ls shows it in columns', async () => {
    const peer = await tcpPeer(() => menu);
    expect((await retriever([`${peer.gopher}/`])).stdout).toContain('0About\tabout.txt');
    expect((await retriever(['ls', `${peer.gopher}/`])).stdout).toBe(
      ['        Hello there', 'file    About', 'dir     More/', 'search  Search', ''].join('\n'),
    );
  });

  test('a text that is not there is exit 78', async () => {
    const peer = await tcpPeer(() => "3'x' does not exist\t\terror.host\t1\r\n.\r\n");
    expect((await retriever([`${peer.gopher}/0x`])).code).toBe(78);
  });

  test('-O names a gopher text by the end of its selector', async () => {
    const cwd = temporaryDirectory();
    const peer = await tcpPeer(() => 'text\r\n.\r\n');
    await retriever(['-sO', `${peer.gopher}/0/docs/about.txt`], { cwd });
    expect(readFileSync(join(cwd, 'about.txt'), 'utf8')).toContain('text');
  });

  test('a file URL is retrieved, listed, asked about, and missed with exit 37', async () => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'f'), 'hello\n');
    const url = pathToFileURL(cwd).href;
    expect((await retriever([`${url}/f`])).stdout).toBe('hello\n');
    expect((await retriever(['-r', '1-2', `${url}/f`])).stdout).toBe('el');
    expect((await retriever(['-I', `${url}/f`])).octets).toMatch(
      /^Content-Length: 6\r\nAccept-ranges: bytes\r\nLast-Modified: .* GMT\r\n$/,
    );
    expect((await retriever([`${url}/none`])).code).toBe(37);
    expect((await retriever(['ls', `${url}/`])).stdout).toMatch(/^file {2}6 {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}f\n$/);
  });

  test('exit 1 for a scheme without a driver, 3 for what is no URL, 6 for a name that is none, 7 for a closed port', async () => {
    expect((await retriever(['nfs://host/x'])).code).toBe(1);
    expect((await retriever(['http://a:b:c/'])).code).toBe(3);
    expect((await retriever(['http://name.invalid/'])).code).toBe(6);
    expect((await retriever(['http://127.0.0.1:65530/'])).code).toBe(7);
    expect((await retriever(['-s', 'http://127.0.0.1:65530/'])).stderr).toBe('');
  });
});

describe.concurrent('the other commands', () => {
  test('parse takes URLs apart and points at what is wrong', async () => {
    const { code, stdout } = await retriever(['parse', 'ftp://joe:secret@host/a%2Fb/c d;type=i']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ftp:\/\/joe:\*\*\*@host/);
    expect(stdout).not.toContain('secret');
    expect(stdout).toContain('directories[0]  a%2Fb  = "a/b"');
    const [line = '', caret = ''] = stdout.split('\n').slice(-3);
    expect(line[caret.indexOf('^')]).toBe(' ');
    const wrong = await retriever(['parse', 'gopher://host:x/', 'http://host/']);
    expect(wrong.code).toBe(3);
    expect(wrong.stdout).toContain('http://host/');
    const [, text = '', mark = ''] = wrong.stderr.split('\n');
    expect(text[mark.indexOf('^')]).toBe('x');
    expect((await retriever(['parse', '--strict', 'http://host/a b'])).code).toBe(3);
  });

  test('parse --json prints one object a URL', async () => {
    const { code, stdout } = await retriever(['parse', '--json', 'ftp://joe:pw@host/x%20y', 'nonsense']);
    expect(code).toBe(3);
    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(records).toMatchObject([
      { scheme: 'ftp', password: 'pw', name: 'x%20y', decoded: { name: 'x y' } },
      { url: 'nonsense', error: { position: expect.any(Number) as number } },
    ]);
  });

  test('extract finds URLs in a file or in stdin', async () => {
    const text =
      'See <URL:ftp://info.cern.ch/pub/www/doc;\n type=d> or http://ds.internic.net/instructions/overview.html#WARNING.\n';
    const found = [
      'ftp://info.cern.ch/pub/www/doc;type=d',
      'http://ds.internic.net/instructions/overview.html#WARNING',
    ];
    expect((await retriever(['extract'], { stdin: text })).stdout).toBe(`${found.join('\n')}\n`);
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'text'), text);
    const { stdout } = await retriever(['extract', '--json', 'text'], { cwd });
    expect(JSON.parse(stdout.split('\n')[1]!)).toMatchObject({
      url: found[1],
      start: text.indexOf('http:'),
      wrapped: false,
    });
    expect((await retriever(['extract', 'none'], { cwd })).code).toBe(26);
  });

  test('demo plays all its scenes without a network', async () => {
    const { code, stdout } = await retriever(['demo']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/GET \/moved, 302 Found -> USER PASS .*RETR, 226/);
    expect(stdout).toContain('a listing of 2 entries');
    expect(stdout).toContain('an error: not-found');
    expect(stdout).not.toContain('\u001b');
    const records = (await retriever(['demo', '--json'])).stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { ok: boolean });
    expect(records.filter(({ ok }) => !ok).length).toBe(1);
  });

  test('--help and --version answer, what is unknown is exit 2 with a hint', async () => {
    expect((await retriever(['--help'])).stdout).toContain('-o, --output FILE');
    expect((await retriever(['-V'])).stdout).toMatch(
      /^retriever \d.*\nProtocols: file ftp ftps gopher gophers http https .*\bnntp\b.*\n/,
    );
    const unknown = await retriever(['--colour', 'http://h/']);
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toBe(
      "retriever: (2) option --colour is unknown\nretriever: 'retriever --help' tells more\n",
    );
    expect((await retriever([])).code).toBe(2);
    for (const upload of [
      ['-T', 'f'],
      ['-d', 'x'],
      ['-X', 'PUT'],
    ]) {
      const ran = await retriever([...upload, 'http://h/']);
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('retriever retrieves')]);
    }
  });
});

describe.concurrent('a terminal', () => {
  test('gets text made harmless, and no binary but on request', async () => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'text'), 'a\u001b[31mb\u009bc\r\n\u0007\n');
    writeFileSync(join(cwd, 'binary'), 'a\0b');
    const url = pathToFileURL(cwd).href;
    expect((await onTerminal([`${url}/text`])).stdout).toBe('a\\e[31mb\\x9bc\r\n\\x07\r\n');
    const refused = await onTerminal([`${url}/binary`]);
    expect(refused.code).toBe(23);
    expect(refused.stdout).toContain('-o - to print it all the same');
    expect(refused.stdout).not.toContain('\0');
    expect(await onTerminal(['-o', '-', `${url}/binary`])).toMatchObject({ code: 0, stdout: 'a\0b' });
    expect((await retriever([`${url}/text`])).octets).toBe(
      Buffer.from('a\u001b[31mb\u009bc\r\n\u0007\n').toString('latin1'),
    );
  });

  test('shows a meter that fits, and finishes its line', async () => {
    const cwd = temporaryDirectory();
    const peer = await tcpPeer((_request, socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n${'x'.repeat(1000)}`);
      setTimeout(() => socket.end('x'.repeat(1000)), 1200);
      return '';
    });
    const { code, stdout } = await onTerminal(['-O', `${peer.http}/${'long-name-'.repeat(10)}.iso`], { cwd });
    expect(code).toBe(0);
    const lines = stdout
      .replaceAll('\u001b[K', '\r')
      .split('\r')
      .filter((line) => line !== '' && line !== '\n');
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.length).toBeLessThan(20);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(60);
    expect(lines[0]).toMatch(/long-name-.*\.\.\. {3}50% {2}1\.0k of 2\.0k/);
    expect(stdout.replaceAll('\u001b[K', '')).toMatch(/100% {2}2\.0k {2}\S+\/s {2}in 0:0\d\r\n$/);
    expect(await onTerminal(['-sO', `${peer.http}/f`], { cwd })).toMatchObject({ code: 0, stdout: '' });
  });

  test('asks for the password of -u without showing it', async () => {
    const peer = await tcpPeer(() => response('in'));
    const asked = await onTerminal(['-u', 'joe', peer.http], { answer: ['Password for joe: ', 'hidden1\r'] });
    expect(asked).toMatchObject({ code: 0, stdout: 'Password for joe: \r\nin' });
    expect(peer.requests[0]).toContain(btoa('joe:hidden1'));
    expect(await onTerminal(['-u', 'joe', peer.http], { answer: ['Password for joe: ', '\u0003'] })).toMatchObject({
      code: 130,
    });
  });
});

describe.concurrent('an end before the end', () => {
  test('Ctrl-C keeps what came and exits with 130', async () => {
    const cwd = temporaryDirectory();
    let interrupt = (): void => undefined;
    const peer = await tcpPeer((_request, socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234');
      setTimeout(() => interrupt(), 700);
      return '';
    });
    const ran = await retriever(['-o', 'f', peer.http, peer.http], {
      cwd,
      started: (child) => (interrupt = () => child.kill('SIGINT')),
    });
    expect(ran).toMatchObject({ code: 130, stderr: '' });
    expect(readFileSync(join(cwd, 'f'), 'utf8')).toBe('01234');
    expect(peer.requests.length).toBe(1);
  });

  test('a reader that goes away ends it quietly with exit 23', async () => {
    const peer = await tcpPeer(() => response('x'.repeat(5_000_000)));
    const ran = await retriever([peer.http], {
      started: (child) => child.stdout?.once('data', () => child.stdout?.destroy()),
    });
    expect(ran).toMatchObject({ code: 23, stderr: '' });
    const help = await retriever(['demo'], { started: (child) => child.stdout?.destroy() });
    expect(help).toMatchObject({ code: 23, stderr: '' });
  });
});
