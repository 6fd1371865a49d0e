/** Datagrams with one endpoint, a bounded number of them waiting. */
import { createSocket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { BlockList } from 'node:net';
import { RetrievalError, type DatagramChannel } from '@retriever/driver';

/** Datagrams kept for a driver that does not receive; more are dropped, as a network would. */
const maxWaiting = 256;

type Received = NonNullable<Awaited<ReturnType<DatagramChannel['receive']>>>;

/**
 * Opens an unconnected UDP socket: a server may answer from another port (ARDP's do), never from another address.
 *
 * @param onMoved Called for each datagram sent or received.
 */
export function openDatagrams({ address, family }: LookupAddress, port: number, onMoved: () => void): DatagramChannel {
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
  const isPeer = peerCheck(address, family);
  const waiting: Received[] = [];
  let failure: Error | undefined;
  let closed = false;
  let lastWords: Uint8Array | undefined;
  let wake = (): void => undefined;
  socket.on('error', (error) => {
    failure ??= error;
    wake();
  });
  socket.on('message', (datagram, from) => {
    if (!isPeer(from.address) || waiting.length >= maxWaiting) return;
    waiting.push({ datagram, address: from.address, port: from.port });
    onMoved();
    wake();
  });
  return {
    send: (datagram) =>
      new Promise((resolve, reject) => {
        if (failure) throw failure;
        onMoved();
        socket.send(datagram, port, address, (error) => (error ? reject(error) : resolve()));
      }),
    async receive(waitMs) {
      if (waiting.length === 0 && !failure) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, waitMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      if (failure) throw failure;
      return waiting.shift();
    },
    farewell(datagram) {
      lastWords = datagram;
    },
    close() {
      if (closed) return;
      closed = true;
      const broken = failure !== undefined;
      failure ??= new RetrievalError('incomplete', 'the datagram channel is closed');
      wake();
      if (lastWords && !broken) socket.send(lastWords, port, address, () => socket.close());
      else socket.close();
    },
  };
}

/** Compares addresses, not their spellings: an IPv6 address has many. */
function peerCheck(address: string, family: number): (from: string) => boolean {
  const type = family === 6 ? 'ipv6' : 'ipv4';
  const peer = new BlockList();
  const [withoutZone = address] = address.split('%');
  peer.addAddress(withoutZone, type);
  return (from) => peer.check(from.split('%')[0]!, type);
}
