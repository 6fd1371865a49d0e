import { hostname } from 'node:os';
import { run } from './command.ts';
import { runLabel } from './servers.ts';

/** Names this run by host and process, so that a later run can tell whether its owner still lives. */
export function nameRun(): string {
  return `${hostname()}/${process.pid}`;
}

/** Removes every container of one run. */
export async function removeContainersOf(runName: string): Promise<void> {
  const ids = await run('docker', ['ps', '--all', '--quiet', '--filter', `label=${runLabel}=${runName}`]);
  await removeContainers(ids.split('\n').filter(Boolean));
}

/** Removes what runs on this host left behind when they were killed; a run that still lives keeps its servers. */
export async function sweepLeftovers(): Promise<void> {
  const format = `{{.ID}} {{.Label "${runLabel}"}}`;
  const lines = await run('docker', ['ps', '--all', '--filter', `label=${runLabel}`, '--format', format]);
  const dead = lines
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, owner = '']) => owner.startsWith(`${hostname()}/`) && !isAlive(Number(owner.split('/').at(-1))));
  await removeContainers(dead.map(([id = '']) => id));
}

async function removeContainers(ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await run('docker', ['rm', '--force', '--volumes', ...ids]);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
