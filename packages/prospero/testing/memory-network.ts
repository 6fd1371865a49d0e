/**
 * A network in memory: what is sent is answered at once, and waiting for what does not come takes no time.
 *
 * Minutes of retransmission pass in a moment, so that properties of the protocol can be tried a thousand times.
 */
import type { Access, Endpoint, TraceEvent } from '@retriever/driver';
import { testAccess } from '@retriever/driver/testing';
import type { Answering } from './udp-peer.ts';

export interface MemoryNetwork {
  readonly access: Access;
  readonly endpoints: readonly Endpoint[];
  readonly events: readonly TraceEvent[];
  /** Everything sent, in order. */
  readonly sent: readonly Uint8Array[];
  /** Virtual milliseconds at which each datagram was sent. */
  readonly times: readonly number[];
  readonly open: number;
}

/** @param serverAt - Who is at an endpoint; undefined for nobody, who never answers. */
export function memoryNetwork(serverAt: (endpoint: Endpoint) => Answering | undefined): MemoryNetwork {
  const real = testAccess();
  const endpoints: Endpoint[] = [];
  const sent: Uint8Array[] = [];
  const times: number[] = [];
  let now = 0;
  let open = 0;
  const access: Access = {
    ...real,
    async datagrams(endpoint) {
      endpoints.push(endpoint);
      open += 1;
      const key = `client ${endpoints.length}`;
      const server = serverAt(endpoint);
      const waiting: Uint8Array[] = [];
      let lastWords: Uint8Array | undefined;
      const hear = (datagram: Uint8Array): void => {
        sent.push(datagram);
        times.push(now);
        for (const answer of server?.hear(datagram, { key }) ?? [])
          waiting.push(answer instanceof Uint8Array ? answer : answer.datagram);
      };
      return {
        send: async (datagram) => hear(datagram),
        async receive(waitMs) {
          const datagram = waiting.shift();
          if (datagram) return { datagram, address: endpoint.host, port: endpoint.port };
          now += waitMs;
          return undefined;
        },
        farewell: (datagram) => void (lastWords = datagram),
        close() {
          open -= 1;
          if (lastWords) hear(lastWords);
        },
      };
    },
  };
  return {
    access,
    endpoints,
    events: real.events,
    sent,
    times,
    get open() {
      return open;
    },
  };
}
