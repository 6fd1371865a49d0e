import { driverConformance } from '@retriever/driver/testing';
import { describe, test } from 'vitest';
import { http } from './http.ts';

const octets = Buffer.from('0123456789');
const ok = `HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n${octets.toString()}`;

describe('the conformance suite', () => {
  const checks = driverConformance({
    driver: http(),
    url: ({ host, port }) => `http://${host}:${port}/a/../b`,
    serve: async (connection) => {
      while ((await connection.line()) !== '');
      await connection.send(ok);
    },
    serveShort: async (connection) => {
      while ((await connection.line()) !== '');
      await connection.send(ok.slice(0, -3));
    },
    kind: 'content',
    octets,
  });
  for (const check of checks) test(check.name, check.run);
});
