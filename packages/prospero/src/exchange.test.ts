import { RetrievalError } from '@retriever/driver';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ArdpServer, packet, type ArdpServerOptions } from '../testing/ardp-server.ts';
import { memoryNetwork } from '../testing/memory-network.ts';
import type { Answering } from '../testing/udp-peer.ts';
import { exchange } from './exchange.ts';
import { withDefaults, type ProsperoOptions } from './options.ts';

const place = { host: 'server.example', port: 1525 };
const request = Buffer.from('STATUS\n');

function talk(server: Answering | undefined, options: ProsperoOptions = {}, message: Uint8Array = request) {
  const network = memoryNetwork(() => server);
  const limits = withDefaults({ connectionId: () => 0x1234, ...options });
  const answer = exchange(message, place, network.access, limits).then((octets) =>
    Buffer.from(octets).toString('latin1'),
  );
  return { network, answer };
}

const echo = (text: string) => text;
const big = Array.from({ length: 5000 }, (_, at) => `line ${at}\n`).join('');
const served = (options: ArdpServerOptions, text = big): ArdpServer => new ArdpServer(() => text, options);

/** Says the same to whatever it hears. */
function saying(...datagrams: Uint8Array[]): Answering {
  return { hear: () => datagrams };
}

async function failure(promise: Promise<unknown>): Promise<RetrievalError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RetrievalError);
  return error as RetrievalError;
}

const data = (text: string): Uint8Array => Buffer.from(text);

describe('an ARDP exchange', () => {
  test('sends nine octets of header, and takes a header of three for the only packet', async () => {
    const { network, answer } = talk(new ArdpServer(() => 'VERSION 5\n'));
    expect(await answer).toBe('VERSION 5\n');
    expect(network.sent.map((sent) => Buffer.from(sent).toString('hex'))).toEqual(['0912340001000100005354415455530a']);
    expect(network.open).toBe(0);
  });

  test('sends a long request in packets of 1250 octets', async () => {
    const { network, answer } = talk(new ArdpServer(echo), {}, Buffer.alloc(3000, 'x'));
    expect(await answer).toBe('x'.repeat(3000));
    expect(network.sent.slice(0, 3).map((sent) => sent.length)).toEqual([1259, 1259, 509]);
  });

  test('acknowledges the end of each window of 16, and the last packet only when asked', async () => {
    const { network, answer } = talk(served({}));
    expect(await answer).toBe(big);
    const acknowledged = network.sent.slice(1).map((sent) => Buffer.from(sent).toString('hex'));
    expect(acknowledged).toEqual(['091234000000000010', '091234000000000020']);
    const asked = talk(new ArdpServer(() => 'x', { askLast: true }));
    await asked.answer;
    expect(Buffer.from(asked.network.sent[1]!).toString('hex')).toBe('091234000000000001');
  });

  test('takes a last packet without data, another port, and swapped connection ids after the first window', async () => {
    expect(await talk(served({ emptyLast: true, packetBytes: 1000 })).answer).toBe(big);
    expect(await talk(served({ otherPort: true })).answer).toBe(big);
    expect(await talk(served({ swapLater: true, window: 3 })).answer).toBe(big);
  });

  test('asks soon for a packet that is missing, with the true received-through', async () => {
    let first = true;
    const lossy = served({
      packetBytes: 10_000,
      network: (datagrams) => {
        const kept = first ? datagrams.filter((_, at) => at !== 1) : datagrams;
        first = false;
        return kept;
      },
    });
    const { network, answer } = talk(lossy);
    expect(await answer).toBe(big);
    expect(network.times).toEqual([0, 500]);
    expect(Buffer.from(network.sent[1]!).toString('hex')).toBe('091234000000000001');
  });

  test('sends at 0, 4, 12 and 28 s and gives up at 60 s, as ISI’s client; then takes the request back', async () => {
    const { network, answer } = talk(undefined);
    expect((await failure(answer)).code).toBe('timeout');
    expect(network.times).toEqual([0, 4000, 12_000, 28_000, 60_000]);
    expect(Buffer.from(network.sent[4]!).toString('hex')).toBe('0d123400000000000000000001');
  });

  test('sends an acknowledgement, not the request, to a server that has it', async () => {
    const { network, answer } = talk(new ArdpServer(echo, { mute: true }));
    expect((await failure(answer)).code).toBe('timeout');
    expect(network.sent.slice(1, -1).every((sent) => sent.length === 9 && sent[4] === 0)).toBe(true);
  });

  test('does not send again before the wait that the server asked for is over', async () => {
    let heard = 0;
    const busy: Answering = {
      hear: () => {
        heard += 1;
        return heard === 1 ? [packet(0x1234, { wait: 100 })] : [packet(0x1234, { data: data('done') })];
      },
    };
    const { network, answer } = talk(busy);
    expect(await answer).toBe('done');
    expect(network.times).toEqual([0, 100_000]);
  });

  test('bounds all waiting: a server cannot hold a client for ever', async () => {
    const { network, answer } = talk(saying(packet(0x1234, { wait: 0xffff })));
    expect((await failure(answer)).message).toMatch(/longer than 300000 ms; the server last asked to wait 65535 s/);
    expect(network.times.at(-1)).toBeCloseTo(300_000, -1);
  });

  test('tells where in the queue the request is', async () => {
    const { network, answer } = talk(new ArdpServer(() => 'x', { waitSeconds: 900 }));
    await answer;
    expect(network.events).toContainEqual({
      type: 'note',
      text: 'ARDP: the request is in a queue, position 1, about 7 s',
    });
  });

  test('fails when refused', async () => {
    const error = await failure(talk(new ArdpServer(echo, { refuse: true })).answer);
    expect(error).toMatchObject({ code: 'refused', temporary: true });
  });

  test('goes where it is redirected, through the client; and not for ever', async () => {
    const redirecting = new ArdpServer(echo, { redirectTo: { address: [127, 0, 0, 2], port: 1526 } });
    const answering = new ArdpServer(() => 'here');
    const network = memoryNetwork(({ host }) => (host === '127.0.0.2' ? answering : redirecting));
    const octets = await exchange(request, place, network.access, withDefaults());
    expect(Buffer.from(octets).toString()).toBe('here');
    expect(network.endpoints).toEqual([place, { host: '127.0.0.2', port: 1526 }]);
    expect(network.open).toBe(0);
    expect((await failure(talk(redirecting).answer)).code).toBe('limit');
  });

  test('passes over packets of other connections, connection 0 among them', async () => {
    const strangers = [packet(0x4321, { data: data('no') }), Uint8Array.of(1, 0x6e)];
    const { answer } = talk(saying(...strangers, packet(0x1234, { data: data('yes') })));
    expect(await answer).toBe('yes');
  });

  test('counts a sequenced control packet and drops its data', async () => {
    const { answer } = talk(
      saying(
        packet(0x1234, { number: 1, total: 2, control: true, data: data('no') }),
        packet(0x1234, { number: 2, total: 2, data: data('yes') }),
      ),
    );
    expect(await answer).toBe('yes');
  });

  test.each([
    ['bare text (pre-ARDP)', data('ERROR Unknown message'), 'protocol'],
    ['nothing', new Uint8Array(0), 'protocol'],
    ['a header longer than the datagram', Uint8Array.of(9, 0x12, 0x34), 'protocol'],
    ['a header that ends within a field', Uint8Array.of(4, 0x12, 0x34, 0), 'protocol'],
    ['a packet beyond the total', packet(0x1234, { number: 5, total: 2 }), 'protocol'],
    ['more packets than allowed', packet(0x1234, { number: 1, total: 0xffff }), 'limit'],
    ['a redirect to nowhere', packet(0x1234, { option: 4, extra: [127] }), 'protocol'],
  ])('fails at %s', async (_, datagram, code) => {
    expect((await failure(talk(saying(datagram)).answer)).code).toBe(code);
  });

  test('fails at totals that contradict each other', async () => {
    const { answer } = talk(saying(packet(0x1234, { number: 1, total: 3 }), packet(0x1234, { number: 2, total: 2 })));
    expect((await failure(answer)).code).toBe('protocol');
  });

  test('bounds octets and datagrams', async () => {
    expect((await failure(talk(served({}), { maxMessageBytes: 5000 }).answer)).code).toBe('limit');
    const chatter = saying(
      ...Array.from({ length: 100 }, () => packet(0x1234, { number: 1, total: 2, acknowledge: true })),
    );
    expect((await failure(talk(chatter, { maxPackets: 16 }).answer)).code).toBe('limit');
  });

  test('never takes a cut answer for a whole one, whichever octet it is cut at', async () => {
    const text = 'x'.repeat(30);
    for (let length = 0; length < 39; length += 1) {
      const server = served(
        { packetBytes: 10, network: (all) => all.map((datagram) => datagram.subarray(0, length)) },
        text,
      );
      const result = await talk(server).answer.catch((error: unknown) => error);
      if (length < 7) expect(result).toBeInstanceOf(RetrievalError);
      else expect(String(result).length).toBeLessThanOrEqual(text.length);
    }
  });
});

