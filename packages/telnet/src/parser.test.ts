import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BINARY, DO, DONT, IAC, optionName, requestName, SB, SE, WILL, WONT } from './codes.ts';
import { encodeData } from './encode.ts';
import { TelnetParser } from './parser.ts';

interface Parsed {
  readonly data: readonly number[];
  /** Everything else, with the number of octets of data before it. */
  readonly events: readonly string[];
}

/** Parses chunks; WILL BINARY and WONT BINARY switch the mode at once, as an agreeing connection does. */
function parsed(chunks: readonly Uint8Array[], binary = false): Parsed {
  const data: number[] = [];
  const events: string[] = [];
  let isBinary = binary;
  const parser = new TelnetParser({
    request: (verb, option) => {
      events.push(requestName(verb, option));
      if (option === BINARY && (verb === WILL || verb === WONT)) isBinary = verb === WILL;
    },
    subnegotiation: (option, octets) => void events.push(`SB ${optionName(option)} ${octets.join(' ')}`),
    data: () => undefined,
    command: (code) => void events.push(String(code)),
    isBinary: () => isBinary,
  });
  for (const chunk of chunks) data.push(...parser.parse(chunk));
  return { data, events };
}

const of = (...octets: readonly number[]): Uint8Array[] => [Uint8Array.from(octets)];

test('an IAC that is doubled is one 0xFF of data (RFC 854)', () => {
  expect(parsed(of(1, IAC, IAC, 2))).toEqual({ data: [1, 255, 2], events: [] });
});

test('commands are taken out of the data (RFC 854)', () => {
  expect(parsed(of(1, IAC, 249, 2, IAC, 246, IAC, WILL, 1, 3, IAC, DONT, 31))).toEqual({
    data: [1, 2, 3],
    events: ['249', '246', 'WILL ECHO', 'DONT NAWS'],
  });
});

test('the NUL after a CR is dropped, CR LF and a NUL by itself are kept (RFC 854)', () => {
  expect(parsed(of(13, 0, 13, 10, 0, 13, 65, 13, 13, 0)).data).toEqual([13, 13, 10, 0, 13, 65, 13, 13]);
});

test('a command may stand between a CR and its NUL', () => {
  expect(parsed(of(13, IAC, 241, 0, 0)).data).toEqual([13, 0]);
});

test('a 0xFF between a CR and a NUL makes the NUL data', () => {
  expect(parsed(of(13, IAC, IAC, 0)).data).toEqual([13, 255, 0]);
});

test('in binary nothing is dropped (RFC 856)', () => {
  expect(parsed(of(13, 0, 13, 10, IAC, IAC), true).data).toEqual([13, 0, 13, 10, 255]);
});

test('binary begins and ends at the very octet (RFC 856)', () => {
  expect(parsed(of(13, 0, IAC, WILL, BINARY, 13, 0, IAC, WONT, BINARY, 13, 0)).data).toEqual([13, 13, 0, 13]);
});

test('where binary ends between a CR and a NUL, chunks make no difference', () => {
  const chunks = [
    [IAC, WILL, BINARY],
    [65, 13],
    [IAC, WONT, BINARY, 0],
  ].map((octets) => Uint8Array.from(octets));
  expect(parsed(chunks)).toEqual(parsed([Buffer.concat(chunks)]));
});

test('a subnegotiation is told whole, doubled IACs undone (RFC 855)', () => {
  expect(parsed(of(IAC, SB, 24, 1, IAC, IAC, 2, IAC, SE, 65))).toEqual({ data: [65], events: ['SB TTYPE 1 255 2'] });
});

test('an option 255 in a subnegotiation is an option, not a command', () => {
  expect(parsed(of(IAC, SB, 255, 1, IAC, SE, 65))).toEqual({ data: [65], events: ['SB 255 1'] });
});

test('a subnegotiation longer than 256 octets is skipped; what follows is read', () => {
  const long = Array.from({ length: 100_000 }, () => 7);
  expect(parsed(of(IAC, SB, 24, ...long, IAC, SE, 65, IAC, SB, 24, 1, IAC, SE))).toEqual({
    data: [65],
    events: ['SB TTYPE 1'],
  });
});

test('a subnegotiation that another command breaks off counts for nothing; the command counts', () => {
  expect(parsed(of(IAC, SB, 24, 1, IAC, WILL, 1, 65, IAC, SB, 24, 1, IAC, SB, 31, 2, IAC, SE))).toEqual({
    data: [65],
    events: ['WILL ECHO', 'SB NAWS 2'],
  });
});

test('a subnegotiation that never ends swallows what follows, and keeps no more of it than 256 octets', () => {
  const parser = new TelnetParser({
    request: () => undefined,
    subnegotiation: () => undefined,
    data: () => undefined,
    command: () => undefined,
    isBinary: () => false,
  });
  parser.parse(Uint8Array.of(IAC, SB, 24));
  const chunk = new Uint8Array(65_536).fill(120);
  const before = process.memoryUsage().heapUsed;
  for (let round = 0; round < 50; round += 1) expect(parser.parse(chunk)).toHaveLength(0);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(16 * 1024 * 1024);
});

test('an octet of data among many commands does not hold their chunk in memory', () => {
  const chunk = new Uint8Array(65_535);
  for (let at = 0; at < chunk.length; at += 3) chunk.set([IAC, DO, 99], at);
  chunk.set([IAC, 241, 65], chunk.length - 3);
  const hooks = {
    request: () => undefined,
    subnegotiation: () => undefined,
    data: () => undefined,
    command: () => undefined,
    isBinary: () => false,
  };
  const data = new TelnetParser(hooks).parse(chunk);
  expect([...data]).toEqual([65]);
  expect(data.buffer.byteLength).toBe(1);
});

/** Octets in which those of the protocol are frequent. */
const octets = fc
  .array(fc.oneof(fc.constantFrom(IAC, SB, SE, WILL, WONT, DO, DONT, 0, 1, 13, 10, 24, 31), fc.nat(255)), {
    maxLength: 80,
  })
  .map((list) => Uint8Array.from(list));

test('any octets, in any chunks, give the same data and the same events', () => {
  fc.assert(
    fc.property(octets, fc.array(fc.nat(80)), (whole, cuts) => {
      const chunks: Uint8Array[] = [];
      let start = 0;
      for (const end of [...cuts, whole.length].toSorted((a, b) => a - b)) {
        if (end > whole.length) continue;
        chunks.push(whole.subarray(start, end));
        start = end;
      }
      const { data, events } = parsed([whole]);
      expect(parsed(chunks)).toEqual({ data, events });
      expect(parsed([...whole].map((octet) => Uint8Array.of(octet)))).toEqual({ data, events });
    }),
    { numRuns: 3000 },
  );
});

test('any data that is encoded comes back as it was, in both modes', () => {
  fc.assert(
    fc.property(octets, fc.boolean(), (data, binary) => {
      expect(parsed([encodeData(data, binary)], binary)).toEqual({ data: [...data], events: [] });
    }),
    { numRuns: 3000 },
  );
});
