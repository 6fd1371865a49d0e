/** `-Z`: what a command writes and says is the same as without it, only sooner. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { onTerminal, retriever, temporaryDirectory, toFullDisk } from './command.ts';
import { ftpPeer } from './ftp-peer.ts';
import { pathOf, response, tcpPeer } from './tcp-peer.ts';

/** Answers each path with itself, `/slow…` late, `/bad…` with 404, `/big…` with 300 kB, `/stuck…` never wholly. */
const web = () =>
  tcpPeer((request, socket) => {
    const path = pathOf(request);
    if (path.startsWith('/slow')) {
      void sleep(400).then(() => socket.end(response(path), 'latin1'));
      return '';
    }
    if (path.startsWith('/stuck')) {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nsome');
      return '';
    }
    if (path.startsWith('/big')) return response(path.padEnd(300_000, '.'));
    return response(path, path.startsWith('/bad') ? { status: '404 Not Found' } : {});
  });

describe.concurrent('retriever -Z', () => {
  test('runs transfers at once, and stdout is the same octet for octet', async () => {
    const peer = await web();
    const urls = ['/slow1', '/big2', '/slow3', '/4', '/big5'].map((path) => peer.http + path);
    const args = ['-i', '-D', '-', '-w', String.raw`<%{urlnum}>\n`, ...urls];
    const [together, oneByOne] = [await retriever(['-Z', ...args]), await retriever(args)];
    expect(together).toMatchObject({ code: 0, stderr: '' });
    expect(together.stdout).toBe(oneByOne.stdout);
  });

  test('never runs more than --parallel-max', async () => {
    let running = 0;
    let most = 0;
    const peer = await tcpPeer((_request, socket) => {
      most = Math.max(most, (running += 1));
      void sleep(100).then(() => {
        running -= 1;
        socket.end(response('x'), 'latin1');
      });
      return '';
    });
    const urls = Array.from({ length: 7 }, (_, number) => `${peer.http}/${number}`);
    expect(await retriever(['-Z', '--parallel-max', '3', ...urls])).toMatchObject({ code: 0, stdout: 'xxxxxxx' });
    expect(most).toBe(3);
    most = 0;
    await retriever(['-Z', '--parallel-max-host', '2', ...urls]);
    expect(most).toBe(2);
  });

  test('-D FILE holds whole headers in the order of the URLs', async () => {
    const cwd = temporaryDirectory();
    const peer = await web();
    await retriever(['-Z', '-D', 'h', '-o', 'a', '-o', 'b', `${peer.http}/slow`, `${peer.http}/22`], { cwd });
    expect(readFileSync(join(cwd, 'h'), 'latin1')).toMatch(
      /^HTTP.*Length: 5\r\n.*\r\n\r\nHTTP.*Length: 3\r\n.*\r\n\r\n$/s,
    );
  });

  test('--json has a line for each URL, in their order', async () => {
    const peer = await web();
    const { stdout } = await retriever(['-Z', '--json', `${peer.http}/slow`, `${peer.http}/b`, 'nonsense:x']);
    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(records).toMatchObject([{ body: '/slow' }, { body: '/b' }, { ok: false }]);
  });

  test('the exit code is that of the last URL that failed, and messages say which it was', async () => {
    const peer = await web();
    const [bad, good] = [`${peer.http}/bad`, `${peer.http}/slow`];
    const ran = await retriever(['-Zf', 'gopher://127.0.0.1:1/', bad, good]);
    expect(ran).toMatchObject({ code: 22, stdout: '/slow' });
    expect(ran.stderr).toContain(`retriever: (22) The requested URL returned error: 404 (${bad})\n`);
    expect((await retriever(['-sZf', bad, 'gopher://127.0.0.1:1/', good])).code).toBe(7);
  });

  test('passwords are in none of its messages', async () => {
    const peer = await ftpPeer({ replies: { PASS: '530 hidden1 is wrong' } });
    const ran = await retriever(['-Zv', peer.url.replace('ftp://', 'ftp://joe:hidden1@')]);
    expect(ran.code).toBe(67);
    expect(ran.stderr).toMatch(/^\[0\] \* {3}Trying/);
    expect(ran.stderr).toContain('(ftp://joe:***@');
    expect(ran.stderr).not.toContain('hidden1');
  });

  test.for([['-Z'], ['--json'], ['-w', '%{url} %{url_effective} %{json}']])(
    'the password of a URL that is none is not shown either (%j)',
    async (options) => {
      const ran = await retriever([...options, 'ftp://joe:hidden1@no host/']);
      expect(ran.code).toBe(3);
      expect(ran.stdout + ran.stderr).toContain('ftp://joe:***@no host/');
      expect(ran.stdout + ran.stderr).not.toContain('hidden1');
    },
  );

  test('--fail-early ends all the others at once', async () => {
    const cwd = temporaryDirectory();
    const peer = await web();
    const urls = ['/stuck', '/bad', '/stuck'].map((path) => peer.http + path);
    const ran = await retriever(['-Zf', '--fail-early', '-o', 'a', '-o', 'b', '-o', 'c', ...urls], { cwd });
    expect(ran).toMatchObject({ code: 22, stdout: '' });
    expect(ran.stderr.split('\n').length).toBe(2);
  });

  test('two URLs never write one file: the later one is exit 23', async () => {
    const cwd = temporaryDirectory();
    const peer = await web();
    const ran = await retriever(['-Z', '-o', 'f', '-o', './f', `${peer.http}/big1`, `${peer.http}/2`], { cwd });
    expect(ran.code).toBe(23);
    expect(readFileSync(join(cwd, 'f'), 'utf8')).toBe('/big1'.padEnd(300_000, '.'));
    const free = await retriever(['-Z', '--no-clobber', '--remote-name-all', `${peer.http}/a/g`, `${peer.http}/g`], {
      cwd,
    });
    expect(free.code).toBe(0);
    expect(['g', 'g.1'].map((name) => readFileSync(join(cwd, name), 'utf8')).toSorted()).toEqual(['/a/g', '/g']);
    const none = await retriever(['-Z', '-o', '/dev/null', '-o', '/dev/null', `${peer.http}/1`, `${peer.http}/2`]);
    expect(none.code).toBe(0);
  });

  test('one transfer that hangs holds up none of those that write to files, however many', async () => {
    const cwd = temporaryDirectory();
    const all = Promise.withResolvers<void>();
    const peer = await tcpPeer((request, socket) => {
      if (peer.requests.length === 301) all.resolve();
      if (pathOf(request) !== '/stuck') return response('x');
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nsome');
      return '';
    });
    const urls = ['stuck', ...Array.from({ length: 300 }, (_, number) => `f${number}`)];
    const ran = await retriever(['-Z', '--remote-name-all', ...urls.map((name) => `${peer.http}/${name}`)], {
      cwd,
      started: (child) => void all.promise.then(() => child.kill('SIGINT')),
    });
    expect(ran.code).toBe(130);
  });

  test.for([['--no-parallel'], ['-Z']])(
    'an output that takes nothing is told once for each URL, exit 23 (%j)',
    async (option) => {
      const peer = await web();
      const words = ['-w', '%{urlnum}', `${peer.http}/1`, `${peer.http}/2`];
      const ran = await toFullDisk([...option, ...words]);
      expect(ran.code).toBe(23);
      expect(ran.stderr.match(/cannot write the output/g)?.length).toBe(2);
      const headers = await retriever([...option, '-D', '/none/h', ...words]);
      expect(headers.code).toBe(23);
      expect(headers.stderr.match(/cannot write headers to/g)?.length).toBe(2);
    },
  );

  test('Ctrl-C ends all of them, exit 130', async () => {
    const peer = await web();
    const urls = Array.from({ length: 9 }, (_, number) => `${peer.http}/stuck${number}`);
    const { code, stdout } = await retriever(['-Z', ...urls], {
      started: (child) => child.stdout!.once('data', () => child.kill('SIGINT')),
    });
    expect(code).toBe(130);
    expect(stdout).toBe('some');
  });

  test.each(['--no-parallel', '--parallel'])(
    'Ctrl-C ends them also while nobody reads the pipe (%s)',
    async (option) => {
      const asked = Promise.withResolvers<void>();
      const peer = await tcpPeer(() => {
        asked.resolve();
        return response('x'.repeat(500_000));
      });
      const ended = Promise.withResolvers<number | string | null>();
      const ran = retriever([option, `${peer.http}/1`, `${peer.http}/2`], {
        started: (child) => {
          child.stdout!.pause();
          child.on('exit', (code, signal) => ended.resolve(signal ?? code));
          void ended.promise.then(() => child.stdout!.resume());
          void asked.promise.then(() => setTimeout(() => child.kill('SIGINT'), 1500));
        },
      });
      // A write that cannot be taken back ends by the signal itself; a shell shows 130 for both.
      expect([130, 'SIGINT']).toContain(await ended.promise);
      await ran;
    },
  );

  test.for([['--no-parallel'], ['-Z']])(
    'Ctrl-C at a question ends all of them: nobody is asked the next (%j)',
    async (option) => {
      const peers = [await ftpPeer({}), await ftpPeer({})];
      const urls = peers.map(({ url }) => `${url.replace('ftp://', 'ftp://joe@')}/f`);
      const ran = await onTerminal([...option, ...urls], { answer: ['Password for joe', '\u0003'] });
      expect(ran.code).toBe(130);
      expect(ran.stdout.match(/Password for/g)?.length).toBe(1);
      expect(ran.stdout).not.toContain('interrupted');
    },
  );

  test('a reader that goes away ends all of them quietly', async () => {
    const peer = await web();
    const urls = ['/big1', '/stuck2', '/stuck3'].map((path) => peer.http + path);
    const { code, stderr } = await retriever(['-Z', ...urls], {
      started: (child) => child.stdout!.once('data', () => child.stdout!.destroy()),
    });
    expect({ code, stderr }).toEqual({ code: 23, stderr: '' });
  });

  test('one FTP server gets as many sessions as the pool allows, and serves all', async () => {
    const cwd = temporaryDirectory();
    const names = Array.from({ length: 20 }, (_, number) => `f${number}`);
    const peer = await ftpPeer({ files: Object.fromEntries(names.map((name) => [name, name])) });
    const ran = await retriever(['-Z', '--remote-name-all', ...names.map((name) => `${peer.url}/${name}`)], { cwd });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    for (const name of names) expect(readFileSync(join(cwd, name), 'utf8')).toBe(name);
    expect(peer.commands.filter((command) => command.startsWith('USER')).length).toBeLessThanOrEqual(6);
  });

  test.for([[], ['-Z']])('a terminal that shows the body shows no meter that overwrites it (%j)', async (option) => {
    const peer = await tcpPeer((_request, socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab');
      void sleep(700).then(() => socket.end('cd'));
      return '';
    });
    expect((await onTerminal([...option, peer.http])).stdout).toBe('abcd');
  });

  test('--connect has the terminal for itself, exit 2', async () => {
    expect((await retriever(['-Z', '--connect', 'telnet://127.0.0.1/'])).code).toBe(2);
  });
});
