import { driverConformance } from '@retriever/driver/testing';
import { describe, test } from 'vitest';
import { serve, withText } from '../testing/news-peer.ts';
import { nntp } from './index.ts';

const article = 'Subject: dots\r\nDate: Sat, 03 Feb 2001 04:05:06 +0000\r\n\r\n.\r\n..two\r\nlast\r\n';
const driver = nntp();
type Peer = { readonly host: string; readonly port: number };

describe('an article by message-id conforms', () => {
  const checks = driverConformance({
    driver,
    kind: 'content',
    url: ({ host, port }: Peer) => `news://${host}:${port}/a@b`,
    hostileUrl: ({ host, port }: Peer) => `news://${host}:${port}/a%0D%0AQUIT@b`,
    octets: Buffer.from(article),
    serve: (connection) => serve(connection, { responses: { 'ARTICLE <a@b>': withText('220 0 <a@b>', article) } }),
    async serveShort(connection) {
      await connection.send('200 ready\r\n');
      await connection.line();
      await connection.send(withText('220 0 <a@b>', article).slice(0, -3));
    },
  });
  for (const check of checks) test(check.name, check.run);
});

describe('an article by number conforms', () => {
  const checks = driverConformance({
    driver,
    kind: 'content',
    url: ({ host, port }: Peer) => `nntp://${host}:${port}/a.group/3`,
    hostileUrl: ({ host, port }: Peer) => `nntp://${host}:${port}/a%0A/3`,
    octets: Buffer.from(article),
    serve: (connection) =>
      serve(connection, {
        responses: { 'GROUP a.group': '211 1 3 3 a.group', 'ARTICLE 3': withText('220 3 <a@b>', article) },
      }),
  });
  for (const check of checks) test(check.name, check.run);
});

describe('the articles of a group conform', () => {
  const overview = '1\tone\tA\t\t<1@x>\t\t1\t1\r\n2\ttwo\tB\t\t<2@x>\t\t1\t1\r\n';
  const checks = driverConformance({
    driver,
    kind: 'listing',
    url: ({ host, port }: Peer) => `nntp://${host}:${port}/a.group`,
    hostileUrl: ({ host, port }: Peer) => `news://${host}:${port}/a%00`,
    names: ['one', 'two'],
    serve: (connection) =>
      serve(connection, { responses: { GROUP: '211 2 1 2 a.group', XOVER: withText('224 here', overview) } }),
    async serveShort(connection) {
      await connection.send('200 ready\r\n');
      await connection.line();
      await connection.line();
      await connection.send('500 what\r\n211 2 1 2 a.group\r\n');
      await connection.line();
      await connection.send(`224 here\r\n${overview}`);
    },
  });
  for (const check of checks) test(check.name, check.run);
});

describe('a list of groups conforms', () => {
  const checks = driverConformance({
    driver,
    kind: 'listing',
    url: ({ host, port }: Peer) => `news://${host}:${port}/*`,
    names: ['a.group', 'b.group'],
    serve: (connection) =>
      serve(connection, {
        responses: { 'LIST ACTIVE': withText('215 list', 'a.group 2 1 y\r\nb.group 0 1 m\r\n') },
      }),
  });
  for (const check of checks) test(check.name, check.run);
});
