/** Runs the command as its users do: a process with pipes for stdout and stderr, or a terminal. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterTests } from './cleanup.ts';

const main = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));
const node = [process.execPath, '--conditions=retriever-source', main] as const;

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  /** stdout, one character an octet. */
  readonly octets: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly stdin?: string;
  /** Typed as soon as the output has the first text. */
  readonly answer?: readonly [prompt: string, text: string];
  /** Called with the process as soon as it runs. */
  readonly started?: (child: ChildProcess) => void;
}

export function retriever(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return finished(node[0], [...node.slice(1), ...args], options);
}

/** The same with a stdout that takes nothing. */
export function toFullDisk(args: readonly string[]): Promise<Ran> {
  return finished('sh', ['-c', 'exec "$@" >/dev/full', 'sh', ...node, ...args], {});
}

/** The same on a terminal of its own (util-linux's `script`): stdin, stdout and stderr are all that terminal. */
export function onTerminal(args: readonly string[], options: Pick<RunOptions, 'cwd' | 'answer'> = {}): Promise<Ran> {
  const line = [...node, ...args].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  const command = `stty cols 60 rows 24; ${line}`;
  return finished('script', ['--quiet', '--return', '--command', command, '/dev/null'], options);
}

function finished(program: string, args: readonly string[], { cwd, stdin, answer, started }: RunOptions): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, TZ: 'UTC' } });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      const whole = Buffer.concat(out);
      resolve({
        code,
        stdout: whole.toString(),
        octets: whole.toString('latin1'),
        stderr: Buffer.concat(err).toString(),
      });
    });
    child.stdin.on('error', () => undefined);
    if (answer) {
      child.stdout.on('data', () => {
        if (Buffer.concat(out).includes(answer[0]) && !child.stdin.writableEnded) child.stdin.end(answer[1]);
      });
    } else child.stdin.end(stdin ?? '');
    started?.(child);
  });
}

/** A directory that is gone when the tests are over. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'retriever-cli-'));
  afterTests(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
