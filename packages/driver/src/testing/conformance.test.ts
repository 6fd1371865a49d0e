/** The conformance suite itself: it passes a driver that does right, and fails each that does one thing wrong. */
import { describe, expect, test } from 'vitest';
import type { Access, BodySource } from '../access.ts';
import { createBody } from '../body.ts';
import { commandLine } from '../command-line.ts';
import type { Driver } from '../driver.ts';
import { RetrievalError } from '../retrieval-error.ts';
import { driverConformance, type ConformanceCase } from './conformance.ts';

type Fault =
  | 'dials although aborted'
  | 'forgets to close when cancelled'
  | 'lets CR LF through'
  | 'passes a short body'
  | 'reads one packet'
  | 'shouts its scheme'
  | 'throws plain errors'
  | 'calls it a reference';

const count = 6;

/** A toy protocol: a name on a line, answered by `+` and six octets. */
function toy(fault?: Fault): Driver {
  return {
    schemes: [fault === 'shouts its scheme' ? 'X-Toy' : 'x-toy'],
    async retrieve({ url }, access) {
      if (url.grammar !== 'generic') throw new TypeError('not a toy URL');
      if (fault === 'calls it a reference') return { kind: 'reference', target: 'x-toy://h/', metadata: {} };
      const name = url.octets.urlPath ?? new Uint8Array();
      const line = fault === 'lets CR LF through' ? Buffer.concat([name, Buffer.from('\r\n')]) : commandLine(name);
      const source = await dial(access, { host: url.host ?? '', port: url.port ?? 0 }, fault);
      source.socket.write(line);
      let first: Uint8Array | undefined;
      try {
        first = await source.read();
        if (first?.[0] !== 0x2b) {
          if (fault === 'throws plain errors') throw new Error('no plus');
          throw new RetrievalError(first ? 'protocol' : 'incomplete', 'no plus');
        }
      } catch (error) {
        source.destroy();
        throw error;
      }
      const head = first.subarray(1);
      const body = createBody({
        async pump(sink) {
          let length = head.length;
          await sink(head);
          if (fault !== 'reads one packet') {
            await source.pump(async (chunk) => {
              length += chunk.length;
              await sink(chunk);
            });
          }
          if (length !== count && fault !== 'passes a short body' && fault !== 'reads one packet') {
            throw new RetrievalError('incomplete', 'not six octets');
          }
          source.destroy();
        },
        cancel: () => (fault === 'forgets to close when cancelled' ? undefined : source.destroy()),
      });
      return { kind: 'content', body, metadata: {} };
    },
  };
}

/** A rogue dials before it asks whether anybody still wants it. */
async function dial(
  access: Access,
  endpoint: { host: string; port: number },
  fault: Fault | undefined,
): Promise<BodySource> {
  if (fault === 'dials although aborted' && access.signal.aborted) {
    const { connect } = await import('node:net');
    const socket = connect(endpoint.port, endpoint.host);
    await new Promise((resolve) => socket.once('connect', resolve));
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket.destroy();
  }
  return access.connectForBody(endpoint);
}

const toyCase = (fault?: Fault): ConformanceCase => ({
  driver: toy(fault),
  url: ({ host, port }) => `x-toy://${host}:${port}/name`,
  async serve(connection) {
    await connection.line();
    await connection.send('+octets');
  },
  async serveShort(connection) {
    await connection.line();
    await connection.send('+oct');
  },
  hostileUrl: ({ host, port }) => `x-toy://${host}:${port}/name%0D%0Aevil`,
  kind: 'content',
  octets: Buffer.from('octets'),
});

/** The names of the checks that fail. */
async function failures(subject: ConformanceCase): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of driverConformance(subject)) {
    await run().catch(() => failed.push(name));
  }
  return failed;
}

describe('a driver that does right', () => {
  for (const { name, run } of driverConformance(toyCase())) test(name, run);
});

test.each<[Fault, RegExp[]]>([
  ['dials although aborted', [/does nothing once aborted/]],
  ['forgets to close when cancelled', [/leaves no connection open/]],
  ['lets CR LF through', [/CR and LF/]],
  ['passes a short body', [/ends short/]],
  ['reads one packet', [/octet by octet/, /ends short/]],
  ['shouts its scheme', [/lower case/]],
  ['throws plain errors', [/without a word/, /noise/]],
])('a driver that %s fails just there', async (fault, expected) => {
  const failed = await failures(toyCase(fault));
  expect(failed).toEqual(expected.map((pattern) => expect.stringMatching(pattern) as string));
});

test('a driver that mistakes the kind fails', async () => {
  expect(await failures(toyCase('calls it a reference'))).toContainEqual('retrieves a content');
});

test('a driver that gives other octets, or other names, fails', async () => {
  expect(await failures({ ...toyCase(), octets: Buffer.from('others') })).toContainEqual('retrieves a content');
});
