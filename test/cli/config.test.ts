/** What is read from files: options, logins, version marks; and what may be retrieved at all. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { retriever, temporaryDirectory } from './command.ts';
import { ftpPeer } from './ftp-peer.ts';
import { pathOf, response, tcpPeer } from './tcp-peer.ts';

const moved = (location: string): string =>
  response('moved', { status: '302 Found', headers: [`Location: ${location}`] });

describe.concurrent('retriever and its files', () => {
  test('-K reads options as if they stood there, from stdin too, and from further files', async () => {
    const cwd = temporaryDirectory();
    const peer = await tcpPeer(() => response('hello'));
    writeFileSync(join(cwd, 'c'), `# mine\nurl = "${peer.http}/x"\nuser-agent: "a b"\nconfig more\n`);
    writeFileSync(join(cwd, 'more'), 'write-out = " %{http_code}\\n"\n');
    expect(await retriever(['-K', 'c'], { cwd })).toMatchObject({ code: 0, stdout: 'hello 200\n', stderr: '' });
    expect(peer.requests[0]).toMatch(/user-agent: a b\r\n/i);
    expect((await retriever(['--config', '-', peer.http], { stdin: '-sw=%{size_download}\n' })).stdout).toBe('hello=5');
  });

  test('-K says where it does not understand, exit 2, or cannot read, exit 26', async () => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'c'), 'silent\nnonsense = 5\n');
    writeFileSync(join(cwd, 'flag'), 'silent yes');
    writeFileSync(join(cwd, 'loop'), 'config loop');
    const run = (name: string) => retriever(['-K', name, 'http://127.0.0.1/'], { cwd });
    expect(await run('c')).toMatchObject({ code: 2, stderr: expect.stringContaining('c, line 2: option --nonsense') });
    expect((await run('flag')).stderr).toContain('takes no value');
    expect((await run('loop')).code).toBe(2);
    for (const line of ['-ujoe:hidden1 x', '--user=joe:hidden1 x']) {
      writeFileSync(join(cwd, 'secret'), line);
      expect((await run('secret')).stderr).toMatch(/line 1: option -(u|-user) takes no value\n/);
    }
    expect((await run('none')).code).toBe(26);
  });

  test('--netrc-file logs in to each host as it says, over any protocol, and shows no password', async () => {
    const cwd = temporaryDirectory();
    const web = await tcpPeer((request) => (pathOf(request) === '/a' ? moved('/b') : response('there')));
    const ftp = await ftpPeer({ files: { f: 'abc' } });
    writeFileSync(join(cwd, 'n'), 'machine 127.0.0.1 login joe password "hid den1" account x', { mode: 0o666 });
    const basic = `authorization: Basic ${btoa('joe:hid den1')}`;
    const ran = await retriever(['-vL', '--netrc-file', 'n', `${web.http}/a`, `${ftp.url}/f`], { cwd });
    expect(ran).toMatchObject({ code: 0, stdout: 'thereabc' });
    expect(ran.stderr).not.toMatch(/hid den1|am9lOmhpZ/);
    expect(web.requests.filter((request) => request.toLowerCase().includes(basic.toLowerCase())).length).toBe(2);
    expect(ftp.commands).toEqual(expect.arrayContaining(['USER joe', 'PASS hid den1']));
  });

  test('--netrc-optional lets the URL say more, -n does not, -u says most', async () => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'n'), 'machine 127.0.0.1 login joe password p1\nmachine 127.0.0.1 login ann password p2');
    const peer = await ftpPeer({ files: { f: 'abc' } });
    const logins = async (user: string, ...args: string[]) => {
      const from = peer.commands.length;
      await retriever(['-s', '--netrc-file', 'n', ...args, `${peer.url.replace('//', `//${user}`)}/f`], { cwd });
      return peer.commands
        .slice(from)
        .filter((command) => /^(USER|PASS)/.test(command))
        .join();
    };
    expect(await logins('ann:own@', '--netrc-optional')).toBe('USER ann,PASS own');
    expect(await logins('ann@', '--netrc-optional')).toBe('USER ann,PASS p2');
    expect(await logins('ann:own@')).toBe('USER joe,PASS p1');
    expect(await logins('', '-u', 'me:mine')).toBe('USER me,PASS mine');
    expect((await retriever(['--netrc-file', 'none', peer.url], { cwd })).code).toBe(26);
  });

  test('--etag-save and --etag-compare retrieve what is new only', async () => {
    const cwd = temporaryDirectory();
    const peer = await tcpPeer((request) =>
      request.includes('"v1"')
        ? 'HTTP/1.1 304 Not Modified\r\nETag: "v1"\r\n\r\n'
        : response('body', { headers: ['ETag: "v1"'] }),
    );
    const args = ['-s', '--etag-save', 'e', '--etag-compare', 'e', '-w', '%{http_code}', '-o'];
    expect(await retriever([...args, 'one', peer.http], { cwd })).toMatchObject({ code: 0, stdout: '200' });
    expect(readFileSync(join(cwd, 'e'), 'utf8')).toBe('"v1"\n');
    expect(await retriever([...args, 'two', peer.http], { cwd })).toMatchObject({ code: 0, stdout: '304' });
    expect(existsSync(join(cwd, 'two'))).toBe(false);
    expect((await retriever(['--etag-compare', 'none', peer.http], { cwd })).code).toBe(26);
    expect((await retriever(['--etag-save', 'e', peer.http, peer.http], { cwd })).code).toBe(2);
    expect((await retriever(['-s', '--etag-save', 'no/e', peer.http], { cwd })).code).toBe(23);
  });

  test('an object that came in part has no mark that would keep it from coming again', async () => {
    const cwd = temporaryDirectory();
    const peer = await tcpPeer(() => 'HTTP/1.1 200 OK\r\nETag: "v1"\r\nContent-Length: 9\r\n\r\nabc');
    expect((await retriever(['-s', '--etag-save', 'e', peer.http], { cwd })).code).toBe(18);
    expect(existsSync(join(cwd, 'e'))).toBe(false);
  });

  test('--url-query adds to the query', async () => {
    const peer = await tcpPeer((request) => response(pathOf(request)));
    const ran = await retriever(['--url-query', 'q=a b', '--url-query', '+x', `${peer.http}/p?z#top`]);
    expect(ran.stdout).toBe('/p?z&q=a+b&x');
  });

  test('--proto says which schemes may be used, --proto-redir where redirects may lead, exit 1', async () => {
    const gopher = await tcpPeer(() => 'gone\r\n.\r\n');
    const web = await tcpPeer((request) => (pathOf(request) === '/g' ? moved(`${gopher.gopher}/0x`) : moved('/g')));
    const code = async (...args: string[]) => (await retriever(['-s', ...args])).code;
    expect(await code('--proto', '=https,gopher', web.http)).toBe(1);
    expect(await code('--proto', '-http', web.http)).toBe(1);
    expect(await code('--proto', '=http', web.http)).toBe(0);
    expect(await code('-L', web.http)).toBe(1);
    expect(await code('-L', '--proto-redir', 'gopher', web.http)).toBe(0);
    expect(await code('-L', '--proto-redir', '=gopher', web.http)).toBe(1);
    expect(await code('-L', '--proto-redir', 'gopher', '--proto', '=http', web.http)).toBe(1);
    const file = await tcpPeer(() => moved('file:///etc/passwd'));
    expect(await code('-L', '--proto-redir', 'all', file.http)).toBe(1);
  });
});
