/**
 * Feeds the driver arbitrary octets and mutated captures for as long as wanted:
 *
 *     node --conditions=retriever-source packages/prospero/testing/fuzz.ts [seconds] [seed]
 *
 * Whatever comes, a retrieval ends soon, in bounded memory, and fails with a RetrievalError or not at all.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { RetrievalError } from '@retriever/driver';
import { parse, type ProsperoUrl } from '@retriever/url';
import { prospero } from '../src/prospero.ts';
import { readCapture } from './capture.ts';
import { memoryNetwork } from './memory-network.ts';

export interface FuzzReport {
  readonly executions: number;
  readonly retrieved: number;
  /** How often which error came. */
  readonly errors: Readonly<Record<string, number>>;
  readonly slowestMs: number;
}

const captures = readdirSync(join(import.meta.dirname, 'captures')).map((file) =>
  readCapture(file.replace(/\.txt$/, '')).flatMap(({ from, datagram }) => (from === 'server' ? [datagram] : [])),
);
const urls = ['prospero://h/AFTP/x', 'prospero://h/ARCHIE/MATCH(9,9,9,0,S)/x'].map((url) => parse(url) as ProsperoUrl);
const tokens = [
  "'",
  "''",
  '\n',
  ' ',
  '\0',
  'LINK ',
  'ATTRIBUTE ',
  'FORWARDED ',
  '(',
  ')',
  '\u00ff',
  'LINK  U DIRECTORY u INTERNET-D h ASCII u 0\n',
];

/** @throws what a retrieval fails with when that is no RetrievalError. */
export async function fuzz(until: (executions: number) => boolean, seed: number): Promise<FuzzReport> {
  const random = generator(seed);
  const errors: Record<string, number> = {};
  let executions = 0;
  let retrieved = 0;
  let slowestMs = 0;
  for (; !until(executions); executions += 1) {
    const began = performance.now();
    const outcome = await once(random);
    slowestMs = Math.max(slowestMs, performance.now() - began);
    if (outcome === undefined) retrieved += 1;
    else errors[outcome] = (errors[outcome] ?? 0) + 1;
  }
  return { executions, retrieved, errors, slowestMs };
}

async function once(random: (below: number) => number): Promise<string | undefined> {
  const answers = random(4) === 0 ? noise(random) : mutated(captures[random(captures.length)]!, random);
  const network = memoryNetwork(() => ({ hear: () => answers }));
  const driver = prospero({
    connectionId: () => 0x1234,
    expandUnions: random(2) === 0,
    contents: random(2) === 0 ? 'first' : 'last',
    maxPackets: 64,
    maxMessageBytes: 256 * 1024,
  });
  const outcome = await outcomeOf(async () => {
    const retrieval = await driver.retrieve({ url: urls[random(urls.length)]! }, network.access);
    if (retrieval.kind === 'listing') for await (const { url } of retrieval.entries) if (url !== undefined) parse(url);
    if (retrieval.kind === 'reference')
      for (const url of [retrieval.target, ...(retrieval.alternatives ?? [])]) parse(url);
  });
  if (network.open !== 0) throw new Error('a channel was left open');
  return outcome;
}

async function outcomeOf(retrieve: () => Promise<void>): Promise<string | undefined> {
  try {
    await retrieve();
    return undefined;
  } catch (error) {
    if (!(error instanceof RetrievalError)) throw error;
    return error.code;
  }
}

function noise(random: (below: number) => number): Uint8Array[] {
  return Array.from({ length: 1 + random(6) }, () => {
    const datagram = Uint8Array.from({ length: random(80) }, () => random(256));
    // Half of it gets as far as the text.
    if (random(2) === 0) datagram.set([3, 0x12, 0x34].slice(0, datagram.length));
    return datagram;
  });
}

function mutated(datagrams: readonly Uint8Array[], random: (below: number) => number): Uint8Array[] {
  const kept = datagrams.filter(() => random(20) > 0).map((datagram) => mutate(datagram, random));
  if (random(4) === 0) kept.reverse();
  return random(4) === 0 ? [...kept, ...kept] : kept;
}

function mutate(datagram: Uint8Array, random: (below: number) => number): Uint8Array {
  let octets = Buffer.from(datagram);
  for (let count = random(4); count > 0; count -= 1) {
    const at = random(octets.length + 1);
    const inserted = Buffer.from(tokens[random(tokens.length)]!, 'latin1');
    if (random(3) === 0) octets = octets.subarray(0, at);
    else if (random(2) === 0) octets = Buffer.concat([octets.subarray(0, at), inserted, octets.subarray(at)]);
    else if (at < octets.length) octets[random(2) === 0 ? (at % 16) % octets.length : at] = random(256);
  }
  return octets;
}

/** Park and Miller's generator: a seed can be tried again. */
function generator(seed: number): (below: number) => number {
  let state = (seed % 2147483646) + 1;
  return (below) => {
    state = (state * 16807) % 2147483647;
    return Math.floor((state / 2147483647) * below);
  };
}

if (import.meta.main) {
  const seconds = Number(process.argv[2] ?? 10);
  const seed = Number(process.argv[3] ?? Date.now() % 2147483646);
  const end = performance.now() + seconds * 1000;
  const report = await fuzz(() => performance.now() >= end, seed);
  const memory = `${Math.round(process.memoryUsage().rss / 1024 / 1024)} MiB`;
  console.log(JSON.stringify({ seconds, seed, memory, ...report }));
}
