#!/usr/bin/env node
/** The command `retriever`. */
import { run } from './run.ts';

const exitCode = await run(process.argv.slice(2));
// Interrupted, it ends at once, whatever a look-up or a goodbye still waits for.
if (exitCode === 130) process.exit(exitCode);
process.exitCode = exitCode;
