/** An overview for servers that have none, made of the heads of the articles (RFC 3977 §6.2.2), pipelined. */
import { latin1Of, LineReader, RetrievalError, type BodySink } from '@retriever/driver';
import { groupSpan, isWithin } from './article-number.ts';
import type { Answer } from './connection.ts';
import { maxVainBytes } from './block.ts';
import { converse, groupStep, sequence } from './converse.ts';
import { readHead } from './head.ts';
import type { Job } from './job.ts';
import { overviewLine } from './overview.ts';
import { isMissing, refusal } from './response.ts';
import type { ArticleRange } from './wish.ts';

/** Commands sent ahead of their responses: enough to hide a long way, few enough for any server's buffers. */
const ahead = 32;

/** Pushes an overview line for each article of the range. */
export async function pumpHeads(job: Job, group: Uint8Array, range: ArticleRange, sink: BodySink): Promise<void> {
  const { connection } = job.lease.session;
  const window = job.settings.pipelining ? ahead : 1;
  const waiting: string[] = [];
  const numbers = (await articleNumbers(job, group, range))[Symbol.iterator]();
  const sendMore = (): void => {
    while (waiting.length < window) {
      const next = numbers.next();
      if (next.done) return;
      waiting.push(next.value);
      connection.send({ line: [`HEAD ${next.value}`], textAfter: 221 });
    }
  };
  for (;;) {
    if (waiting.length <= window / 2) connection.together(sendMore);
    const number = waiting.shift();
    if (number === undefined) return;
    const line = await overviewOf(job, number, await connection.response());
    if (line) await sink(line);
  }
}

/** Undefined for an article that is gone. */
async function overviewOf({ server, settings }: Job, number: string, answer: Answer): Promise<Uint8Array | undefined> {
  if (isMissing(answer)) return undefined;
  if (!answer.block) throw refusal(`HEAD ${number} at ${server.host}`, answer);
  const { fields } = await readHead(answer.block, settings.maxHeaderBytes);
  await answer.block.skip(maxVainBytes);
  return overviewLine(number, fields);
}

/** The numbers in use, by LISTGROUP (RFC 3977 §6.1.2); where the server has none, every number between the group's marks. */
async function articleNumbers(job: Job, group: Uint8Array, range: ArticleRange): Promise<Iterable<string>> {
  const listed = await converse(job, () => sequence(job, [{ line: ['LISTGROUP ', group], textAfter: 211 }]));
  if (listed.block) return readNumbers(job, listed.block, range);
  const selected = await converse(job, () => sequence(job, [groupStep(job.lease.session, group)]));
  const span = groupSpan(selected.words);
  if (!span) throw refusal(`GROUP at ${job.server.host}`, selected);
  const low = span.low > BigInt(range.low) ? span.low : BigInt(range.low);
  const high = range.high === undefined || span.high < BigInt(range.high) ? span.high : BigInt(range.high);
  if (high - low >= BigInt(job.settings.maxEntries)) throw tooMany(job);
  return numbersBetween(low, high);
}

function* numbersBetween(low: bigint, high: bigint): Generator<string> {
  for (let number = low; number <= high; number += 1n) yield `${number}`;
}

async function readNumbers(
  job: Job,
  block: NonNullable<Answer['block']>,
  range: ArticleRange,
): Promise<readonly string[]> {
  const numbers: string[] = [];
  const lines = new LineReader(block, { maxLineBytes: job.settings.maxLineBytes });
  for (let line = await lines.line(); line; line = await lines.line()) {
    const number = latin1Of(line).trim();
    if (!/^\d{1,20}$/.test(number) || !isWithin(BigInt(number), range)) continue;
    numbers.push(number);
    if (numbers.length > job.settings.maxEntries) throw tooMany(job);
  }
  return numbers;
}

function tooMany({ settings }: Job): RetrievalError {
  return new RetrievalError('limit', `the group has more than ${settings.maxEntries} articles`);
}
