import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { scriptedPeer } from '@retriever/driver/testing';
import { ftpPeer } from '../packages/ftp/testing/ftp-peer.ts';
import { ArdpServer } from '../packages/prospero/testing/ardp-server.ts';
import { service } from '../packages/prospero/testing/documents.ts';
import { udpPeer } from '../packages/prospero/testing/udp-peer.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
let folder: string;
let web: Server;
let origin: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'retriever-examples-'));
  await writeFile(join(folder, 'letter.txt'), 'Dear reader\n');
  web = createServer((_, response) => response.setHeader('content-type', 'text/plain').end('from the web\n'));
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
});

afterAll(async () => {
  web.close();
  await rm(folder, { recursive: true });
});

/** Runs an example as the comment at its top says. */
async function example(name: string, ...args: string[]): Promise<string> {
  const file = join(import.meta.dirname, name);
  const { stdout } = await run(process.execPath, ['--conditions=retriever-source', file, ...args], { timeout: 30_000 });
  return stdout;
}

describe('the examples', () => {
  test('script.ts prints what a URL holds', async () => {
    expect(await example('script.ts', `${origin}/`)).toBe('from the web\n\n');
  });

  test('to-a-file.ts writes the body to a file', async () => {
    const target = join(folder, 'copy');
    const url = pathToFileURL(join(folder, 'letter.txt')).href;
    expect(await example('to-a-file.ts', url, target)).toBe(`12 octets of text/plain in ${target}\n`);
    expect(await readFile(target, 'utf8')).toBe('Dear reader\n');
  });

  test('list-a-directory.ts lists a folder', async () => {
    const listed = await example('list-a-directory.ts', `${pathToFileURL(folder).href}/`);
    expect(listed).toMatch(/^file\t12\t\S+\t"letter.txt"$/m);
  });

  test('fill-in-a-form.ts shows a form and submits answers', async () => {
    await using peer = await scriptedPeer(async (connection) => {
      const line = await connection.line();
      if (!line.endsWith('\t1'))
        return connection.send('+-1\r\n+INFO: 0A\t/a\th\t70\t?\r\n+ASK:\r\n Ask: Name?\r\n Select: Sure?\r\n.\r\n');
      const answers: string[] = [];
      for (let next = ''; next !== '.'; answers.push(next)) next = await connection.line();
      return connection.send(`+-2\r\n${answers.join(' ')}`);
    });
    const item = `gopher://127.0.0.1:${peer.port}/0/a`;
    expect(await example('fill-in-a-form.ts', item)).toBe('Ask: Name?\nSelect: Sure?\n');
    expect(await example('fill-in-a-form.ts', item, 'Alice', 'yes')).toBe('+-1 Alice 1 .\n');
  });

  test('crawl-a-menu.ts visits what a menu links to', async () => {
    await using peer = await scriptedPeer(async (connection) => {
      const here = `127.0.0.1\t${connection.socket.localPort}`;
      const selector = await connection.line();
      if (selector === '')
        await connection.send(`iWelcome\t\t\t\r\n0About\t/about\t${here}\r\n0Gone\t/gone\t${here}\r\n.\r\n`);
      else if (selector === '/about') await connection.send('four\r\n.\r\n');
      else await connection.send(`3No such thing\t\terror.host\t1\r\n.\r\n`);
    });
    const base = `gopher://127.0.0.1:${peer.port}`;
    const lines = (await example('crawl-a-menu.ts', `${base}/`)).trim().split('\n');
    expect(lines.toSorted()).toEqual([`6 octets\t${base}/0/about`, `not-found\t${base}/0/gone`]);
  });

  test('archie-search.ts asks Archie and fetches from the first FTP server that has the file', async () => {
    await using ftp = await ftpPeer({ data: { 'RETR p.tar.Z': 'octets' } });
    const hit = (name: string): string[] => [
      `LINK  L EXTERNAL ${name} INTERNET-D 127.0.0.1(${ftp.port}) ASCII '/pub/${name}' 0`,
      "ATTRIBUTE CACHED FIELD ACCESS-METHOD AFTP '' '' '' '' BINARY",
      "ATTRIBUTE CACHED INTRINSIC SIZE SEQUENCE 6' bytes'",
    ];
    const answer = [...hit('gone.tar.Z'), ...hit('p.tar.Z')];
    const archie = service({ 'ARCHIE/MATCH(95,95,95,0,s)/tar.Z': { links: answer } });
    await using peer = await udpPeer(new ArdpServer(archie, { waitSeconds: 900, askLast: true, packetBytes: 100 }));
    const url = (name: string): string => `${ftp.url(`/pub/${name}`)};type=i`;
    expect(await example('archie-search.ts', `127.0.0.1:${peer.port}`, 'tar.Z')).toBe(
      `6\t"gone.tar.Z"\t${url('gone.tar.Z')}\n6\t"p.tar.Z"\t${url('p.tar.Z')}\n` +
        `not-found\t${url('gone.tar.Z')}\n6 octets from ${url('p.tar.Z')}\n`,
    );
  });

  test('add-a-scheme/main.ts speaks finger', async () => {
    await using peer = await scriptedPeer(async (connection) => {
      await connection.send(`${await connection.line()} is logged in\r\n`);
    });
    expect(await example('add-a-scheme/main.ts', `finger://127.0.0.1:${peer.port}/alice`)).toBe(
      'alice is logged in\r\n\n',
    );
  });
});
