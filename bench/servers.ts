/** The reference servers of `docker/`, this time on the loopback interface itself: no bridge is measured. */
import { setTimeout as sleep } from 'node:timers/promises';
import { run, succeeds } from '../test/containers/command.ts';
import { ensureEngine } from '../test/containers/engine.ts';
import { ensureImages } from '../test/containers/images.ts';

export interface BenchServers extends AsyncDisposable {
  readonly ftp: string;
  readonly http: string;
  readonly gopher: string;
}

/** Starts vsftpd, nginx and gophernicus on their own ports of 127.0.0.1. @throws Error when a port is taken. */
export async function startServers(): Promise<BenchServers> {
  await ensureEngine();
  const images = await ensureImages();
  const start = async (...args: string[]): Promise<string> =>
    (await run('docker', ['run', '--detach', '--rm', '--network=host', ...args])).trim();
  const containers = [await start(images.ftp, 'vsftpd'), await start(images.web), await start(images.gopher)];
  const servers = {
    ftp: 'ftp://127.0.0.1',
    http: 'http://127.0.0.1',
    gopher: 'gopher://127.0.0.1:7070',
    async [Symbol.asyncDispose]() {
      await run('docker', ['kill', ...containers]);
    },
  };
  try {
    await Promise.all([`${servers.ftp}/text.txt`, `${servers.http}/text.txt`, `${servers.gopher}/1/`].map(answered));
  } catch (error) {
    await servers[Symbol.asyncDispose]();
    throw error;
  }
  return servers;
}

async function answered(url: string): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    if (await succeeds('curl', ['--silent', '--fail', '--max-time', '5', '--output', '/dev/null', url])) return;
    await sleep(200);
  }
  throw new Error(`nothing answers at ${url}: is its port taken by something else?`);
}
