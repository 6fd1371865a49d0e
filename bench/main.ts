/**
 * Compares the command `retriever` with curl, wget and lftp in the same run, against real servers on loopback.
 *
 *     pnpm bench [--runs 5] [big] [small] [gopher] [parse] [start]
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { manyFiles, manyToStdout, oneFile, version } from './jobs.ts';
import { compare, installed, type Command } from './measure.ts';
import { benchParsing } from './parse-rate.ts';
import { printFigures } from './report.ts';
import { startServers } from './servers.ts';

const gibibyte = 2 ** 30;
const smallFiles = 500;
const menus = 500;

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '5' } },
  allowPositionals: true,
});
const runs = Number(values.runs);
const wanted = (section: string): boolean => positionals.length === 0 || positionals.includes(section);

console.log(
  `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} processors; node ${process.version}; medians of ${runs}`,
);
if (!installed('/usr/bin/time')) throw new Error('GNU time measures the commands and is missing: apt-get install time');
// tmpfs where there is one: the disk is not what is compared.
const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'retriever-bench-'));
try {
  await benchCommands();
} finally {
  await rm(folder, { recursive: true });
}
if (wanted('parse')) benchParsing(runs);

async function benchCommands(): Promise<void> {
  if (wanted('start')) await section('start-up: --version', version(), (wall) => `${(wall * 1000).toFixed(0)} ms`);
  if (!['big', 'small', 'gopher'].some(wanted)) return;
  await using servers = await startServers();
  if (wanted('big')) {
    const rate = (wall: number): string => `${(gibibyte / 1e6 / wall).toFixed(0)} MB/s`;
    await section('1 GiB by ftp to a file', oneFile(`${servers.ftp}/sparse-1g.bin`, join(folder, 'big')), rate);
    await section('1 GiB by http to a file', oneFile(`${servers.http}/sparse-1g.bin`, join(folder, 'big')), rate);
    await rm(join(folder, 'big'));
  }
  if (wanted('small')) {
    const urls = numbered(smallFiles, (n) => `${servers.ftp}/big/entry-${n}.txt`);
    await section(
      `${smallFiles} small files of one directory by ftp`,
      manyFiles(urls, folder),
      rateOf(smallFiles, 'files'),
    );
  }
  if (wanted('gopher')) {
    const urls = numbered(menus, () => `${servers.gopher}/1/`);
    await section(`${menus} gopher menus, one after another`, manyToStdout(urls), rateOf(menus, 'menus'));
  }
}

async function section(title: string, commands: readonly Command[], work: (wall: number) => string): Promise<void> {
  const present = commands.filter(({ file }) => installed(file));
  for (const { program } of commands.filter((command) => !present.includes(command))) {
    console.log(`\n${program} is not installed and left out`);
  }
  printFigures(title, await compare(present, runs), 'curl', work);
}

function numbered(count: number, url: (number: string) => string): string[] {
  return Array.from({ length: count }, (_, index) => url(String(index + 1).padStart(5, '0')));
}

function rateOf(count: number, what: string): (wall: number) => string {
  return (wall) => `${(count / wall).toFixed(0)} ${what}/s`;
}