describe('over any network', () => {
  const chance = fc.double({ min: 0, max: 0.3, noNaN: true });

  test('that loses, doubles and reorders, the answer is whole or the exchange times out', async () => {
    let whole = 0;
    await fc.assert(
      fc.asyncProperty(
        chance,
        chance,
        fc.integer(),
        fc.integer({ min: 1, max: 40 }),
        async (loss, copies, seed, packets) => {
          const random = generator(seed);
          const text = Array.from({ length: packets * 100 }, () => String.fromCharCode(32 + random() * 90)).join('');
          const server = served(
            { packetBytes: 100, window: 8, network: (all) => bad(all, { loss, copies, random }) },
            text,
          );
          const { network, answer } = talk(server, { maxSends: 8 });
          try {
            expect(await answer).toBe(text);
            whole += 1;
          } catch (error) {
            expect(error).toMatchObject({ code: 'timeout' });
          }
          expect(network.open).toBe(0);
        },
      ),
      { numRuns: 500 },
    );
    expect(whole).toBeGreaterThan(450);
  });

  interface Badness {
    readonly loss: number;
    readonly copies: number;
    readonly random: () => number;
  }

  function bad(datagrams: readonly Uint8Array[], { loss, copies, random }: Badness): Uint8Array[] {
    const kept = datagrams.filter(() => random() >= loss);
    const doubled = kept.flatMap((datagram) => (random() < copies ? [datagram, datagram] : [datagram]));
    return doubled
      .map((datagram) => ({ datagram, at: random() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ datagram }) => datagram);
  }

  /** Park and Miller's generator: the same numbers for the same seed. */
  function generator(seed: number): () => number {
    let state = (Math.abs(seed) % 2147483646) + 1;
    return () => {
      state = (state * 16807) % 2147483647;
      return state / 2147483647;
    };
  }
});
