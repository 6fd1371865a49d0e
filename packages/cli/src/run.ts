/** One run of the command, from its arguments to its exit code. */
import { writeSync } from 'node:fs';
import { readCommandLine, type Command } from './command-line.ts';
import { BrokenPipe, Failure, UsageError } from './failure.ts';
import { Messages } from './messages.ts';
import type { Settings } from './settings.ts';

/** What a command needs besides its settings. */
export type Run = (settings: Settings, messages: Messages, signal: AbortSignal) => number | Promise<number>;

/** Loaded when called for: nobody waits for the code of another command. */
const loaders: Readonly<Record<Exclude<Command, 'help'>, () => Promise<Run>>> = {
  get: async () => (await import('./get.ts')).get,
  ls: async () => (await import('./ls.ts')).ls,
  parse: async () => (await import('./parse.ts')).parseUrls,
  extract: async () => (await import('./extract.ts')).extractUrls,
  demo: async () => (await import('./demo/demo.ts')).demo,
};

/**
 * Runs the command with these arguments.
 *
 * @returns The exit code.
 * @example
 * process.exitCode = await run(['--version']);
 */
export async function run(args: readonly string[]): Promise<number> {
  let messages = new Messages();
  try {
    const { command, settings } = readCommandLine(args);
    if (settings.help || command === 'help')
      return print((await import('./help.ts')).helpText(Math.min(process.stdout.columns || 80, 120)));
    if (settings.version) return print((await import('./version.ts')).versionText());
    if (settings.stderr !== undefined) messages = new Messages(settings.stderr);
    const start = await loaders[command]();
    return await start(settings, messages, interruption());
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (!(error instanceof BrokenPipe)) messages.error(error.exitCode, error.message);
    if (error instanceof UsageError) messages.line("retriever: 'retriever --help' tells more");
    return error.exitCode;
  }
}

/** Aborted by the first Ctrl-C; the second one ends the process whatever it does. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}

function print(text: string): number {
  try {
    writeSync(1, text);
    return 0;
  } catch {
    return 23;
  }
}
