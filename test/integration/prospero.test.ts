/** Prospero URLs through the whole client and the command, to servers of our own: what they lead to is retrieved. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { scriptedPeer } from '@retriever/driver/testing';
import { archieUrl } from '@retriever/prospero';
import { createFetch } from 'retriever';
import { describe, expect, test } from 'vitest';
import { ftpPeer } from '../../packages/ftp/testing/ftp-peer.ts';
import { ArdpServer } from '../../packages/prospero/testing/ardp-server.ts';
import { service, type Documents } from '../../packages/prospero/testing/documents.ts';
import { replay } from '../../packages/prospero/testing/replay.ts';
import { udpPeer } from '../../packages/prospero/testing/udp-peer.ts';
import { serving } from '../../packages/wais/testing/library-server.ts';

const execute = promisify(execFile);

async function command(...args: string[]): Promise<string> {
  const main = join(import.meta.dirname, '../../packages/cli/src/main.ts');
  const { stdout } = await execute(process.execPath, ['--conditions=retriever-source', main, ...args], {
    timeout: 30_000,
  });
  return stdout;
}

function file(...methods: readonly string[]): Documents {
  return { x: { attributes: methods.map((method) => `INTRINSIC ACCESS-METHOD SEQUENCE ${method}`) } };
}

describe('fetch of a Prospero file follows its first usable access method', () => {
  const fetch = createFetch();

  async function fetched(documents: Documents): Promise<{ text: string; url: string }> {
    await using peer = await udpPeer(new ArdpServer(service(documents)));
    const response = await fetch(`prospero://127.0.0.1:${peer.port}/x`);
    return { text: await response.text(), url: response.url };
  }

  test('past LOCAL and a server that is not there, to FTP', async () => {
    await using ftp = await ftpPeer({ data: { 'RETR a': 'octets' } });
    const methods = ['LOCAL', 'AFTP INTERNET-D 127.0.0.1(1024) ASCII a BINARY'];
    const { text, url } = await fetched(
      file(...methods, `AFTP INTERNET-D 127.0.0.1(${ftp.port}) ASCII '/pub/a' BINARY`),
    );
    expect(text).toBe('octets');
    expect(url).toBe(`${ftp.url('/pub/a')};type=i`);
  });

  test('to gopher', async () => {
    await using gopher = await scriptedPeer(async (connection) => {
      await connection.send(`you asked for ${await connection.line()}\r\n.\r\n`);
    });
    expect((await fetched(file(`GOPHER INTERNET-D 127.0.0.1(${gopher.port}) ASCII '0/a b'`))).text).toBe(
      'you asked for 0/a b\r\n',
    );
  });

  test('to WAIS', async () => {
    await using wais = await scriptedPeer(serving());
    const name = `'WAIS-GW/127.0.0.1(${wais.port})/TEXT/db/10%2F2%3Ddemo%3B3%3D0%3B7%3D%00%3B'`;
    expect((await fetched(file(`WAIS INTERNET-D x ASCII ${name}`))).text).toBe('apple pie\n');
  });

  test('and where the server sends the contents itself, those are what it leads to', async () => {
    const [attributes] = Object.values(file("PROSPERO-CONTENTS '' '' '' ''")).map((document) => document.attributes!);
    expect((await fetched({ x: { attributes: attributes!, contents: "it's here\n" } })).text).toBe("it's here\n");
  });

  test('an object that is not there is a 404', async () => {
    await using peer = await udpPeer(replay('goi-notfound'));
    expect((await fetch(`prospero://127.0.0.1:${peer.port}/x`)).status).toBe(404);
  });
});

describe('the command', () => {
  test('lists an Archie search as ISI’s server answered it', async () => {
    await using peer = await udpPeer(replay('archie-match-v5'));
    const listed = await command('ls', '--json', archieUrl({ host: '127.0.0.1', port: peer.port, search: 'prospero' }));
    const entries = listed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(entries.map(({ url }) => url)).toEqual([
      'ftp://ftp.funet.fi/pub/unix/prospero.tar.Z;type=i',
      'ftp://plaza.aarnet.edu.au/usenet/comp%20sources/archie%20prospero.shar;type=i',
    ]);
  });

  test('downloads a Prospero file', async () => {
    await using ftp = await ftpPeer({ data: { 'RETR a': 'octets' } });
    const documents = file(`AFTP INTERNET-D 127.0.0.1(${ftp.port}) ASCII '/pub/a' BINARY`);
    await using peer = await udpPeer(new ArdpServer(service(documents)));
    const url = `prospero://127.0.0.1:${peer.port}/x`;
    expect(await command('-L', '-o', '-', url)).toBe('octets');
    // Without -L as with an HTTP redirect: where it leads to.
    expect(await command('-o', '-', url)).toBe(`${ftp.url('/pub/a')};type=i\n`);
  });
});
