/** The command against real servers: several at once, logins from a file, version marks. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { retriever, temporaryDirectory } from './command.ts';

const ftp = Object.values(inject('ftp'));
const gopher = Object.values(inject('gopher'));
const web = inject('web');

describe.concurrent('retriever and real servers', () => {
  test('-Z retrieves from all of them at once, each text whole and in its place', async () => {
    const sources = [
      ...ftp.map(({ host, port }) => `ftp://${host}:${port}/text.txt`),
      ...gopher.map(({ host, port }) => `gopher://${host}:${port}/0/text.txt`),
      `http://${web.host}:${web.port}/text.txt`,
      // Leads to a server that is at work for the others.
      `http://${web.host}:${web.port}/redirect/302?to=ftp://${ftp[0]!.host}:${ftp[0]!.port}/text.txt`,
    ];
    const urls = [1, 2, 3].flatMap(() => sources);
    const args = ['-sL', '-w', String.raw`%{urlnum} %{size_download}\n`, ...urls];
    const [together, oneByOne] = [await retriever(['-Z', ...args]), await retriever(args)];
    expect(together.code).toBe(0);
    expect(together.stdout).toBe(oneByOne.stdout);
    expect(together.stdout.match(/lazy dog/g)?.length).toBe(urls.length);
  });

  test.each(ftp.map(({ host, port }) => `${host}:${port}`))('--netrc-file logs in at ftp://%s', async (server) => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'n'), `machine ${server.split(':')[0]} login alice password wonderland\n`);
    const ran = await retriever(['-v', '--netrc-file', 'n', `ftp://${server}/home.txt`], { cwd });
    expect(ran).toMatchObject({ code: 0, stdout: 'home of alice\n' });
    expect(ran.stderr).not.toContain('wonderland');
  });

  test('--etag-compare finds that nothing changed at nginx', async () => {
    const cwd = temporaryDirectory();
    const url = `http://${web.host}:${web.port}/text.txt`;
    const args = ['-s', '--etag-save', 'e', '--etag-compare', 'e', '-w', '%{http_code}', '-o'];
    expect((await retriever([...args, 'one', url], { cwd })).stdout).toBe('200');
    expect(readFileSync(join(cwd, 'e'), 'utf8')).toMatch(/^"[^"]+"\n$/);
    expect((await retriever([...args, 'two', url], { cwd })).stdout).toBe('304');
    expect(existsSync(join(cwd, 'two'))).toBe(false);
  });
});
