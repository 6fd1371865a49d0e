/** Datagrams for driver tests: a real UDP socket, no policy. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import type { DatagramChannel, Endpoint } from '../access.ts';
import { RetrievalError } from '../retrieval-error.ts';

type Received = NonNullable<Awaited<ReturnType<DatagramChannel['receive']>>>;

export async function testDatagrams({ host, port }: Endpoint): Promise<DatagramChannel> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  const waiting: Received[] = [];
  let closed = false;
  let lastWords: Uint8Array | undefined;
  let wake = (): void => undefined;
  socket.on('message', (datagram, { address, port: from }) => {
    waiting.push({ datagram, address, port: from });
    wake();
  });
  socket.on('error', () => undefined);
  socket.bind();
  await once(socket, 'listening');
  const closedError = (): RetrievalError => new RetrievalError('incomplete', 'the datagram channel is closed');
  return {
    send: (datagram) =>
      new Promise((resolve, reject) => {
        if (closed) throw closedError();
        socket.send(datagram, port, host, (error) => (error ? reject(error) : resolve()));
      }),
    async receive(waitMs) {
      if (waiting.length === 0 && !closed) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, waitMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      if (closed) throw closedError();
      return waiting.shift();
    },
    farewell(datagram) {
      lastWords = datagram;
    },
    close() {
      if (closed) return;
      closed = true;
      wake();
      if (lastWords) socket.send(lastWords, port, host, () => socket.close());
      else socket.close();
    },
  };
}
