/**
 * Fuzzes the whole driver with recorded replies that were spoilt, for as long as is said:
 *
 *     node --conditions=retriever-source packages/wais/testing/fuzz.ts [seconds] [seed]
 *
 * Each retrieval must end soon, well or with a RetrievalError, and memory must not grow.
 */
import { RetrievalError } from '@retriever/driver';
import { parse, type WaisUrl } from '@retriever/url';
import { wais } from '../src/index.ts';
import { memoryAccess } from './memory-access.ts';
import { dice, exchanges, spoil } from './mutation.ts';

const driver = wais({ maxMessageBytes: 256 * 1024 });

/** @returns `ok`, or the code of the failure. @throws for any other failure, and when it takes too long. */
export async function retrieveSpoilt(path: string, replies: readonly Uint8Array[]): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the retrieval hangs')), 5000);
  });
  try {
    await Promise.race([retrieve(path, replies), late]);
    return 'ok';
  } catch (error) {
    if (error instanceof RetrievalError) return error.code;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function retrieve(path: string, replies: readonly Uint8Array[]): Promise<void> {
  const url = parse(`wais://fuzz.example${path}`) as WaisUrl;
  const retrieval = await driver.retrieve({ url }, memoryAccess(replies));
  if (retrieval.kind === 'listing') {
    for await (const entry of retrieval.entries) if (entry.url !== undefined) parse(entry.url);
    await retrieval.body.bytes();
  } else if ('body' in retrieval) await retrieval.body?.pipeTo(() => undefined);
}

async function main(seconds: number, seed: number): Promise<void> {
  const all = exchanges();
  const outcomes: Record<string, number> = {};
  const until = performance.now() + seconds * 1000;
  let executions = 0;
  let mostMemory = 0;
  for (; performance.now() < until; executions++) {
    const roll = dice(seed + executions * 7919 + 1);
    const { path, replies } = all[roll(all.length)]!;
    const spoilt = spoil(replies, roll);
    const outcome = await retrieveSpoilt(path, spoilt).catch((error: unknown) => {
      console.error(`seed ${seed}, execution ${executions}: ${path}`);
      throw error;
    });
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (executions % 1000 === 0) mostMemory = Math.max(mostMemory, process.memoryUsage().rss);
  }
  console.log({ executions, seconds, seed, outcomes, mostMemoryMiB: Math.round(mostMemory / 2 ** 20) });
}

if (import.meta.main) await main(Number(process.argv[2] ?? 60), Number(process.argv[3] ?? Date.now() % 1_000_000));
