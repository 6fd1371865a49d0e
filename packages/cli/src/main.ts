#!/usr/bin/env node
/** The command `retriever`. */
import { isatty } from 'node:tty';
import { run } from './run.ts';
import { isStuck } from './standard-output.ts';

const exitCode = await run(process.argv.slice(2));
// Interrupted, it ends at once, whatever a look-up or a goodbye still waits for.
if (exitCode === 130) {
  // Node's exit waits for a write into a pipe that nobody reads; the signal itself does not.
  if (isStuck() && !isatty(1)) {
    process.removeAllListeners('SIGINT');
    process.kill(process.pid, 'SIGINT');
  } else process.exit(exitCode);
}
process.exitCode = exitCode;
