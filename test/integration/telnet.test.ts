/** Telnet sessions with two real daemons: inetutils telnetd and netkit telnetd. */
import { once } from 'node:events';
import { createClient, type Client, type ClientOptions, type TraceRecord } from '@retriever/client';
import type { ServiceStream } from '@retriever/driver';
import { telnet, type TelnetOptions } from '@retriever/telnet';
import { describe, expect, inject, test } from 'vitest';
import { startDisposable } from '../containers/disposable.ts';

class Session implements AsyncDisposable {
  readonly stream: ServiceStream;
  /** All that was read, as latin1. */
  text = '';
  readonly #client: Client;
  #seen = 0;

  constructor(stream: ServiceStream, client: Client) {
    this.stream = stream;
    this.#client = client;
    stream.on('data', (chunk: Buffer) => (this.text += chunk.toString('latin1')));
  }

  static async open(url: string, options?: TelnetOptions, more?: Partial<ClientOptions>): Promise<Session> {
    const client = createClient({ drivers: [telnet(options)], ...more });
    const service = await client.retrieve(url);
    if (service.kind !== 'service') throw new TypeError(`${url} is a ${service.kind}`);
    return new Session(await service.open(), client);
  }

  /** Waits until this came since the last wait. */
  async sees(expected: string): Promise<void> {
    const signal = AbortSignal.timeout(10_000);
    for (;;) {
      const at = this.text.indexOf(expected, this.#seen);
      if (at >= 0) {
        this.#seen = at + expected.length;
        return;
      }
      await once(this.stream, 'data', { signal }).catch(() => {
        throw new Error(`${expected} did not come, but ${JSON.stringify(this.text.slice(this.#seen))}`);
      });
    }
  }

  async logIn(): Promise<void> {
    await this.sees('login: ');
    this.stream.write('alice\r');
    await this.sees('Password: ');
    this.stream.write('wonderland\r');
    await this.sees('ready> ');
  }

  /** Runs a command and returns what it put out, without the echo of the command itself. */
  async run(command: string): Promise<string> {
    this.stream.write(`${command}\r`);
    await this.sees('\n');
    const start = this.#seen;
    await this.sees('ready> ');
    return this.text.slice(start, this.#seen - 'ready> '.length);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stream.destroy();
    this.#client.close();
  }
}

/** Resolves when the stream is closed, with an error or without. */
function closing(stream: ServiceStream): Promise<void> {
  return new Promise((resolve) => stream.once('close', resolve));
}

describe.each(Object.entries(inject('telnet')))('%s', (name, { host, port }) => {
  const url = `telnet://alice:not-sent@${host}:${port}/`;

  test('the retrieval advises and does not connect (RFC 1738 §3.8)', async () => {
    const events: TraceRecord[] = [];
    const client = createClient({ drivers: [telnet()], trace: (record) => void events.push(record) });
    expect(await client.retrieve(url)).toMatchObject({
      kind: 'service',
      host,
      port,
      user: 'alice',
      password: 'not-sent',
    });
    expect(events).toEqual([]);
    client.close();
  });

  test('log in, run a command, read its output, log out', async () => {
    await using session = await Session.open(url);
    await session.logIn();
    expect(session.stream.remoteEcho).toBe(true);
    expect(await session.run('echo $((6*7))')).toBe('42\r\n');
    session.stream.write('exit\r');
    await closing(session.stream);
    expect(session.text).not.toContain('not-sent');
  });

  test('an octet 0xFF arrives as one, and so does one that is sent (RFC 854)', async () => {
    await using session = await Session.open(url);
    await session.logIn();
    expect(await session.run(String.raw`printf '<\377\377>\n'`)).toBe('<\xff\xff>\r\n');
    session.stream.write('printf %s ');
    session.stream.write(Buffer.from(`'\xff' | od -An -tx1\r`, 'latin1'));
    await session.sees('ff\r\n');
  });

  test('the terminal and its window are told, the window anew when it changes (RFC 1091, 1073)', async () => {
    await using session = await Session.open(url, { terminalType: 'vt220', windowSize: { columns: 132, rows: 43 } });
    await session.logIn();
    expect(await session.run('echo $TERM; stty size')).toBe('vt220\r\n43 132\r\n');
    session.stream.resize?.(77, 33);
    expect(await session.run('stty size')).toBe('33 77\r\n');
  });

  test('in binary a CR is a CR, and every octet passes (RFC 856)', async () => {
    const events: string[] = [];
    const trace = (record: TraceRecord): void =>
      void ('text' in record && events.push(`${record.type} ${record.text}`));
    await using session = await Session.open(url, { binary: true }, { trace });
    await session.sees('login: ');
    expect(events).toContain('sent WILL BINARY');
    expect(events).toContain('sent DO BINARY');
    expect(events.filter((text) => text === 'sent WILL BINARY')).toHaveLength(1);
  });

  test('no option is answered twice, and the negotiation ends', async () => {
    const sent: string[] = [];
    const trace = (record: TraceRecord): void => void (record.type === 'sent' && sent.push(record.text));
    await using session = await Session.open(url, {}, { trace });
    await session.logIn();
    const before = sent.length;
    await session.run('sleep 0.2');
    expect(sent.length).toBe(before);
    expect(sent.length).toBeLessThan(30);
    if (name === 'inetutils') expect(sent).toContain('WONT NEW-ENVIRON');
  });

  test('much output is read whole, through back pressure', async () => {
    await using session = await Session.open(url);
    await session.logIn();
    const output = await session.run('seq 1 200000');
    const lines = output.trimEnd().split('\r\n');
    expect(lines).toHaveLength(200_000);
    expect(lines.at(-1)).toBe('200000');
  });

  test("the caller's signal closes the session", async () => {
    const client = createClient({ drivers: [telnet()] });
    const controller = new AbortController();
    const service = await client.retrieve(url, { signal: controller.signal });
    if (service.kind !== 'service') throw new TypeError('not a service');
    const stream = await service.open();
    await once(stream, 'readable');
    const closed = closing(stream);
    controller.abort();
    await closed;
    expect(stream.errored).toBe(controller.signal.reason);
  });

  test('several sessions of one retrieval stand side by side', async () => {
    await using a = await Session.open(url);
    await using b = await Session.open(url);
    await Promise.all([a.logIn(), b.logIn()]);
    expect(await Promise.all([a.run('echo a'), b.run('echo b')])).toEqual(['a\r\n', 'b\r\n']);
  });
});

test('a daemon that is killed ends the session with an error or an end, never in silence', async () => {
  await using daemon = await startDisposable('telnet');
  await using session = await Session.open(`telnet://${daemon.host}:2323/`);
  await session.sees('login: ');
  const closed = closing(session.stream);
  await daemon.kill();
  await closed;
  expect(session.stream.destroyed).toBe(true);
});
