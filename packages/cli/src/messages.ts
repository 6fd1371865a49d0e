/** What the command tells its user: on stderr, harmless to a terminal, out of the progress meter's way. */
import { openSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { Failure } from './failure.ts';
import { lineForTerminal } from './terminal-text.ts';

export class Messages {
  readonly isTerminal: boolean;
  readonly #fd: number;
  /** Clears what the meter drew before a message takes its line. */
  #beforeLine: () => void = () => undefined;

  /** @param target - `--stderr`: a file, or `-` for stdout. */
  constructor(target?: string) {
    this.#fd = target === undefined ? 2 : target === '-' ? 1 : opened(target);
    this.isTerminal = isatty(this.#fd);
  }

  get columns(): number {
    return (this.isTerminal && process.stderr.columns) || 80;
  }

  beforeLine(clear: () => void): void {
    this.#beforeLine = clear;
  }

  /** One line, whatever a server put into it. */
  line(text: string): void {
    this.text(`${lineForTerminal(text)}\n`);
  }

  /** Text that is harmless already. */
  text(text: string): void {
    this.makeRoom();
    this.raw(text);
  }

  /** Clears the line where the meter is: something else is about to be written there. */
  makeRoom(): void {
    this.#beforeLine();
  }

  error(exitCode: number, text: string): void {
    this.line(`retriever: (${exitCode}) ${text}`);
  }

  /** As it is: the caller answers for it. */
  raw(text: string): void {
    try {
      writeSync(this.#fd, text);
    } catch {
      // Nobody can be told that nobody can be told.
    }
  }
}

function opened(name: string): number {
  try {
    return openSync(name, 'w');
  } catch (error) {
    throw new Failure(23, `cannot open ${name} for messages: ${(error as Error).message}`, error);
  }
}
