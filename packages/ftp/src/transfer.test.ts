import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ftpPeer, passiveNumbers, sendData, type FtpPeerOptions, type PeerTransfer } from '../testing/ftp-peer.ts';
import { visit } from '../testing/retrieve.ts';

const size = { SIZE: '213 4' };

describe('complete means data at its end, 2yz, and the size', () => {
  const outcome = async (
    transfer: (transfer: PeerTransfer) => Promise<void>,
    options: FtpPeerOptions = {},
  ): Promise<unknown> => {
    await using peer = await ftpPeer({ replies: size, ...options, transfer });
    using one = visit();
    const { body } = await one.content(peer.url('/file;type=i'));
    return await body.text().catch((error: unknown) => error);
  };

  test('150, data, 226', async () => {
    const text = await outcome(async ({ control, socket }) => {
      await control.send('150 here\r\n');
      await sendData(await socket, 'abcd');
      await control.send('226 done\r\n');
    });
    expect(text).toBe('abcd');
  });

  test('150 and 226 in one packet, before any data', async () => {
    const text = await outcome(async ({ control, socket }) => {
      await control.send('150 here\r\n226 done\r\n');
      await delay(10);
      await sendData(await socket, 'abcd');
    });
    expect(text).toBe('abcd');
  });

  test('a 226 without a 150', async () => {
    const text = await outcome(async ({ control, socket }) => {
      await sendData(await socket, 'abcd');
      await control.send('226 done\r\n');
    });
    expect(text).toBe('abcd');
  });

  test('replies octet by octet, with bare LF', async () => {
    const text = await outcome(
      async ({ control, socket }) => {
        await control.send('150-here\n it comes\n150 now\n');
        await sendData(await socket, 'abcd');
        await control.send('226 done\n');
      },
      { octetByOctet: true },
    );
    expect(text).toBe('abcd');
  });

  test('a 226 that comes only after the client closed the data connection (ProFTPD)', async () => {
    const text = await outcome(async ({ control, socket }) => {
      await control.send('150 here\r\n');
      const data = await socket;
      const closed = new Promise((resolve) => data.once('close', resolve));
      data.resume();
      await sendData(data, 'abcd');
      await closed;
      await control.send('226 done\r\n');
    });
    expect(text).toBe('abcd');
  });

  test('an empty file', async () => {
    const text = await outcome(
      async ({ control, socket }) => {
        await control.send('150 here (0 bytes)\r\n226 done\r\n');
        await sendData(await socket, '');
      },
      { replies: { SIZE: '213 0' } },
    );
    expect(text).toBe('');
  });

  test('a file that grew between SIZE and RETR has the size that 150 announced', async () => {
    const text = await outcome(async ({ control, socket }) => {
      await control.send('150 here (6 bytes)\r\n');
      await sendData(await socket, 'abcdef');
      await control.send('226 done\r\n');
    });
    expect(text).toBe('abcdef');
  });

  test('shorter than SIZE is incomplete', async () => {
    const error = await outcome(async ({ control, socket }) => {
      await control.send('150 here\r\n');
      await sendData(await socket, 'abc');
      await control.send('226 done\r\n');
    });
    expect(error).toMatchObject({
      code: 'incomplete',
      temporary: true,
      message: expect.stringContaining('3 octets') as string,
    });
  });

  test('shorter than the 150 announced is incomplete, without a SIZE', async () => {
    const error = await outcome(
      async ({ control, socket }) => {
        await control.send('150 here (9 bytes)\r\n');
        await sendData(await socket, 'abc');
        await control.send('226 done\r\n');
      },
      { replies: {} },
    );
    expect(error).toMatchObject({ code: 'incomplete' });
  });

  test('longer than announced is an error at once', async () => {
    const error = await outcome(async ({ control, socket }) => {
      await control.send('150 here\r\n');
      (await socket).write('abcdefgh');
    });
    expect(error).toMatchObject({ code: 'protocol', temporary: true });
  });

  test.each(['426 broken', '451 disk', '552 quota'])('%s after the data is incomplete', async (reply) => {
    const error = await outcome(async ({ control, socket }) => {
      await control.send('150 here\r\n');
      await sendData(await socket, 'abcd');
      await control.send(`${reply}\r\n`);
    });
    expect(error).toMatchObject({
      code: 'incomplete',
      temporary: !reply.startsWith('5'),
      reply: { code: Number(reply.slice(0, 3)) },
    });
  });

  test('what was on its way when the server gave up is had all the same', async () => {
    await using peer = await ftpPeer({
      async transfer({ control, socket }) {
        await control.send('150 here\r\n');
        const data = await socket;
        await control.send('550 broken\r\n');
        await delay(50);
        await sendData(data, 'abcd');
      },
    });
    using one = visit();
    const { body } = await one.content(peer.url('/a'));
    const parts: Uint8Array[] = [];
    await expect(body.pipeTo((chunk) => void parts.push(Buffer.from(chunk)))).rejects.toMatchObject({
      code: 'incomplete',
      reply: { code: 550 },
    });
    expect(Buffer.concat(parts).toString()).toBe('abcd');
  });

  test('426 while the data connection stays open', async () => {
    const error = await outcome(async ({ control, socket }) => {
      await control.send('150 here\r\n');
      (await socket).write('ab');
      await delay(10);
      await control.send('426 broken\r\n');
    });
    expect(error).toMatchObject({ code: 'incomplete', reply: { code: 426 } });
  });

  test('a reset of the data connection, explained by 426', async () => {
    const error = await outcome(async ({ control, socket }) => {
      await control.send('150 here\r\n');
      (await socket).resetAndDestroy();
      await control.send('426 broken\r\n');
    });
    expect(error).toMatchObject({ code: 'incomplete', reply: { code: 426 } });
  });

  test('a session that must resume TLS and did not (vsftpd: 522)', async () => {
    const error = await outcome(async ({ control, socket }) => {
      await control.send('150 here\r\n');
      await sendData(await socket, '');
      await control.send('522 SSL connection failed: session reuse required\r\n');
    });
    expect(error).toMatchObject({ code: 'refused', reply: { code: 522 } });
  });

  test('all octets, but the control connection is dead', async () => {
    const error = await outcome(async ({ control, socket }) => {
      await control.send('150 here\r\n');
      await sendData(await socket, 'abcd');
      control.reset();
    });
    expect(error).toMatchObject({ code: 'incomplete', message: expect.stringContaining('4 octets came') as string });
  });

  test('an unknown size is complete by 226 alone', async () => {
    const text = await outcome(
      async ({ control, socket }) => {
        await control.send('150 here\r\n');
        await sendData(await socket, 'abcd');
        await control.send('226 done\r\n');
      },
      { replies: {} },
    );
    expect(text).toBe('abcd');
  });
});

