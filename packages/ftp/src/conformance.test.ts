import { driverConformance } from '@retriever/driver/testing';
import { describe, test } from 'vitest';
import { sendData, serve } from '../testing/ftp-peer.ts';
import { ftp } from './index.ts';

const address = (peer: { readonly host: string; readonly port: number }): string => `ftp://${peer.host}:${peer.port}`;

describe('a file conforms', () => {
  const octets = Buffer.from([0, 1, 2, 0x0d, 0x0a, 0xff, 0xfe]);
  const checks = driverConformance({
    driver: ftp(),
    kind: 'content',
    url: (peer) => `${address(peer)}/pub/file.bin`,
    hostileUrl: (peer) => `${address(peer)}/pub/file%0D%0ADELE%20file`,
    octets,
    serve: (connection) => serve(connection, { replies: { SIZE: '213 7' }, data: { 'RETR file.bin': octets } }),
    serveShort: (connection) =>
      serve(connection, {
        replies: { SIZE: '213 8' },
        async transfer({ control, socket }) {
          await control.send('150 here\r\n');
          await sendData(await socket, octets);
          await control.send('226 done\r\n');
        },
      }),
  });
  for (const check of checks) test(check.name, check.run);
});

describe('a directory conforms', () => {
  const listing = 'drwxr-xr-x 2 0 0 4096 Jan 1 2020 sub\r\n-rw-r--r-- 1 0 0 43 Jan 1 2020 text.txt\r\n';
  const checks = driverConformance({
    driver: ftp(),
    kind: 'listing',
    url: (peer) => `${address(peer)}/pub/`,
    hostileUrl: (peer) => `${address(peer)}/pub%00/`,
    names: ['sub', 'text.txt'],
    serve: (connection) => serve(connection, { data: { LIST: listing } }),
    serveShort: (connection) =>
      serve(connection, {
        data: {},
        async transfer({ control, socket }) {
          await control.send('150 here\r\n');
          await sendData(await socket, listing.slice(0, 50));
          await control.send('426 broken\r\n');
        },
      }),
  });
  for (const check of checks) test(check.name, check.run);
});

describe('names by ;type=d conform', () => {
  const checks = driverConformance({
    driver: ftp({ pipelining: true }),
    kind: 'listing',
    url: (peer) => `${address(peer)}/pub;type=d`,
    names: ['a', 'b'],
    serve: (connection) => serve(connection, { data: { 'NLST pub': 'a\r\nb\r\n' } }),
  });
  for (const check of checks) test(check.name, check.run);
});
