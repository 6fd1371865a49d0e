/** An access to a server in memory, for thousands of retrievals a second: it plays replies in order and then closes. */
import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { Access, Session } from '@retriever/driver';

/** @param replies - Octets sent for the first request, the second, and so on. */
export function memoryAccess(replies: readonly Uint8Array[]): Access {
  const unused = (): Promise<never> => Promise.reject(new Error('not in memory'));
  const connect = async (): Promise<Socket> => playing([...replies]);
  const dial = { connect, connectForBody: unused, startTls: unused, datagrams: unused };
  return {
    ...dial,
    signal: new AbortController().signal,
    credentials: async () => undefined,
    report: () => undefined,
    async lease<S extends Session>(_: string, open: (with_: typeof dial) => Promise<S>) {
      const session = await open(dial);
      return {
        session,
        reused: false,
        doneSending: () => undefined,
        release: () => session.close(),
        discard: () => session.close(),
      };
    },
  };
}

/** The driver writes each request at once: one write, one reply. A peer that waits in vain for the next hangs up. */
function playing(replies: Uint8Array[]): Socket {
  let requests = 0;
  const socket = new Duplex({
    allowHalfOpen: true,
    read: () => undefined,
    write(_chunk, _encoding, done) {
      requests += 1;
      const reply = replies.shift();
      // An empty chunk would be none at all.
      if (reply && reply.length > 0) this.push(reply);
      if (replies.length === 0) this.push(null);
      else void hangUpUnlessAsked(requests);
      done();
    },
  });
  const hangUpUnlessAsked = async (count: number): Promise<void> => {
    for (let turns = 0; turns < 10; turns++) await new Promise((resolve) => setImmediate(resolve));
    if (requests === count && !socket.readableEnded) socket.push(null);
  };
  socket.on('error', () => undefined);
  return socket as unknown as Socket;
}
