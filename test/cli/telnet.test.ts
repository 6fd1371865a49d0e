/** telnet: and mailto: URLs on the command line: advice, pipes, and sessions at a terminal, with real and scripted servers. */
import { spawn } from 'node:child_process';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { startDisposable } from '../containers/disposable.ts';
import { settingsOf, terminal, type Terminal } from './terminal.ts';

const main = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Gives what is written to stdin, one piece after the other; may wait until something was shown. */
type Typing = (shown: (text: string) => Promise<void>) => AsyncIterable<string> | Iterable<string>;

/** Runs the command with pipes. */
function retriever(args: readonly string[], typing: Typing = () => []): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--conditions=retriever-source', main, ...args]);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('latin1').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('latin1').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.on('error', () => undefined);
    void (async () => {
      const shown = async (text: string): Promise<void> => {
        while (!stdout.includes(text) && child.exitCode === null) await sleep(20);
      };
      for await (const text of typing(shown)) child.stdin.write(text, 'latin1');
      child.stdin.end();
    })();
  });
}

const servers = new Set<{ close(): void }>();
afterAll(() => servers.forEach((server) => server.close()));

/** A server of one test's own; resolves to its URL. */
async function server(serve: (socket: Socket) => void): Promise<string> {
  const made = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    socket.on('error', () => undefined);
    serve(socket);
  });
  servers.add(made);
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  return `telnet://127.0.0.1:${(made.address() as AddressInfo).port}`;
}

const { inetutils } = inject('telnet');
const telnetd = `telnet://alice:wonderland@${inetutils.host}/`;

describe.concurrent('advice', () => {
  test('host, port, user and password are told, nobody is connected to, exit 0 (RFC 1738 §3.8)', async () => {
    expect(await retriever(['telnet://guest:sesame@no-such-host.invalid:2323/'])).toEqual({
      code: 0,
      stdout:
        'An interactive service, nothing to retrieve: no-such-host.invalid port 2323\n' +
        'The URL suggests to log in as guest with the password sesame\n',
      stderr: '',
    });
  });

  test('without a user there is none to suggest', async () => {
    expect((await retriever(['telnet://h.invalid'])).stdout).toBe(
      'An interactive service, nothing to retrieve: h.invalid port 23\n',
    );
  });

  test('a hostile user name stays on its line and moves no cursor', async () => {
    const { stdout } = await retriever(['telnet://a%0AType%20your%20PIN%1B[2J@h.invalid/']);
    expect(stdout.split('\n')).toHaveLength(3);
    expect(stdout).toContain(String.raw`log in as a\nType your PIN\e[2J`);
  });

  test('--json has it as data', async () => {
    const { code, stdout } = await retriever(['--json', 'telnet://guest:sesame@h.invalid:24/']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      url: 'telnet://guest:***@h.invalid:24/',
      kind: 'service',
      host: 'h.invalid',
      port: 24,
      user: 'guest',
      password: 'sesame',
    });
  });

  test('a password reaches neither the trace nor stderr', async () => {
    expect((await retriever(['-v', 'telnet://guest:sesame@h.invalid/'])).stderr).not.toContain('sesame');
  });
});

describe.concurrent('mailto', () => {
  test('the address and the fields are printed, exit 0 (RFC 1738 §3.5, RFC 6068)', async () => {
    expect(await retriever(['mailto:joe%25host@example.com?subject=caf%C3%A9&body=one%0D%0Atwo%1B'])).toEqual({
      code: 0,
      stdout: [
        'An address for mail, nothing to retrieve: joe%host@example.com',
        'subject: caf\u00c3\u00a9',
        'body:',
        '  one',
        String.raw`  two\e`,
        '',
      ].join('\n'),
      stderr: '',
    });
  });

  test('--json gives all fields', async () => {
    const { stdout } = await retriever(['--json', 'mailto:a@b,c@d?subject=x&cc=e@f&body=y%0D%0Az']);
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'mailbox',
      address: 'a@b',
      to: ['a@b', 'c@d'],
      fields: [
        { name: 'subject', value: 'x' },
        { name: 'cc', value: 'e@f' },
        { name: 'body', value: 'y\r\nz' },
      ],
    });
  });

  test.each(['mailto:a@b%0D%0ABcc:c@d', 'mailto:a@b?subject=x%0Ay', 'mailto:nobody'])('%s is exit 3', async (url) => {
    const { code, stdout, stderr } = await retriever([url]);
    expect(code).toBe(3);
    expect(stdout).toBe('');
    expect(stderr.split('\n')).toHaveLength(2);
  });
});

