import { describe, expect, test } from 'vitest';
import { scriptedPeer, testAccess, type PeerScript } from '@retriever/driver/testing';
import { ftpPeer } from '../testing/ftp-peer.ts';
import { visit } from '../testing/retrieve.ts';
import { ControlConnection } from './control-connection.ts';

interface Talk extends AsyncDisposable {
  readonly control: ControlConnection;
  readonly received: () => string;
  readonly trace: () => string[];
}

async function talk(script: PeerScript, octetByOctet = false): Promise<Talk> {
  const peer = await scriptedPeer(script, { octetByOctet });
  const access = testAccess();
  const socket = await access.connect(peer);
  const options = { host: peer.host, maxReplyBytes: 4096, maxReplyLines: 20, maxReplyLineBytes: 1024 };
  return {
    control: new ControlConnection(socket, options, (event) => access.report(event)),
    received: () => peer.received,
    trace: () => access.events.map((event) => ('text' in event ? event.text : '')),
    async [Symbol.asyncDispose]() {
      access.close();
      await peer[Symbol.asyncDispose]();
    },
  };
}

const says =
  (text: string): PeerScript =>
  async (connection) => {
    await connection.send(text);
    await connection.closed();
  };

describe('replies (RFC 959 §4.2)', () => {
  test.each([
    ['one line', '220 hello\r\n', { code: 220, text: 'hello' }],
    ['a bare LF', '220 hello\n', { code: 220, text: 'hello' }],
    ['a code alone', '220\r\n', { code: 220, text: '' }],
    ['several lines', '220-hello\r\n there\r\n220-and\r\n220 bye\r\n', { code: 220, text: 'hello\n there\nand\nbye' }],
    [
      'other codes inside',
      '220-hello\r\n331 not the end\r\n220 bye\r\n',
      { code: 220, text: 'hello\n331 not the end\nbye' },
    ],
    ['an end without text', '220-hello\r\n220\r\n', { code: 220, text: 'hello\n' }],
    ['latin1', '220 caf\xe9\r\n', { code: 220, text: 'café' }],
  ])('%s, whole and octet by octet', async (_, wire, reply) => {
    for (const octetByOctet of [false, true]) {
      await using conversation = await talk(says(wire), octetByOctet);
      expect(await conversation.control.greeting().final).toMatchObject(reply);
    }
  });

  test.each([
    ['no code', 'hello there\r\n', 'protocol'],
    ['a code out of range', '999 what\r\n', 'protocol'],
    ['a line without an end', `220 ${'x'.repeat(2000)}`, 'limit'],
    ['a reply without an end', '220-x\r\n'.repeat(100), 'limit'],
    ['a reply too long', `220-${'x'.repeat(900)}\r\n`.repeat(10), 'limit'],
    ['half a reply', '220-hello\r\n', 'incomplete'],
    ['nothing', '', 'incomplete'],
    ['a flood of 1yz', '120 wait\r\n'.repeat(100), 'limit'],
  ])('%s', async (_, wire, code) => {
    await using conversation = await talk((connection) => connection.send(wire));
    await expect(conversation.control.greeting().final).rejects.toMatchObject({ code });
    expect(conversation.control.usable).toBe(false);
    await expect(conversation.control.command('NOOP')).rejects.toMatchObject({ code });
  });
});

describe('commands', () => {
  test('each reply goes to its command, whenever the commands were sent', async () => {
    await using conversation = await talk(async (connection) => {
      for (let n = 0; n < 3; n += 1) await connection.line();
      await connection.send('200 one\r\n150 two begins\r\n226 two ends\r\n550 three\r\n');
      await connection.closed();
    }, true);
    const { control } = conversation;
    const [one, two, three] = control.together(() => [control.send('ONE'), control.send('TWO'), control.send('THREE')]);
    expect(control.usable).toBe(false);
    expect((await three.final).text).toBe('three');
    expect((await one.first).text).toBe('one');
    expect((await two.first).text).toBe('two begins');
    expect((await two.final).text).toBe('two ends');
    expect(control.usable).toBe(true);
    expect(conversation.received()).toBe('ONE\r\nTWO\r\nTHREE\r\n');
  });

  test('421 ends the session for all that wait', async () => {
    await using conversation = await talk(says('421 bye\r\n'));
    const { control } = conversation;
    const [one, two] = [control.send('ONE'), control.send('TWO')];
    expect((await one.final).code).toBe(421);
    await expect(two.final).rejects.toMatchObject({ code: 'incomplete', reply: { code: 421 } });
    expect(control.usable).toBe(false);
  });

  test('a reply too many makes the session unusable at once', async () => {
    await using conversation = await talk(says('200 ok\r\n200 and again\r\n'));
    expect((await conversation.control.command('NOOP')).text).toBe('ok');
    await expect.poll(() => conversation.control.usable).toBe(false);
  });

  test('octets that nobody asked for make the session unusable', async () => {
    await using conversation = await talk(async (connection) => {
      await connection.line();
      await connection.send('200 ok\r\n');
      await connection.line();
      await connection.send('200 ok\r\n');
      await new Promise((resolve) => setTimeout(resolve, 20));
      await connection.send('200 again\r\n');
      await connection.closed();
    });
    const { control } = conversation;
    await control.command('NOOP');
    await control.command('NOOP');
    expect(control.usable).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(control.usable).toBe(false);
  });

  test('QUIT is said on leaving, if nothing is outstanding', async () => {
    await using conversation = await talk(says('220 hello\r\n'));
    await conversation.control.greeting().final;
    conversation.control.close();
    await expect.poll(() => conversation.received()).toBe('QUIT\r\n');
    expect(conversation.control.usable).toBe(false);
  });
});

describe('secrets', () => {
  test('PASS and ACCT are masked in the trace, and wherever the server repeats them', async () => {
    await using peer = await ftpPeer({
      replies: {
        PASS: '332 "s3cret" is fine, account please',
        ACCT: '230 account gold taken, s3cret',
        SIZE: '550 s3cret gold',
        'RETR x': '550 no s3cret here',
        'CWD x': '550 s3cret',
      },
    });
    using one = visit({ account: 'gold' });
    const error = (await one.retrieve(peer.url('/x', 'user:s3cret@')).catch((reason: unknown) => reason)) as Error & {
      reply: unknown;
    };
    expect(peer.commands.slice(0, 3)).toEqual(['USER user', 'PASS s3cret', 'ACCT gold']);
    const told = JSON.stringify(one.access.events) + error.message + JSON.stringify(error.reply);
    expect(told).toContain('PASS ***');
    expect(told).toContain('ACCT ***');
    expect(told).not.toContain('s3cret');
    expect(told).not.toContain('gold');
  });

  test('a password that looks like a code or a number breaks nothing', async () => {
    await using peer = await ftpPeer({ replies: { SIZE: '213 1' }, data: { RETR: 'x' } });
    using one = visit();
    for (const password of ['2', '1', '230', '0']) expect(await one.text(peer.url('/a', `u:${password}@`))).toBe('x');
  });

  test('the password of anonymous is masked in the command, and is no secret', async () => {
    await using peer = await ftpPeer({ replies: { PASS: '230 hello anonymous@' }, data: { LIST: '' } });
    using one = visit();
    await one.entries(peer.url('/'));
    expect(one.access.events).toContainEqual({ type: 'sent', text: 'PASS ***' });
    expect(one.access.events).toContainEqual({ type: 'received', text: '230 hello anonymous@' });
  });
});
