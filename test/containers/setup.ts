import type { TestProject } from 'vitest/node';
import { ensureBrowser } from './browser.ts';
import { step } from './command.ts';
import { ensureEngine } from './engine.ts';
import { ensureImages } from './images.ts';
import { nameRun, removeContainersOf, sweepLeftovers } from './leftovers.ts';
import type { FtpServer, FtpServerName, RunningServer } from './provided.ts';
import { readContainerFile, type ServerName, startServer } from './servers.ts';

/**
 * Vitest's global set-up of the integration tests: an engine, the images, one container of every server. Tests take the
 * addresses from `inject('ftp')`, `inject('gopher')` and `inject('web')`.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const runName = nameRun();
  await ensureEngine();
  await sweepLeftovers();
  try {
    const [images] = await Promise.all([ensureImages(), ensureBrowser()]);
    project.provide('images', images);
    project.provide('run', runName);
    await step('start the servers', () => provideServers(project, (name) => startServer(name, images, runName)));
  } catch (error) {
    await removeContainersOf(runName);
    throw error;
  }
  return () => removeContainersOf(runName);
}

async function provideServers(
  project: TestProject,
  start: (name: ServerName) => Promise<RunningServer>,
): Promise<void> {
  const [vsftpd, proftpd, pureftpd, inetutils, netkit, gopher, web, telnet, news] = await settleAll([
    start('vsftpd'),
    start('proftpd'),
    start('pureftpd'),
    start('inetutils'),
    start('netkit'),
    start('gopher'),
    start('web'),
    start('telnet'),
    start('news'),
  ] as const);
  // One authority is part of the base image and signed them all.
  const ca = await readContainerFile(web.id, '/etc/fixture-tls/ca.pem');
  const full = { port: 21, tlsPort: 990, limitsPort: 2121, singlePort: 2122, ca };
  const servers: Record<FtpServerName, FtpServer> = {
    vsftpd: { ...vsftpd, ...full },
    proftpd: { ...proftpd, ...full },
    pureftpd: { ...pureftpd, port: 21, limitsPort: 2121, ca },
    inetutils: { ...inetutils, port: 21, ca },
    netkit: { ...netkit, port: 21, ca },
  };
  project.provide('ftp', servers);
  project.provide('gopher', { pygopherd: { ...gopher, port: 70 }, gophernicus: { ...gopher, port: 7070 } });
  project.provide('news', {
    inn: { ...news, port: 119, tlsPort: 563, loginPort: 1119, transitPort: 1190, ca },
    sn: { ...news, port: 2119 },
  });
  project.provide('telnet', { inetutils: { ...telnet, port: 23 }, netkit: { ...telnet, port: 2323 } });
  project.provide('web', {
    ...web,
    port: 80,
    tlsPort: 443,
    expiredPort: 8443,
    selfSignedPort: 8444,
    wrongHostPort: 8445,
    ca,
  });
}

/** Like Promise.all, but waits for the slow ones too, so that none is still starting when a failure is cleaned up. */
async function settleAll<T extends readonly unknown[]>(work: {
  readonly [K in keyof T]: Promise<T[K]>;
}): Promise<{ -readonly [K in keyof T]: T[K] }> {
  await Promise.allSettled(work);
  return (await Promise.all(work)) as { -readonly [K in keyof T]: T[K] };
}
