/** A program that retrieves from the port given, in the way given, and must then end by itself. */
import { createBody, type Session } from '@retriever/driver';
import { createClient } from '@retriever/client';
import { driverOf } from './fake-driver.ts';

const [, , port, way] = process.argv;

const driver = driverOf(async ({ url }, access) => {
  const endpoint = { host: '127.0.0.1', port: url.port! };
  if (way === 'idle session') {
    const lease = await access.lease('key', async (dial): Promise<Session> => {
      const socket = await dial.connect(endpoint);
      return { usable: true, keepAlive: async () => undefined, close: () => void socket.end() };
    });
    lease.release();
    return { kind: 'mailbox', address: 'x' };
  }
  const source = await access.connectForBody(endpoint);
  return {
    kind: 'content',
    body: createBody({ pump: (sink) => source.pump(sink), cancel: () => source.destroy() }),
    metadata: {},
  };
});

const controller = new AbortController();
const client = createClient({ drivers: [driver], timeouts: { total: 600_000, idle: 600_000 } });
const retrieved = await client.retrieve(`gopher://127.0.0.1:${port}/`, { signal: controller.signal });
if (way === 'abort' && retrieved.kind === 'content') {
  setTimeout(() => controller.abort('enough'), 30);
  await retrieved.body.text().catch((error: unknown) => console.log(error));
} else {
  console.log('done');
}
