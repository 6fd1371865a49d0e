/** A UDP server on loopback for what a test wants to send: it hears datagrams and answers with datagrams. */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

export interface Sender {
  /** Tells clients apart. */
  readonly key: string;
}

/** Answers one datagram with any number of them; an object chooses how it is sent. */
export interface Answering {
  hear(datagram: Uint8Array, sender: Sender): readonly Outgoing[];
}

export type Outgoing =
  | Uint8Array
  | { readonly datagram: Uint8Array; readonly afterMs?: number; readonly otherPort?: boolean };

export interface UdpPeer extends AsyncDisposable {
  readonly port: number;
  /** Every datagram heard, in order. */
  readonly heard: readonly Buffer[];
}

export async function udpPeer(answering: Answering): Promise<UdpPeer> {
  const heard: Buffer[] = [];
  const [socket, other] = await Promise.all([bound(), bound()]);
  const timers = new Set<NodeJS.Timeout>();
  let closed = false;
  socket.on('message', (datagram, { address, port }) => {
    heard.push(datagram);
    for (const outgoing of answering.hear(datagram, { key: `${address} ${port}` })) {
      const {
        datagram: octets,
        afterMs = 0,
        otherPort = false,
      } = outgoing instanceof Uint8Array ? { datagram: outgoing } : outgoing;
      const send = (): void => void (closed || (otherPort ? other : socket).send(octets, port, address));
      if (afterMs === 0) send();
      else timers.add(setTimeout(send, afterMs));
    }
  });
  return {
    port: socket.address().port,
    heard,
    async [Symbol.asyncDispose]() {
      closed = true;
      for (const timer of timers) clearTimeout(timer);
      socket.close();
      other.close();
    },
  };
}

async function bound(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}
