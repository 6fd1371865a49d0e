/** The command's stdout: octets as they are, unless a terminal would have to bear them. */
import { fstatSync, write, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { BrokenPipe, Failure } from './failure.ts';
import type { Outlet } from './in-order.ts';
import { TerminalTextDecoder, textForTerminal } from './terminal-text.ts';

/** curl looks no further for a NUL, and neither do we. */
const examinedOctets = 2000;

/** Text and bodies on their way to stdout, or to a lane of it. */
export class StandardOutput {
  readonly isTerminal: boolean;
  readonly #outlet: Outlet;

  constructor(outlet: Outlet = new Descriptor(1)) {
    this.#outlet = outlet;
    this.isTerminal = outlet.isTerminal;
  }

  /** The terminal's width; undefined where there is none. */
  get columns(): number | undefined {
    return this.isTerminal ? process.stdout.columns : undefined;
  }

  /** Writes octets as they are. @throws Failure 23 */
  write(octets: Uint8Array | string): void | Promise<void> {
    return this.#outlet.write(typeof octets === 'string' ? Buffer.from(octets) : octets);
  }

  /** Writes text that may hold a server's words: harmless where a terminal bears it. */
  writeText(text: string): void | Promise<void> {
    return this.write(this.isTerminal ? textForTerminal(text) : text);
  }

  /**
   * A sink for one body. On a terminal, text is made harmless and anything else refused.
   *
   * @param asIs - The user said `-o -`: everything goes out as it is.
   */
  bodySink(asIs: boolean): { write(chunk: Uint8Array): void | Promise<void>; end(): void | Promise<void> } {
    if (!this.isTerminal || asIs) return { write: (chunk) => this.write(chunk), end: () => undefined };
    const decoder = new TerminalTextDecoder();
    let examined = 0;
    return {
      write: (chunk) => {
        if (examined < examinedOctets && chunk.subarray(0, examinedOctets - examined).includes(0))
          throw binaryRefused();
        examined += chunk.length;
        return this.write(decoder.decode(chunk));
      },
      end: () => this.write(decoder.end()),
    };
  }
}

let waitingWrites = 0;

/** Whether a pipe whose reader does nothing holds a write. Nobody can take it back, and Node's own exit waits for it. */
export function isStuck(): boolean {
  return waitingWrites > 0;
}

/** A file descriptor as an outlet. */
export class Descriptor implements Outlet {
  readonly isTerminal: boolean;
  /** Writing to a file never waits for anybody; into a pipe or a terminal it may, and time-outs and Ctrl-C must work then. */
  readonly #mayBlock: boolean;
  readonly #fd: number;

  constructor(fd: number) {
    this.#fd = fd;
    this.isTerminal = isatty(fd);
    this.#mayBlock = !fstatSync(fd).isFile();
  }

  write(chunk: Uint8Array): void | Promise<void> {
    return this.#mayBlock ? this.#writeWaiting(chunk) : this.#writeAtOnce(chunk);
  }

  #writeAtOnce(chunk: Uint8Array): void {
    try {
      for (let at = 0; at < chunk.length;) at += writeSync(this.#fd, chunk, at);
    } catch (error) {
      throw writeFailure(error);
    }
  }

  async #writeWaiting(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length;) {
      waitingWrites += 1;
      const { error, count } = await new Promise<{ error: NodeJS.ErrnoException | null; count: number }>((resolve) =>
        write(this.#fd, chunk, at, chunk.length - at, null, (error, count) => resolve({ error, count })),
      );
      waitingWrites -= 1;
      // Somebody we share the pipe with made it non-blocking.
      if (error?.code === 'EAGAIN') await new Promise((resolve) => setTimeout(resolve, 5));
      else if (error) throw writeFailure(error);
      else at += count;
    }
  }
}

function writeFailure(error: unknown): Failure {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'EPIPE' || code === 'ECONNRESET'
    ? new BrokenPipe(error)
    : new Failure(23, `cannot write the output: ${message}`, error);
}

function binaryRefused(): Failure {
  return new Failure(
    23,
    'binary output can mess up your terminal; use -O or -o FILE to save it, or -o - to print it all the same',
  );
}