describe.concurrent('--connect in a pipe', () => {
  test('logs in to a telnetd and runs a command', async () => {
    const { code, stdout } = await retriever(['--connect', telnetd], async function* (shown) {
      await shown('login: ');
      yield 'alice\n';
      await shown('Password: ');
      yield 'wonderland\n';
      await shown('ready> ');
      yield 'echo $((6*7)) $TERM\nexit\n';
    });
    expect(stdout).toContain('42 dumb');
    expect(code).toBe(0);
  });

  test('every octet passes both ways, a CR LF at the border of two writes whole', async () => {
    const octets = String.fromCharCode(...Array.from({ length: 256 }, (_, octet) => octet));
    let received = '';
    const url = await server((socket) => {
      socket.setEncoding('latin1').on('data', (text: string) => {
        received += text;
        if (received.endsWith('end')) socket.end(octets.replace('\xff', '\xff\xff').replace('\r', '\r\0'), 'latin1');
      });
    });
    const { stdout, code } = await retriever(['--connect', url], async function* () {
      yield '\xff\r';
      await sleep(100);
      yield '\n\rend';
    });
    expect(received).toBe('\xff\xff\r\n\r\0end');
    expect(stdout).toBe(octets);
    expect(code).toBe(0);
  });

  test('the answer that comes after the end of stdin is not lost', async () => {
    const url = await server((socket) => {
      socket.on('data', () => setTimeout(() => socket.end('late answer\n'), 1500));
    });
    expect(await retriever(['--connect', url], () => ['question\n'])).toMatchObject({
      stdout: 'late answer\n',
      code: 0,
    });
  });

  test('a server that waits for the end is told it after five seconds of silence', async () => {
    const url = await server((socket) => {
      socket.on('end', () => socket.end('bye\n')).resume();
    });
    expect(await retriever(['--connect', url], () => ['x'])).toMatchObject({ stdout: 'bye\n', code: 0 });
  });

  test('much input is sent whole, also to a slow reader', async () => {
    let octets = 0;
    const url = await server((socket) => {
      socket.on('data', (chunk: Buffer) => {
        octets += chunk.length;
        socket.pause();
        setTimeout(() => socket.resume(), 1);
        if (octets === 8_000_000) socket.end('thanks\n');
      });
    });
    const ran = await retriever(['--connect', url], () => Array.from({ length: 80 }, () => 'x'.repeat(100_000)));
    expect(ran).toEqual({ code: 0, stdout: 'thanks\n', stderr: '' });
  });

  test('-m ends it with exit 28, a refused connection is exit 7', async () => {
    const url = await server((socket) => void socket.resume());
    expect((await retriever(['-m', '0.5', '--connect', url])).code).toBe(28);
    expect((await retriever(['--connect', 'telnet://127.0.0.1:65530/'])).code).toBe(7);
  });

  test('a stdin that never ends does not keep it when the server closes', async () => {
    const url = await server((socket) => void socket.end('only this\n'));
    const never: Typing = async function* () {
      yield 'x';
      await sleep(20_000, undefined, { ref: false });
    };
    const started = performance.now();
    expect(await retriever(['--connect', url], never)).toMatchObject({ stdout: 'only this\n', code: 0 });
    expect(performance.now() - started).toBeLessThan(8000);
  });
});

/** The terminal is as it was. */
function expectRestored(at: Terminal, code: number): void {
  const { before, after, code: exit } = settingsOf(at);
  expect(after).toBe(before);
  expect(exit).toBe(code);
}

