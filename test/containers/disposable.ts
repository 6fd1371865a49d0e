import { inject } from 'vitest';
import { run } from './command.ts';
import type { RunningServer } from './provided.ts';
import { type ServerName, startServer } from './servers.ts';

/** A server of one test's own, which the test may kill. */
export interface DisposableServer extends RunningServer {
  /** Ends every process of the container at once, in the middle of whatever it sends, and removes the container. */
  kill(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts one more container beside the shared ones, in about half a second.
 *
 *     await using server = await startDisposable('vsftpd');
 *     …
 *     await server.kill();
 */
export async function startDisposable(name: ServerName): Promise<DisposableServer> {
  const server = await startServer(name, inject('images'), inject('run'));
  let removal: Promise<unknown> | undefined;
  const kill = async (): Promise<void> => {
    removal ??= run('docker', ['rm', '--force', '--volumes', server.id]);
    await removal;
  };
  return { ...server, kill, [Symbol.asyncDispose]: kill };
}
