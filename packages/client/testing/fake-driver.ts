/** Small drivers for the client's tests: they speak next to nothing, so that what is seen is the client's doing. */
import { bodyOf, createBody, type Driver } from '@retriever/driver';
import type { GopherUrl } from '@retriever/url';
import { createClient, type Client, type ClientOptions } from '../src/client.ts';

export type Retrieve = Driver<GopherUrl>['retrieve'];

/** A driver for gopher URLs, which have a host, a port and no more fuss. */
export function driverOf(retrieve: Retrieve, schemes: readonly string[] = ['gopher']): Driver<GopherUrl> {
  return { schemes, retrieve };
}

/** A client with one driver and time-outs that suit a test. */
export function clientOf(retrieve: Retrieve, options: Partial<ClientOptions> = {}): Client {
  return createClient({ drivers: [driverOf(retrieve)], ...options });
}

/** Connects to the URL's port on 127.0.0.1 and pumps all that comes. */
export const pumping: Retrieve = async ({ url }, access) => {
  const source = await access.connectForBody({ host: '127.0.0.1', port: url.port! });
  const body = createBody({ pump: (sink) => source.pump(sink), cancel: () => source.destroy() });
  return { kind: 'content', body, metadata: {} };
};

/** Waits for one octet of a reply on a control connection, for ever if need be. */
export const waiting: Retrieve = async ({ url }, access) => {
  const socket = await access.connect({ host: '127.0.0.1', port: url.port! });
  await new Promise((resolve, reject) => {
    socket.once('data', resolve);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('closed')));
  });
  return { kind: 'content', body: bodyOf(new Uint8Array(1)), metadata: {} };
};

/** What the promise fails with; undefined when it does not. */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    return error;
  }
}
