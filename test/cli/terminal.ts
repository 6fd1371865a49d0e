/** The command on a terminal of its own (util-linux's `script`), to type to and to look at step by step. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));

export interface Terminal extends AsyncDisposable {
  /** All that was shown so far. */
  readonly shown: string;
  /** Whether the command still runs. */
  readonly running: boolean;
  type(text: string): void;
  /** Waits until this was shown since the last wait. @throws after ten seconds. */
  sees(expected: string | RegExp): Promise<void>;
  /** Sends the command a signal. */
  kill(signal: NodeJS.Signals): void;
  /** Gives the window another size. */
  resize(columns: number, rows: number): void;
  /** Resolves when the shell around the command has ended. */
  ended(): Promise<void>;
}

/** Runs the command between two looks at the terminal's settings; {@link settingsOf} has them. */
export function terminal(args: readonly string[], env: Readonly<Record<string, string>> = {}): Terminal {
  const words = [process.execPath, '--conditions=retriever-source', main, ...args];
  const run = words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  const line = [
    'stty cols 100 rows 30',
    'echo "tty: $(tty)"',
    'echo "before: $(stty -g)"',
    `(echo "pid: $(exec sh -c 'echo $PPID')"; exec ${run})`,
    'code=$?; echo; echo "after $code: $(stty -g)"',
  ].join('; ');
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    env: { ...process.env, TERM: 'vt100', TZ: 'UTC', SHELL: '/bin/sh', ...env },
  });
  return new ScriptedTerminal(child);
}

class ScriptedTerminal implements Terminal {
  shown = '';
  readonly #child: ChildProcess;
  readonly #end: Promise<void>;
  #seen = 0;
  #news: () => void = () => undefined;

  constructor(child: ChildProcess) {
    this.#child = child;
    this.#end = new Promise((resolve) => child.on('close', () => resolve()));
    child.stdout!.on('data', (chunk: Buffer) => {
      this.shown += chunk.toString('latin1');
      this.#news();
    });
    child.stdin!.on('error', () => undefined);
  }

  type(text: string): void {
    this.#child.stdin!.write(text, 'latin1');
  }

  async sees(expected: string | RegExp): Promise<void> {
    const deadline = Date.now() + 10_000;
    for (;;) {
      const rest = this.shown.slice(this.#seen);
      const at = typeof expected === 'string' ? rest.indexOf(expected) : rest.search(expected);
      if (at >= 0) {
        this.#seen += at + (typeof expected === 'string' ? expected.length : 1);
        return;
      }
      if (Date.now() > deadline) throw new Error(`${String(expected)} was not shown, but ${JSON.stringify(rest)}`);
      await new Promise<void>((resolve) => {
        this.#news = resolve;
        setTimeout(resolve, 100);
      });
    }
  }

  get running(): boolean {
    try {
      return process.kill(Number(this.#told('pid')), 0);
    } catch {
      return false;
    }
  }

  kill(signal: NodeJS.Signals): void {
    process.kill(Number(this.#told('pid')), signal);
  }

  resize(columns: number, rows: number): void {
    execFileSync('stty', ['-F', this.#told('tty'), 'cols', String(columns), 'rows', String(rows)]);
  }

  #told(what: string): string {
    const told = new RegExp(`^${what}: (\\S+)`, 'm').exec(this.shown)?.[1];
    if (told === undefined) throw new Error(`the ${what} is not told yet`);
    return told;
  }

  async ended(): Promise<void> {
    await this.#end;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#end;
  }
}

/** The terminal's settings before and after the command ran, and its exit code. */
export function settingsOf({ shown }: Terminal): { before: string; after: string; code: number } {
  const before = /^before: (\S+)/m.exec(shown)?.[1] ?? 'none';
  const [, code, after] = /^after (\d+): (\S+)/m.exec(shown) ?? [];
  return { before, after: after ?? '', code: Number(code) };
}
