import { expect, test, vi } from 'vitest';
import type { TraceEvent } from './access.ts';
import { Dialogue } from './dialogue.ts';
import { scriptedPeer, testAccess, type PeerScript } from './testing/index.ts';

/** A dialogue whose answers are counted, not read. */
class Counted extends Dialogue {
  owed = 0;

  protected override get due(): boolean {
    return this.owed > 0;
  }

  override say(line: Uint8Array, shown: string): void {
    super.say(line, shown);
  }

  override masked(words: string): string {
    return super.masked(words);
  }
}

async function scene(script: PeerScript) {
  const peer = await scriptedPeer(script);
  const access = testAccess();
  const events: TraceEvent[] = [];
  const socket = await access.connect({ host: peer.host, port: peer.port });
  const dialogue = new Counted(socket, 'h.example', (event) => events.push(event));
  return {
    peer,
    dialogue,
    socket,
    events,
    async [Symbol.asyncDispose]() {
      access.close();
      await peer[Symbol.asyncDispose]();
    },
  };
}

const untilClosed: PeerScript = async (connection) => {
  for (;;) await connection.line();
};

test('takes leave with QUIT when nothing is due, and just closes when something is', async () => {
  for (const owed of [0, 1]) {
    await using at = await scene(untilClosed);
    at.dialogue.owed = owed;
    at.dialogue.close();
    at.dialogue.close();
    await at.peer.drained();
    expect(at.peer.received).toBe(owed === 0 ? 'QUIT\r\n' : '');
    expect(at.events).toEqual(owed === 0 ? [{ type: 'sent', text: 'QUIT' }] : []);
    expect(at.dialogue.usable).toBe(false);
  }
});

test('is of no use any more when octets or an end come that nobody asked for, and sends nothing then', async () => {
  for (const unasked of ['421 bye\r\n', '']) {
    await using at = await scene(async (connection) => {
      await connection.send(unasked);
      if (unasked !== '') await untilClosed(connection);
    });
    await vi.waitFor(() => expect(at.dialogue.usable).toBe(false), { timeout: 20_000 });
    at.dialogue.say(Buffer.from('NOOP\r\n'), 'NOOP');
    expect(at.events).toEqual([]);
  }
});

test('gives up its socket for TLS, but not behind clear text that came too early', async () => {
  await using clean = await scene(untilClosed);
  expect(clean.dialogue.detach('AUTH TLS')).toBe(clean.socket);
  expect(clean.dialogue.usable).toBe(false);
  await using injected = await scene(async (connection) => {
    await connection.send('220 more\r\n');
    await untilClosed(connection);
  });
  await vi.waitFor(() => expect(injected.dialogue.usable).toBe(false), { timeout: 20_000 });
  expect(() => injected.dialogue.detach('AUTH TLS')).toThrow(
    /h\.example sent clear text between AUTH TLS and the handshake/,
  );
});

test('hides a secret that the server repeats, in either encoding', async () => {
  await using at = await scene(untilClosed);
  at.dialogue.keepSecret(Buffer.from('pä'));
  at.dialogue.keepSecret(new Uint8Array(0));
  expect(at.dialogue.masked('no user with pä or pÃ¤')).toBe('no user with *** or ***');
});
