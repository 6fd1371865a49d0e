/** An Access for driver tests: real loopback sockets, no policy, everything opened on record. */
import { connect as tcpConnect, type Socket } from 'node:net';
import { connect as tlsConnect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import type {
  Access,
  BodySource,
  Credentials,
  DatagramChannel,
  Dial,
  Endpoint,
  Lease,
  Realm,
  Session,
  TraceEvent,
} from '../access.ts';
import type { BodySink } from '../body.ts';
import { connectionLost, socketSource } from '../octet-source.ts';
import { testDatagrams } from './test-datagrams.ts';

export interface TestAccessOptions {
  readonly signal?: AbortSignal;
  readonly credentials?: (realm: Realm) => Credentials | undefined;
  /** For TLS connections, e.g. `{ ca }`. */
  readonly tls?: ConnectionOptions;
}

export interface TestAccess extends Access {
  /** Every socket dialled, in order. */
  readonly sockets: readonly Socket[];
  /** Every endpoint asked for, in order. */
  readonly endpoints: readonly Endpoint[];
  /** The trace. */
  readonly events: readonly TraceEvent[];
  /** Sessions that were released and wait for the next lease. */
  readonly idle: ReadonlyMap<string, Session>;
  /** Closes everything. */
  close(): void;
}

/** Makes an access that dials loopback for real and keeps sessions until `close`. */
export function testAccess({
  signal = new AbortController().signal,
  credentials,
  tls,
}: TestAccessOptions = {}): TestAccess {
  const sockets: Socket[] = [];
  const endpoints: Endpoint[] = [];
  const events: TraceEvent[] = [];
  const idle = new Map<string, Session>();
  const channels: DatagramChannel[] = [];
  const close = (reason?: Error): void => {
    for (const socket of sockets) socket.destroy(reason);
    for (const channel of channels) channel.close();
  };
  signal.addEventListener('abort', () => close(signal.reason as Error));

  const dial: Dial = {
    async connect(endpoint) {
      const socket = await opened(endpoint, (host) => tcpConnect(endpoint.port, host));
      return endpoint.tls ? secure(socket, endpoint.tls.serverName ?? endpoint.host, endpoint.tls.resume) : socket;
    },
    async connectForBody(endpoint) {
      const socket = await opened(endpoint, (host) => tcpConnect(endpoint.port, host));
      if (!endpoint.tls) return socketBodySource(socket);
      return socketBodySource(tlsOver(socket, endpoint.tls.serverName ?? endpoint.host, endpoint.tls.resume));
    },
    startTls: (socket, request) => secure(socket, request.serverName, request.resume),
    async datagrams(endpoint) {
      signal.throwIfAborted();
      endpoints.push(endpoint);
      const channel = await testDatagrams(endpoint);
      channels.push(channel);
      return channel;
    },
  };
  return {
    ...dial,
    signal,
    sockets,
    endpoints,
    events,
    idle,
    close,
    async lease<S extends Session>(key: string, open: (dial: Dial) => Promise<S>): Promise<Lease<S>> {
      const waiting = idle.get(key) as S | undefined;
      idle.delete(key);
      const reused = waiting?.usable === true;
      const session = reused ? waiting : await open(dial);
      return {
        session,
        reused,
        doneSending: () => undefined,
        release: () => void idle.set(key, session),
        discard: () => session.close(),
      };
    },
    credentials: async (realm) => credentials?.(realm),
    report: (event) => void events.push(event),
  };

  async function opened(endpoint: Endpoint, dialled: (host: string) => Socket): Promise<Socket> {
    signal.throwIfAborted();
    endpoints.push(endpoint);
    const socket = dialled(endpoint.beside?.remoteAddress ?? endpoint.host);
    sockets.push(socket);
    socket.setNoDelay(true);
    await eventOf(socket, 'connect');
    return socket;
  }

  function tlsOver(socket: Socket, servername: string, resume: Socket | undefined): TLSSocket {
    const session = (resume as TLSSocket | undefined)?.getSession?.();
    const secured = tlsConnect({ ...tls, socket, servername, ...(session && { session }) });
    sockets.push(secured);
    return secured;
  }

  async function secure(socket: Socket, servername: string, resume: Socket | undefined): Promise<TLSSocket> {
    const secured = tlsOver(socket, servername, resume);
    await eventOf(secured, 'secureConnect');
    return secured;
  }
}

function socketBodySource(socket: Socket): BodySource {
  const source = socketSource(socket);
  return {
    socket,
    read: () => source.read(),
    async pump(sink: BodySink) {
      for (;;) {
        const chunk = await source.read();
        if (!chunk) return;
        await sink(chunk);
        // As the client does, which reads into it again: a driver that keeps it without a copy is found out.
        chunk.fill(0);
      }
    },
    destroy: () => void socket.destroy(),
  };
}

function eventOf(socket: Socket, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, resolve);
    socket.once('error', (error) => reject(connectionLost(error)));
  });
}
