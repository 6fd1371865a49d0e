/** What a service is told of the terminal: its kind and its size. */

import type { WriteStream } from 'node:tty';

interface TerminalOptions {
  readonly terminalType: string;
  readonly windowSize: { readonly columns: number; readonly rows: number };
}

/** Output that goes into a file or a pipe is read by no terminal: `dumb` has no control sequences. */
export function terminalOptions(): TerminalOptions {
  // Its type says that it always is a terminal.
  const { isTTY = false, columns = 80, rows = 24 } = process.stdout as Partial<WriteStream>;
  const { TERM = '' } = process.env;
  const terminalType = isTTY && /^[\x21-\x7e]{1,40}$/.test(TERM) ? TERM : 'dumb';
  return { terminalType, windowSize: { columns, rows } };
}