describe.concurrent('--connect at a terminal', () => {
  test('logs in to a telnetd, runs commands, sees the terminal and its window, logs out', async () => {
    await using at = terminal(['--connect', telnetd]);
    await at.sees('suggests to log in as alice with the password wonderland');
    await at.sees('the escape character is ^]');
    await at.sees('login: ');
    at.type('alice\r');
    await at.sees('Password: ');
    at.type('wonderland\r');
    await at.sees('ready> ');
    at.type('echo $((6*7)) $TERM; stty size\r');
    await at.sees('42 vt100');
    await at.sees('30 100');
    await at.sees('ready> ');
    at.type('exit\r');
    await at.sees('closed the session');
    await at.ended();
    expectRestored(at, 0);
    // The advice has the password, and nothing else.
    expect(at.shown.split('wonderland')).toHaveLength(2);
  });

  test('^] opens a prompt: status, help, escape, continue, close', async () => {
    await using at = terminal(['--connect', `telnet://${inetutils.host}/`]);
    await at.sees('login: ');
    at.type('\x1d');
    await at.sees('retriever> ');
    at.type('status\r');
    await at.sees('key by key; the window has 100 columns and 30 rows');
    at.type('h\r');
    await at.sees('Commands may be shortened');
    at.type('c\r');
    await at.sees('Either close or continue?');
    at.type('nonsense\x15contx\x7f\r');
    at.type('x\x1d');
    await at.sees('x');
    await at.sees('retriever> ');
    at.type('close\r');
    await at.sees('The session is closed');
    await at.ended();
    expectRestored(at, 0);
  });

  test('a server that does not echo gets lines, which are shown and may be corrected', async () => {
    let received = '';
    const url = await server((socket) => {
      socket.setEncoding('latin1').on('data', (text: string) => {
        received += text;
        socket.write('heard\r\n');
        if (text.startsWith('quit')) socket.end();
      });
    });
    await using at = terminal(['--connect', url]);
    await at.sees('^]');
    at.type('helo\x7flo\xc3\xa9\x7f\r');
    await at.sees('heard');
    expect(received).toBe('hello\r\n');
    at.type('quit\r');
    await at.ended();
    expect(at.shown).toContain('helo\b \blo');
    expectRestored(at, 0);
  });

  test('the terminal is restored when the server vanishes, exit 56', async () => {
    const url = await server((socket) => void setTimeout(() => socket.resetAndDestroy(), 300));
    await using at = terminal(['--connect', url]);
    await at.ended();
    expectRestored(at, 56);
  });

  test('the terminal is restored when a telnetd is killed', async () => {
    await using daemon = await startDisposable('telnet');
    await using at = terminal(['--connect', `telnet://${daemon.host}:2323/`]);
    await at.sees('login: ');
    await daemon.kill();
    await at.ended();
    const { before, after } = settingsOf(at);
    expect(after).toBe(before);
  });

  test.each([
    ['SIGTERM', 130],
    ['SIGINT', 130],
    ['SIGHUP', 129],
    ['SIGQUIT', 131],
  ] as const)('the terminal is restored after %s', async (signal, code) => {
    const url = await server((socket) => void socket.write('\xff\xfb\x01hello', 'latin1'));
    await using at = terminal(['--connect', url]);
    await at.sees('hello');
    at.kill(signal);
    await at.ended();
    expectRestored(at, code);
  });

  test('the terminal is restored after an error that nobody caught', async () => {
    const url = await server((socket) => void socket.write('\xff\xfb\x01hello', 'latin1'));
    const fault = "data:text/javascript,process.on('SIGUSR2',()=>{throw(new(Error)('abug'))})";
    await using at = terminal(['--connect', url], { NODE_OPTIONS: `--import=${fault}` });
    await at.sees('hello');
    at.kill('SIGUSR2');
    await at.ended();
    expect(at.shown).toContain('abug');
    expectRestored(at, 1);
  });

  test('a terminal that goes away takes the command with it', async () => {
    const ended = Promise.withResolvers<void>();
    const url = await server((socket) => void socket.on('end', ended.resolve).resume());
    const at = terminal(['--connect', url]);
    await at.sees('^]');
    await at[Symbol.asyncDispose]();
    await ended.promise;
    while (at.running) await sleep(20);
  });

  test('^C is a key like any other where the server echoes, and ends the command where it does not', async () => {
    let received = '';
    const url = await server((socket) => {
      socket.setEncoding('latin1').on('data', (text: string) => (received += text));
      socket.write('\xff\xfb\x01one', 'latin1');
      setTimeout(() => socket.write('\xff\xfc\x01two', 'latin1'), 1500);
    });
    await using at = terminal(['--connect', url]);
    await at.sees('one');
    at.type('\x03');
    await at.sees('two');
    expect(received).toContain('\x03');
    at.type('\x03');
    await at.ended();
    expectRestored(at, 130);
  });

  test('a new size of the window is told', async () => {
    await using at = terminal(['--connect', `telnet://${inetutils.host}/`]);
    await at.sees('login: ');
    at.type('alice\r');
    await at.sees('Password: ');
    at.type('wonderland\r');
    await at.sees('ready> ');
    at.resize(77, 33);
    await sleep(500);
    at.type('stty size\r');
    await at.sees('33 77');
    at.type('exit\r');
    await at.ended();
    expect(settingsOf(at).code).toBe(0);
  });
});
