/** Runs whole commands under GNU time and keeps the medians. */
import { execFile, spawnSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Command {
  readonly program: string;
  readonly file: string;
  readonly args: readonly string[];
}

/** Medians over the counted runs. */
export interface Figures {
  readonly program: string;
  /** Seconds. */
  readonly wall: number;
  /** Seconds of user and system time. */
  readonly cpu: number;
  /** Octets. */
  readonly peakRss: number;
}

/** Whether a program can be found. */
export function installed(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

/**
 * Times commands that do the same job, taking turns so that a busy machine is busy for all of them. The first round warms up.
 *
 * @param runs Counted rounds.
 * @throws Error with the command's own words when one fails: a failed run has no figure.
 */
export async function compare(commands: readonly Command[], runs: number): Promise<Figures[]> {
  const samples = new Map(commands.map((command) => [command, [] as Omit<Figures, 'program'>[]]));
  for (let round = 0; round <= runs; round += 1) {
    for (const command of commands) {
      const sample = await timed(command);
      if (round > 0) samples.get(command)!.push(sample);
    }
  }
  return [...samples].map(([{ program }, all]) => ({
    program,
    wall: median(all.map(({ wall }) => wall)),
    cpu: median(all.map(({ cpu }) => cpu)),
    peakRss: median(all.map(({ peakRss }) => peakRss)),
  }));
}

async function timed({ file, args }: Command): Promise<Omit<Figures, 'program'>> {
  const report = join(tmpdir(), `retriever-bench-${process.pid}`);
  const started = process.hrtime.bigint();
  await run('/usr/bin/time', ['-o', report, '-f', '%U %S %M', file, ...args], { maxBuffer: 64 * 1024 * 1024 });
  const wall = Number(process.hrtime.bigint() - started) / 1e9;
  const [user = 0, system = 0, kilobytes = 0] = (await readFile(report, 'utf8')).split(' ').map(Number);
  await rm(report);
  return { wall, cpu: user + system, peakRss: kilobytes * 1024 };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
