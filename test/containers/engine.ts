import { spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { canInstallPackages, installPackages, step, succeeds } from './command.ts';

const log = join(tmpdir(), 'retriever-dockerd.log');

/** Milliseconds a daemon may take to come up. */
const patience = 60_000;

/** Makes sure that a Docker engine answers: the one that runs, else one installed and started here. */
export async function ensureEngine(): Promise<void> {
  if (await engineAnswers()) return;
  if (process.platform !== 'linux' || !(await canInstallPackages())) {
    throw new Error(
      'The integration tests need a Docker engine and none answers `docker version`. Start one (on Debian: ' +
        '`sudo apt-get install docker.io iptables && sudo dockerd`), or run the tests as root on Debian, where they ' +
        'do so themselves. The tests without containers are `vitest run --project unit`.',
    );
  }
  // A docker client alone is no engine: it is the daemon that we look for.
  if (!(await succeeds('dockerd', ['--version'])) || !(await succeeds('iptables', ['--version']))) {
    await installPackages('docker.io', 'iptables');
  }
  await step(`start dockerd (log: ${log})`, startDaemon);
}

async function engineAnswers(): Promise<boolean> {
  // `docker info` of some clients succeeds without a daemon; asking for the daemon's version never does.
  return await succeeds('docker', ['version', '--format', '{{.Server.Version}}']);
}

/** Detached, so that it outlives this run and the next one finds it. */
async function startDaemon(): Promise<void> {
  const output = openSync(log, 'a');
  spawn('dockerd', [], { detached: true, stdio: ['ignore', output, output] }).unref();
  const deadline = Date.now() + patience;
  while (!(await engineAnswers())) {
    if (Date.now() > deadline) {
      const last = readFileSync(log, 'utf8').trim().split('\n').slice(-15).join('\n');
      throw new Error(`dockerd did not come up within ${patience / 1000} s. The end of ${log}:\n${last}`);
    }
    await sleep(200);
  }
}
