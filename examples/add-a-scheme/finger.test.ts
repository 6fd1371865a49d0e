import { driverConformance } from '@retriever/driver/testing';
import { describe, test } from 'vitest';
import { finger } from './finger.ts';

const plan = 'Login: alice\r\nPlan: none\r\n';

describe('finger', () => {
  const checks = driverConformance({
    driver: finger(),
    url: ({ host, port }) => `finger://${host}:${port}/alice`,
    hostileUrl: ({ host, port }) => `finger://${host}:${port}/alice%0D%0ADELETE`,
    async serve(connection) {
      if ((await connection.line()) === 'alice') await connection.send(plan);
    },
    async serveShort(connection) {
      await connection.line();
      await connection.send('Login: al');
      connection.reset();
    },
    kind: 'content',
    octets: Buffer.from(plan),
  });
  for (const { name, run } of checks) test(name, run);
});