describe('a body given up', () => {
  const endless = async ({ control, socket }: PeerTransfer): Promise<void> => {
    await control.send('150 here\r\n');
    const data = await socket;
    const more = (): void => void (data.writable && data.write(new Uint8Array(65_536), more));
    more();
    await control.closed();
  };

  test('abort in the middle rejects with the reason and closes everything', async () => {
    await using peer = await ftpPeer({ transfer: endless });
    const controller = new AbortController();
    using one = visit({}, { signal: controller.signal });
    const { body } = await one.content(peer.url('/file'));
    let count = 0;
    const reading = body.pipeTo((chunk) => {
      count += chunk.length;
      if (count > 200_000) controller.abort(new Error('enough'));
    });
    await expect(reading).rejects.toThrow('enough');
    await peer.drained();
  });

  test('a sink that fails ends the transfer with its own error', async () => {
    await using peer = await ftpPeer({ transfer: endless });
    using one = visit();
    const { body } = await one.content(peer.url('/file'));
    await expect(body.pipeTo(() => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full');
    await peer.drained();
    expect(one.access.idle.size).toBe(0);
  });

  test('cancelling an unread body closes both connections', async () => {
    await using peer = await ftpPeer({ transfer: endless });
    using one = visit();
    await (await one.content(peer.url('/file'))).body.cancel();
    await peer.drained();
  });

  test('entries that are not read to the end', async () => {
    await using peer = await ftpPeer({
      async transfer({ control, socket }) {
        await control.send('150 here\r\n');
        (await socket).write('-rw-r--r-- 1 0 0 1 Jan 1 2020 a\r\n'.repeat(1000));
        await control.closed();
      },
    });
    using one = visit();
    for await (const entry of (await one.listing(peer.url('/'))).entries) {
      expect(entry.name).toBe('a');
      break;
    }
    await peer.drained();
  });
});

describe.each([false, true])('data connections, pipelining: %s', (pipelining) => {
  test('EPSV refused: PASV, its port only, and PASV from then on', async () => {
    await using peer = await ftpPeer({ replies: { EPSV: '500 what?' }, data: { RETR: 'x' } });
    using one = visit({ pipelining });
    expect(await one.text(peer.url('/a'))).toBe('x');
    expect(await one.text(peer.url('/b'))).toBe('x');
    expect(peer.commands.filter((line) => /^(EPSV|PASV)/.test(line))).toEqual(['EPSV', 'PASV', 'PASV']);
    // The fixture's PASV says 10.9.8.7; nobody went there.
    expect(one.access.endpoints.slice(1)).toMatchObject([{ host: '127.0.0.1' }, { host: '127.0.0.1' }]);
    expect(
      one.access.endpoints.every(({ port, beside }) => port === peer.port || beside === one.access.sockets[0]),
    ).toBe(true);
  });

  test('EPSV answered but unreachable: PASV', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as { port: number };
    await new Promise((resolve) => closed.close(resolve));
    await using peer = await ftpPeer({ replies: { EPSV: `229 ok (|||${port}|)` }, data: { RETR: 'x' } });
    using one = visit({ pipelining });
    expect(await one.text(peer.url('/a'))).toBe('x');
  });

  test('epsv: false', async () => {
    await using peer = await ftpPeer({ data: { RETR: 'x' } });
    using one = visit({ epsv: false, pipelining });
    expect(await one.text(peer.url('/a'))).toBe('x');
    expect(peer.commands).not.toContain('EPSV');
  });

  test('227 to EPSV and 229 to PASV are understood', async () => {
    const { portIn } = await import('./passive.ts');
    const reply = (code: number, text: string): Parameters<typeof portIn>[0] => ({
      code,
      text,
      lines: [Buffer.from(text)],
    });
    expect(portIn(reply(227, `Entering Passive Mode (${passiveNumbers(4660)}).`))).toBe(4660);
    expect(portIn(reply(227, `=${passiveNumbers(4660)}`))).toBe(4660);
    expect(portIn(reply(229, 'Entering Extended Passive Mode (|||4660|)'))).toBe(4660);
    expect(portIn(reply(229, 'ok (!!!4660!)'))).toBe(4660);
  });

  test.each(['229 (|||80|)', '227 127,0,0,1,0,25'])('a privileged port is refused: %s', async (reply) => {
    await using peer = await ftpPeer({ replies: { EPSV: reply } });
    using one = visit({ pipelining });
    await expect(one.retrieve(peer.url('/a'))).rejects.toMatchObject({ code: 'policy' });
    expect(one.access.endpoints).toHaveLength(1);
  });

  test.each([
    '229 (|||99999|)',
    '229 (|||0|)',
    '229 (|||123456789012345678901|)',
    '227 1,2,3,4,999,999',
    '229 no port',
  ])('nonsense is a protocol error: %s', async (reply) => {
    await using peer = await ftpPeer({ replies: { EPSV: reply } });
    using one = visit({ pipelining });
    await expect(one.retrieve(peer.url('/a'))).rejects.toMatchObject({ code: 'protocol' });
  });

  test('PASV refused too', async () => {
    await using peer = await ftpPeer({ replies: { EPSV: '500 no', PASV: '502 no' } });
    using one = visit({ pipelining });
    await expect(one.retrieve(peer.url('/a'))).rejects.toMatchObject({ code: 'refused', reply: { code: 502 } });
  });
});
