import { GenericContainer } from 'testcontainers';
import { run } from './command.ts';
import type { ImageName } from './images.ts';
import { type Probe, waitForAnswer } from './probe.ts';
import type { FtpServerName, RunningServer } from './provided.ts';

// Its helper image comes from a registry, which a bare machine has not; setup.ts removes what it started.
process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true';

export type ServerName = FtpServerName | 'gopher' | 'web' | 'telnet' | 'news';

/** The label every container of ours carries; its value names the run that owns it. */
export const runLabel = 'retriever.test.run';

interface ServerKind {
  readonly image: ImageName;
  readonly command?: string;
  readonly capabilities?: readonly string[];
  readonly probes: readonly Probe[];
}

const greeting = /^220[ -]/;
const ftp = (port: number): Probe => ({ port, expect: greeting });
const ftps = (port: number): Probe => ({ port, tls: true, expect: greeting });
const get = (port: number, tls = false): Probe => ({
  port,
  tls,
  send: 'GET /text.txt HTTP/1.1\r\nHost: fixture.test\r\nConnection: close\r\n\r\n',
  expect: /^HTTP\/1\.1 200 /,
});

const kinds: Record<ServerName, ServerKind> = {
  vsftpd: { image: 'ftp', command: 'vsftpd', probes: [ftp(21), ftps(990), ftp(2121), ftp(2122)] },
  proftpd: { image: 'ftp', command: 'proftpd', probes: [ftp(21), ftps(990), ftp(2121), ftp(2122)] },
  // dies without a word (exit 252) when it lacks these two
  pureftpd: {
    image: 'ftp',
    command: 'pureftpd',
    capabilities: ['SYS_NICE', 'DAC_READ_SEARCH'],
    probes: [ftp(21), ftp(2121)],
  },
  inetutils: { image: 'ftp', command: 'inetutils', probes: [ftp(21)] },
  netkit: { image: 'ftp', command: 'netkit', probes: [ftp(21)] },
  gopher: {
    image: 'gopher',
    probes: [70, 7070].map((port) => ({ port, send: '\r\n', expect: /Welcome to the fixture/ })),
  },
  web: { image: 'web', probes: [get(80), ...[443, 8443, 8444, 8445].map((port) => get(port, true))] },
  // WILL AUTH from inetutils, DO NEW-ENVIRON from netkit
  news: {
    image: 'news',
    probes: [119, 563, 1119, 1190, 2119].map((port) => ({ port, tls: port === 563, expect: /^20[01] / })),
  },
  telnet: {
    image: 'telnet',
    probes: [
      { port: 23, expect: /^\xff\xfb%/ },
      { port: 2323, expect: /^\xff\xfd'/ },
      { port: 992, tls: true, expect: /^\xff\xfd'/ },
    ],
  },
};

/** Starts one container and waits until every one of its servers answers. */
export async function startServer(
  name: ServerName,
  images: Record<ImageName, string>,
  runName: string,
): Promise<RunningServer> {
  const { image, command, capabilities = [], probes } = kinds[name];
  const container = new GenericContainer(images[image])
    .withLabels({ [runLabel]: runName })
    .withAddedCapabilities(...capabilities);
  if (command !== undefined) container.withCommand([command]);
  const started = await container.start();
  const id = started.getId();
  const host = started.getIpAddress('bridge');
  try {
    await Promise.all(probes.map((probe) => waitForAnswer(host, probe)));
  } catch (cause) {
    const logs = await run('docker', ['logs', '--tail', '20', id]).catch(String);
    throw new Error(`${name} does not answer: ${String(cause)}\nIts log ends:\n${logs}`, { cause });
  }
  return { id, host };
}

/** Reads a file of a running container. */
export async function readContainerFile(id: string, path: string): Promise<string> {
  return await run('docker', ['exec', id, 'cat', path]);
}
