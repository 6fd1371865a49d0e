import { driverConformance } from '@retriever/driver/testing';
import { describe, test } from 'vitest';
import { allOctets, diagnostic, documentPath, searchResponse, serving, value } from '../testing/library-server.ts';
import { wais } from './index.ts';

interface Address {
  readonly host: string;
  readonly port: number;
}

const address = ({ host, port }: Address): string => `wais://${host}:${port}`;
const url =
  (path: string) =>
  (peer: Address): string =>
    address(peer) + path;

describe('a database conforms', () => {
  const checks = driverConformance({
    driver: wais(),
    kind: 'listing',
    url: url('/db'),
    hostileUrl: url('/db%0D%0A'),
    names: ['Information on database: db', 'Catalog for database: db'],
    serve: serving(),
    serveShort: serving({ truncateAt: 200 }),
  });
  for (const check of checks) test(check.name, check.run);
});

describe('a search conforms', () => {
  const checks = driverConformance({
    driver: wais(),
    kind: 'listing',
    url: url('/db?apple+described'),
    hostileUrl: url('/db?apple%0D%0A'),
    names: ['A picture of an apple', 'A short text'],
    serve: serving(),
    serveShort: serving({ truncateAt: 200 }),
  });
  for (const check of checks) test(check.name, check.run);
});

describe('a document conforms', () => {
  const checks = driverConformance({
    driver: wais({ chunkBytes: 300 }),
    kind: 'content',
    url: url(documentPath(2, 'BIN', 1000)),
    hostileUrl: url(documentPath(2, 'BIN%0D%0A', 1000)),
    octets: allOctets,
    serve: serving(),
    serveShort: serving({ truncateAt: 1000 }),
  });
  for (const check of checks) test(check.name, check.run);
});

describe('a document that is refused half-way conforms', () => {
  const half = searchResponse(value(153, value(127, 'x'.repeat(300))));
  const checks = driverConformance({
    driver: wais({ chunkBytes: 300 }),
    kind: 'content',
    url: url(documentPath(2, 'BIN', 1000)),
    serve: serving(),
    serveShort: serving({
      alter: (reply, at) =>
        at === 0 ? reply : at === 1 ? half : searchResponse(diagnostic('SFMissing DocID in request')),
    }),
  });
  for (const check of checks) test(check.name, check.run);
});
