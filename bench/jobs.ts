/** The jobs, and how each program is told to do them. A program that cannot do a job has no line. */
import { join } from 'node:path';
import type { Command } from './measure.ts';

/** The command as a user has it: built, run by node. `pnpm bench` builds first. */
const retriever = [process.execPath, join(import.meta.dirname, '../packages/cli/dist/main.js')] as const;

type Program = 'retriever' | 'retriever -Z' | 'curl' | 'curl -Z' | 'wget' | 'lftp';

type Lines = Readonly<Partial<Record<Program, readonly string[]>>>;

/** As many at once as the client's pool has sessions with one host. */
const atOnce = ['-Z', '--parallel-max', '6'] as const;

function commands(lines: Lines): Command[] {
  return Object.entries(lines).map(([program, [file = program, ...args]]) => ({ program, file, args }));
}

/** One object to a file. */
export function oneFile(url: string, target: string): Command[] {
  return commands({
    retriever: [...retriever, '-s', '-o', target, url],
    curl: ['curl', '-s', '-o', target, url],
    wget: ['wget', '-q', '-O', target, url],
    lftp: ['lftp', '-c', `set xfer:clobber yes; get1 -o ${target} ${url}`],
  });
}

/** All URLs, one directory of one server, each to a file named after it, over one client; one after another, and six at once. */
export function manyFiles(urls: readonly string[], folder: string): Command[] {
  const names = urls.map((url) => url.slice(url.lastIndexOf('/') + 1));
  const directory = urls[0]!.slice(0, urls[0]!.lastIndexOf('/'));
  return commands({
    retriever: [...retriever, '-s', '--output-dir', folder, '--remote-name-all', ...urls],
    'retriever -Z': [...retriever, '-s', ...atOnce, '--output-dir', folder, '--remote-name-all', ...urls],
    curl: ['curl', '-s', '--output-dir', folder, '--remote-name-all', ...urls],
    'curl -Z': ['curl', '-s', ...atOnce, '--output-dir', folder, '--remote-name-all', ...urls],
    // wget numbers files that exist, or lists the directory for each of them (-N): all into one is the nearest to the job.
    wget: ['wget', '-q', '-O', join(folder, 'all'), ...urls],
    lftp: ['lftp', '-c', `set xfer:clobber yes; open ${directory}; lcd ${folder}; mget ${names.join(' ')}`],
  });
}

/** All URLs to standard output, one after another. */
export function manyToStdout(urls: readonly string[]): Command[] {
  return commands({ retriever: [...retriever, '-s', ...urls], curl: ['curl', '-s', ...urls] });
}

/** Nothing but starting. */
export function version(): Command[] {
  return commands({
    retriever: [...retriever, '--version'],
    curl: ['curl', '--version'],
    wget: ['wget', '--version'],
    lftp: ['lftp', '--version'],
  });
}
