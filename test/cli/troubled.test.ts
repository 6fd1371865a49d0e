/** What becomes of transfers that break off, crawl or must not be too fast. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { retriever, temporaryDirectory } from './command.ts';
import { ftpPeer } from './ftp-peer.ts';
import { pathOf, response, tcpPeer } from './tcp-peer.ts';

const cut = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc';

describe.concurrent('retriever in trouble', () => {
  test('--remove-on-error leaves no part of a file, and no file alone that it did not write', async () => {
    const cwd = temporaryDirectory();
    for (const name of ['old', 'part']) writeFileSync(join(cwd, name), 'old');
    const peer = await tcpPeer((request) =>
      /Range: bytes=3-/i.test(request)
        ? 'HTTP/1.1 206 Part\r\nContent-Length: 3\r\nContent-Range: bytes 3-5/6\r\n\r\nd'
        : pathOf(request) === '/none'
          ? response('', { status: '404 No' })
          : cut,
    );
    const run = async (...args: string[]) => (await retriever(['-sf', '--remove-on-error', ...args], { cwd })).code;
    expect(await run('-o', 'new', peer.http)).toBe(18);
    expect(existsSync(join(cwd, 'new'))).toBe(false);
    expect(await run('-o', 'old', `${peer.http}/none`)).toBe(22);
    expect(readFileSync(join(cwd, 'old'), 'utf8')).toBe('old');
    expect(await run('-C', '-', '-o', 'part', peer.http)).toBe(18);
    expect(readFileSync(join(cwd, 'part'), 'utf8')).toBe('oldd');
    // What another attempt went on with was this transfer's own.
    const again = ['--retry', '1', '--retry-delay', '0', '--retry-all-errors', '-C', '-'];
    expect(await run(...again, '-o', 'again', peer.http)).toBe(18);
    expect(existsSync(join(cwd, 'again'))).toBe(false);
    expect(await run('-o', '/dev/null', peer.http)).toBe(18);
    expect(existsSync('/dev/null')).toBe(true);
  });

  test('--retry-all-errors tries again what is final with -f, and files that came in part', async () => {
    const cwd = temporaryDirectory();
    let requests = 0;
    const peer = await tcpPeer((request) => {
      requests += 1;
      if (pathOf(request) === '/whole') return requests < 3 ? response('no', { status: '404 No' }) : response('there');
      return requests < 3 ? cut : response('abcdef');
    });
    const args = ['-s', '--retry', '5', '--retry-delay', '0', '--retry-all-errors', '-w', '%{num_retries}'];
    expect(await retriever([...args, '-f', `${peer.http}/whole`])).toMatchObject({ code: 0, stdout: 'there2' });
    requests = 0;
    expect(await retriever([...args, '-o', 'f', peer.http], { cwd })).toMatchObject({ code: 0, stdout: '2' });
    expect(readFileSync(join(cwd, 'f'), 'utf8')).toBe('abcdef');
    requests = 0;
    // What stdout got cannot be taken back.
    expect(await retriever([...args, peer.http])).toMatchObject({ code: 18, stdout: 'abc0' });
    requests = -9;
    expect((await retriever([...args, '--no-clobber', '-o', 'f', peer.http], { cwd })).code).toBe(18);
    expect(existsSync(join(cwd, 'f.2'))).toBe(false);
  });

  test('--retry counts all attempts of a transfer, whether the body broke off or never began', async () => {
    const cwd = temporaryDirectory();
    const peer = await tcpPeer((_request, socket) => {
      if (peer.requests.length % 2 === 1) return cut;
      socket.destroy();
      return '';
    });
    const args = ['-s', '--retry', '3', '--retry-delay', '0', '--retry-all-errors', '-w', '%{num_retries}', '-o', 'f'];
    expect((await retriever([...args, peer.http], { cwd })).stdout).toBe('3');
    expect(peer.requests.length).toBe(4);
  });

  test('--retry -C - goes on where the attempt before broke off', async () => {
    const cwd = temporaryDirectory();
    const script = { files: { f: 'abcdef' }, cutAt: 4 };
    const peer = await ftpPeer(script);
    const args = ['-s', '--retry', '1', '--retry-delay', '0', '--retry-all-errors', '-C', '-', '-o', 'f'];
    expect((await retriever([...args, `${peer.url}/f`], { cwd })).code).toBe(18);
    expect(peer.commands.filter((command) => /^(REST|RETR)/.test(command))).toEqual(['RETR f', 'REST 4', 'RETR f']);
  });

  test('-D has the whole header of every attempt', async () => {
    const cwd = temporaryDirectory();
    const header = 'HTTP/1.1 206 Partial Content\r\nContent-Length: 3\r\nContent-Range: bytes 3-5/6\r\n\r\n';
    const peer = await tcpPeer((request) => (/Range: bytes=3-/i.test(request) ? `${header}def` : cut));
    const args = ['-s', '--retry', '1', '--retry-delay', '0', '--retry-all-errors', '-C', '-', '-D', '-', '-o', 'f'];
    const { stdout } = await retriever([...args, peer.http], { cwd });
    expect(stdout).toBe(cut.slice(0, -'abc'.length) + header);
  });

  test('--retry-max-time ends the attempts, and shows the last page', async () => {
    const peer = await tcpPeer(() => response('busy', { status: '503 Busy' }));
    const args = ['-s', '--retry', '99', '--retry-delay', '1', '--retry-max-time', '4', '-w', ' %{http_code}'];
    const ran = await retriever([...args, peer.http]);
    expect(ran).toMatchObject({ code: 0, stdout: 'busy 503' });
    expect(peer.requests.length).toBeGreaterThan(1);
    expect(peer.requests.length).toBeLessThan(8);
  });

  test('--limit-rate bounds the average', async () => {
    const peer = await tcpPeer(() => response('x'.repeat(50_000)));
    const ran = await retriever(['-s', '--limit-rate', '50k', '-o', '/dev/null', '-w', '%{time_total}', peer.http]);
    expect(ran.code).toBe(0);
    expect(Number(ran.stdout)).toBeGreaterThan(0.9);
  });

  test('-Y and -y give up a body that crawls, exit 28', async () => {
    const peer = await tcpPeer((_request, socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n');
      void (async () => {
        for (; !socket.destroyed; await sleep(200)) socket.write('x');
      })();
      return '';
    });
    const ran = await retriever(['-sS', '-Y', '100', '-y', '1', '-o', '/dev/null', peer.http]);
    expect(ran).toMatchObject({ code: 28, stderr: expect.stringContaining('fewer than 100 octets a second') });
  });
});
