import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { retriever, temporaryDirectory } from './command.ts';
import { pathOf, response, tcpPeer } from './tcp-peer.ts';

const redirect = (location: string, body = 'moved'): string =>
  response(body, { status: '302 Found', headers: [`Location: ${location}`] });

describe.concurrent('retriever over HTTP', () => {
  test('prints the body and nothing else', async () => {
    const peer = await tcpPeer(() => response('hello\n'));
    expect(await retriever([`${peer.http}/x`])).toMatchObject({ code: 0, stdout: 'hello\n', stderr: '' });
    expect(peer.requests[0]).toMatch(/^GET \/x HTTP\/1\.1\r\n/);
  });

  test('takes a bare host for http, as curl does', async () => {
    const peer = await tcpPeer(() => response('hello'));
    expect(await retriever([`${peer.host}/x`])).toMatchObject({ code: 0, stdout: 'hello' });
  });

  test('prints an error page with exit 0, and with -f nothing with exit 22', async () => {
    const peer = await tcpPeer(() => response('sorry', { status: '404 Not Found' }));
    expect(await retriever([peer.http])).toMatchObject({ code: 0, stdout: 'sorry', stderr: '' });
    const failed = await retriever(['-f', peer.http]);
    expect(failed).toMatchObject({ code: 22, stdout: '' });
    expect(failed.stderr).toBe('retriever: (22) The requested URL returned error: 404\n');
    expect(await retriever(['-sf', peer.http])).toMatchObject({ code: 22, stdout: '', stderr: '' });
    expect((await retriever(['-sSf', peer.http])).stderr).toContain('404');
    expect(await retriever(['--fail-with-body', peer.http])).toMatchObject({ code: 22, stdout: 'sorry' });
  });

  test('leaves the old file alone when -f meets an error', async () => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'f'), 'old');
    const peer = await tcpPeer(() => response('sorry', { status: '500 Oops' }));
    expect((await retriever(['-f', '-o', 'f', peer.http], { cwd })).code).toBe(22);
    expect(readFileSync(join(cwd, 'f'), 'utf8')).toBe('old');
  });

  test('prints a redirect without -L and follows it with -L', async () => {
    const peer = await tcpPeer((request) => (pathOf(request) === '/a' ? redirect('/b') : response('there')));
    expect(await retriever([`${peer.http}/a`])).toMatchObject({ code: 0, stdout: 'moved' });
    const format = '%{num_redirects} %{url_effective} %{http_code}';
    const followed = await retriever(['-sL', '-w', format, `${peer.http}/a`]);
    expect(followed).toMatchObject({ code: 0, stdout: `there1 ${peer.http}/b 200` });
    const told = await retriever(['-s', '-w', '%{redirect_url}', `${peer.http}/a`]);
    expect(told.stdout).toBe(`moved${peer.http}/b`);
  });

  test('ends a loop of redirects with exit 47', async () => {
    const peer = await tcpPeer(() => redirect('/again'));
    expect(await retriever(['-L', '--max-redirs', '3', `${peer.http}/a`])).toMatchObject({ code: 47 });
    expect(peer.requests.length).toBe(4);
  });

  test('does not follow a redirect into a file, exit 1', async () => {
    const peer = await tcpPeer(() => redirect('file:///etc/passwd'));
    expect(await retriever(['-L', peer.http])).toMatchObject({ code: 1, stdout: '' });
  });

  test('-i prints the headers of all hops before the body', async () => {
    const peer = await tcpPeer((request) => (pathOf(request) === '/a' ? redirect('/b') : response('there')));
    const { stdout } = await retriever(['-iL', `${peer.http}/a`]);
    expect(stdout).toMatch(/^HTTP\/1\.1 302 Found\r\n.*\r\n\r\nHTTP\/1\.1 200 OK\r\n.*\r\n\r\nthere$/s);
  });

  test('-I asks with HEAD and prints the header', async () => {
    const peer = await tcpPeer(() => 'HTTP/1.0 200 OK\r\nContent-Length: 5\r\nX-A: b\r\n\r\n');
    expect((await retriever(['-I', peer.http])).stdout).toBe('HTTP/1.0 200 OK\r\nContent-Length: 5\r\nX-A: b\r\n\r\n');
    expect(peer.requests[0]).toMatch(/^HEAD /);
  });

  test('-D writes the header to a file', async () => {
    const cwd = temporaryDirectory();
    const peer = await tcpPeer(() => response('x', { headers: ['X-A: b'] }));
    await retriever(['-D', 'head', peer.http], { cwd });
    expect(readFileSync(join(cwd, 'head'), 'utf8')).toMatch(/^HTTP\/1\.1 200 OK\r\n.*X-A: b\r\n\r\n$/s);
  });

  test('-r asks for a range in each of its forms', async () => {
    const peer = await tcpPeer((request) => {
      const range = /range: bytes=(\S+)/i.exec(request)?.[1];
      const told = range === '2-' ? '2-9' : range === '-3' ? '7-9' : '2-4';
      return response('0123456789'.slice(Number(told[0]), Number(told[2]) + 1), {
        status: '206 Partial Content',
        headers: [`Content-Range: bytes ${told}/10`],
      });
    });
    expect((await retriever(['-r', '2-4', peer.http])).stdout).toBe('234');
    expect((await retriever(['-r2-', peer.http])).stdout).toBe('23456789');
    expect((await retriever(['--range=-3', peer.http])).stdout).toBe('789');
  });

  test('-z asks for what is newer, takes 304 for nothing to do, and judges the date itself where the server does not', async () => {
    const peer = await tcpPeer(() => 'HTTP/1.1 304 Not Modified\r\n\r\n');
    const date = 'Wed, 09 Apr 2003 10:26:59 GMT';
    expect(await retriever(['-z', date, peer.http])).toMatchObject({ code: 0, stdout: '' });
    expect(peer.requests[0]).toContain(`If-Modified-Since: ${date}`);
    const old = await tcpPeer(() => response('old', { headers: [`Last-Modified: ${date}`] }));
    expect(await retriever(['-z', '2004-01-01', old.http])).toMatchObject({ code: 0, stdout: '' });
    expect(await retriever(['-z', '-2004-01-01', old.http])).toMatchObject({ code: 0, stdout: 'old' });
    expect(old.requests[1]).toContain('If-Unmodified-Since: Thu, 01 Jan 2004 00:00:00 GMT');
  });

  test('-z takes the time of a file', async () => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'f'), '');
    utimesSync(join(cwd, 'f'), 1_000_000_000, 1_000_000_000);
    const peer = await tcpPeer(() => response('x'));
    await retriever(['-z', 'f', peer.http], { cwd });
    expect(peer.requests[0]).toContain('If-Modified-Since: Sun, 09 Sep 2001 01:46:40 GMT');
  });

  test('-u, -A, -e, -b and -H set fields, and -H without a value removes one', async () => {
    const peer = await tcpPeer(() => response('x'));
    const fields = ['-H', 'X-A: 1', '-H', 'Accept:', '-A', 'me/1', '-e', 'http://from/', '-b', 'a=b', '-u', 'joe:pw'];
    await retriever([...fields, peer.http]);
    const [request = ''] = peer.requests;
    for (const line of ['X-A: 1', 'User-Agent: me/1', 'Referer: http://from/', 'Cookie: a=b'])
      expect(request).toContain(line);
    expect(request).toContain(`Authorization: Basic ${btoa('joe:pw')}`);
    expect(request).not.toMatch(/^accept:/im);
  });

  test('--compressed undoes a compression that it asked for', async () => {
    const { gzipSync } = await import('node:zlib');
    const peer = await tcpPeer(() =>
      response(gzipSync('plain').toString('latin1'), { headers: ['Content-Encoding: gzip'] }),
    );
    expect((await retriever(['--compressed', peer.http])).stdout).toBe('plain');
    expect(peer.requests[0]).toMatch(/accept-encoding: .*gzip/i);
  });

  test('--max-filesize refuses what is announced longer, and what comes longer, with exit 63', async () => {
    const peer = await tcpPeer((request) =>
      pathOf(request) === '/a' ? response('0123456789') : 'HTTP/1.1 200 OK\r\n\r\n0123456789',
    );
    expect(await retriever(['--max-filesize', '9', `${peer.http}/a`])).toMatchObject({ code: 63, stdout: '' });
    expect((await retriever(['--max-filesize=9', `${peer.http}/b`])).code).toBe(63);
    expect((await retriever(['--max-filesize', '1k', `${peer.http}/a`])).code).toBe(0);
  });

  test('--max-time and silence end with exit 28, what came stays', async () => {
    const cwd = temporaryDirectory();
    const peer = await tcpPeer((_request, socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234');
      return '';
    });
    expect((await retriever(['--max-time', '4', '-o', 'f', peer.http], { cwd })).code).toBe(28);
    expect(readFileSync(join(cwd, 'f'), 'utf8')).toBe('01234');
  });

  test('a body that ends short is exit 18 and kept; -C - goes on there', async () => {
    const cwd = temporaryDirectory();
    const peer = await tcpPeer((request) =>
      /range: bytes=5-/i.test(request)
        ? response('56789', { status: '206 Partial Content', headers: ['Content-Range: bytes 5-9/10'] })
        : 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234',
    );
    expect((await retriever(['-o', 'f', peer.http], { cwd })).code).toBe(18);
    expect(await retriever(['-C', '-', '-o', 'f', peer.http], { cwd })).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, 'f'), 'utf8')).toBe('0123456789');
  });

  test('-C - starts over when the object changed since, and knows a file that is whole', async () => {
    const cwd = temporaryDirectory();
    const peer = await tcpPeer((request) => {
      const from = /range: bytes=(\d+)-/i.exec(request)?.[1];
      if (from === '9') return response('', { status: '416 No', headers: ['Content-Range: bytes */9'] });
      const headers = ['Last-Modified: Wed, 01 Jan 2025 00:00:00 GMT'];
      if (from === undefined) return response('a new one', { headers });
      return response('w one', { status: '206 Partial Content', headers: [...headers, 'Content-Range: bytes 4-8/9'] });
    });
    writeFileSync(join(cwd, 'f'), 'old!');
    utimesSync(join(cwd, 'f'), 1_000_000_000, 1_000_000_000);
    expect((await retriever(['-C', '-', '-o', 'f', peer.http], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, 'f'), 'utf8')).toBe('a new one');
    expect((await retriever(['-C', '-', '-o', 'f', peer.http], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, 'f'), 'utf8')).toBe('a new one');
  });

  test('-C with a server that gives no parts is exit 33 and the file stays', async () => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'f'), 'abc');
    const peer = await tcpPeer(() => response('0123456789'));
    expect((await retriever(['-C', '-', '-o', 'f', peer.http], { cwd })).code).toBe(33);
    expect(readFileSync(join(cwd, 'f'), 'utf8')).toBe('abc');
  });

  test('-o and -O belong to URLs in their order', async () => {
    const cwd = temporaryDirectory();
    const peer = await tcpPeer((request) => response(pathOf(request)));
    const urls = ['/one', '/dir/two?x=1', '/three'].map((path) => peer.http + path);
    const ran = await retriever(['-ofirst', '-O', ...urls], { cwd });
    expect(ran).toMatchObject({ code: 0, stdout: '/three' });
    expect(readFileSync(join(cwd, 'first'), 'utf8')).toBe('/one');
    expect(readFileSync(join(cwd, 'two'), 'utf8')).toBe('/dir/two?x=1');
  });

  test('names from URLs never leave the output directory', async () => {
    const cwd = temporaryDirectory();
    const peer = await tcpPeer((request) => response(pathOf(request)));
    const hostile = ['/a/..%2F..%2Fup', '/%2e%2e', '/a%00b', '/c%5Cd', '/%1b%5b31m', '/con.txt', '/'];
    const codes = [];
    for (const path of hostile)
      codes.push((await retriever(['-sO', '--output-dir', 'in', '--create-dirs', peer.http + path], { cwd })).code);
    expect(codes).toEqual([0, 23, 0, 0, 0, 0, 23]);
    const names = ['.._.._up', 'a_b', 'c_d', '_[31m', '_con.txt'];
    expect(names.filter((name) => !existsSync(join(cwd, 'in', name)))).toEqual([]);
    const none = await retriever(['-O', `${peer.http}/`], { cwd });
    expect(none.stderr).toContain('(23) the URL has no file name at its end');
  });

  test('-O does not follow a symbolic link, -o does', async () => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'target'), 'mine');
    symlinkSync('target', join(cwd, 'x'));
    const peer = await tcpPeer(() => response('theirs'));
    expect((await retriever(['-sO', `${peer.http}/x`], { cwd })).code).toBe(23);
    expect(readFileSync(join(cwd, 'target'), 'utf8')).toBe('mine');
    expect((await retriever(['-so', 'x', `${peer.http}/x`], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, 'target'), 'utf8')).toBe('theirs');
  });

  test("-OJ takes the server's name, made harmless, and overwrites nothing", async () => {
    const cwd = temporaryDirectory();
    const peer = await tcpPeer(() =>
      response('x', { headers: ['Content-Disposition: attachment; filename="../../evil"'] }),
    );
    const first = await retriever(['-sOJ', '-w', '%{filename_effective}', `${peer.http}/name`], { cwd });
    expect(first).toMatchObject({ code: 0, stdout: 'evil' });
    expect(existsSync(join(cwd, 'name'))).toBe(false);
    expect((await retriever(['-sOJ', `${peer.http}/name`], { cwd })).code).toBe(23);
  });

  test('--no-clobber takes the next free name, -R the remote time', async () => {
    const cwd = temporaryDirectory();
    const peer = await tcpPeer(() => response('x', { headers: ['Last-Modified: Sun, 09 Sep 2001 01:46:40 GMT'] }));
    writeFileSync(join(cwd, 'f'), 'old');
    await retriever(['--no-clobber', '-R', '-o', 'f', peer.http], { cwd });
    expect(readFileSync(join(cwd, 'f'), 'utf8')).toBe('old');
    expect(statSync(join(cwd, 'f.1')).mtimeMs).toBe(1_000_000_000_000);
  });

  test('a directory that is missing is exit 23, --create-dirs makes it', async () => {
    const cwd = temporaryDirectory();
    const peer = await tcpPeer(() => response('x'));
    expect((await retriever(['-so', 'a/b/f', peer.http], { cwd })).code).toBe(23);
    expect((await retriever(['-s', '--create-dirs', '-o', 'a/b/f', peer.http], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, 'a/b/f'), 'utf8')).toBe('x');
  });

  test('an empty body makes an empty file', async () => {
    const cwd = temporaryDirectory();
    const peer = await tcpPeer(() => response(''));
    await retriever(['-o', 'f', peer.http], { cwd });
    expect(readFileSync(join(cwd, 'f'), 'utf8')).toBe('');
  });

  test('a target that cannot be written is exit 23', async () => {
    const cwd = temporaryDirectory();
    mkdirSync(join(cwd, 'd'));
    const peer = await tcpPeer(() => response('x'));
    expect(await retriever(['-o', 'd', peer.http], { cwd })).toMatchObject({ code: 23 });
    expect((await retriever(['-o', '/dev/full', peer.http], { cwd })).code).toBe(23);
  });

  test('--retry tries again after an error that may pass', async () => {
    let requests = 0;
    const peer = await tcpPeer(() =>
      (requests += 1) < 3 ? response('busy', { status: '503 Busy' }) : response('there'),
    );
    const ran = await retriever(['-s', '--retry', '3', '--retry-delay', '0', '-w', ' %{num_retries}', peer.http]);
    expect(ran).toMatchObject({ code: 0, stdout: 'there 2' });
    requests = -9;
    expect((await retriever(['-sf', '--retry', '1', '--retry-delay', '0', peer.http])).code).toBe(22);
  });

  test('-w knows its variables, its escapes and where to write', async () => {
    const cwd = temporaryDirectory();
    const peer = await tcpPeer(() => response('hello', { headers: ['Content-Type: text/plain'] }));
    const format = String.raw`[%{response_code}\t%{size_download} %{content_type} %{scheme} %{urlnum} %{exitcode}%{errormsg} 100%%]\n%{stderr}err%{stdout}out`;
    const ran = await retriever(['-s', '-o', 'f', '-w', format, peer.http], { cwd });
    expect(ran.stdout).toBe('[200\t5 text/plain HTTP 0 0 100%]\nout');
    expect(ran.stderr).toBe('err');
    writeFileSync(join(cwd, 'format'), '%{filename_effective}');
    expect((await retriever(['-s', '-o', 'f', '-w', '@format', peer.http], { cwd })).stdout).toBe('f');
    const json = await retriever(['-s', '-o', 'f', '-w', '%{json}', peer.http], { cwd });
    expect(JSON.parse(json.stdout)).toMatchObject({ http_code: 200, size_download: 5, url: peer.http });
  });

  test('-v shows the dialogue on stderr and masks what is secret', async () => {
    const peer = await tcpPeer(() => response('x', { headers: ['X-Evil: \u009b31mred'] }));
    const { stdout, stderr } = await retriever(['-v', '-u', 'joe:hidden1', peer.http]);
    expect(stdout).toBe('x');
    expect(stderr).toMatch(/^\* {3}Trying 127\.0\.0\.1:/);
    expect(stderr).toContain('> GET / HTTP/1.1\n');
    expect(stderr).toContain('< HTTP/1.1 200 OK\n');
    expect(stderr).toContain(String.raw`< X-Evil: \x9b31mred`);
    expect(stderr).not.toContain('\u009b');
    expect(stderr).not.toContain('hidden1');
    expect(stderr).not.toContain(btoa('joe:hidden1'));
    const traced = await retriever(['--trace-ascii', '-', '--trace-time', peer.http]);
    expect(traced.stdout).toMatch(/^\* {3}Trying .*\n> GET \/ HTTP\/1\.1\n/s);
    expect(traced.stderr).toBe('');
  });

  test('the exit code is that of the last URL, --fail-early stops at the first', async () => {
    const peer = await tcpPeer((request) =>
      response(pathOf(request), pathOf(request) === '/bad' ? { status: '404 No' } : {}),
    );
    const [good, bad] = [`${peer.http}/good`, `${peer.http}/bad`];
    expect(await retriever(['-sf', bad, good])).toMatchObject({ code: 0, stdout: '/good' });
    expect(await retriever(['-sf', good, bad])).toMatchObject({ code: 22, stdout: '/good' });
    expect(await retriever(['-sf', '--fail-early', bad, good])).toMatchObject({ code: 22, stdout: '' });
  });

  test('--json tells of each URL in a line of its own', async () => {
    const cwd = temporaryDirectory();
    const peer = await tcpPeer((request) =>
      response(pathOf(request) === '/b' ? '\u00ff' : 'text', { headers: ['Content-Type: text/plain'] }),
    );
    const { stdout } = await retriever(
      ['--json', '-o', 'f', ...['/f', '/a', '/b'].map((path) => peer.http + path), 'http://127.0.0.1:1/'],
      { cwd },
    );
    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(records).toMatchObject([
      { url: `${peer.http}/f`, kind: 'content', ok: true, status: 200, octets: 4, file: 'f' },
      { mediaType: 'text/plain', body: 'text' },
      { bodyBase64: '/w==' },
      { ok: false, exitCode: 7, error: { code: 'policy' } },
    ]);
  });

  test.for([
    ['nothing at all', undefined, 52],
    ['octets that are not HTTP', 'SSH-2.0-x\r\n', 1],
    ['a chunked body that ends early', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc', 18],
  ] as const)('an answer of %s', async ([, octets, code]) => {
    const peer = await tcpPeer((_request, socket) => {
      if (octets === undefined) socket.end();
      return octets ?? '';
    });
    expect((await retriever([peer.http])).code).toBe(code);
  });
});
