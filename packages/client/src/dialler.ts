/** Dials: policy, DNS, address check, happy eyeballs, TLS and the connect time-out, for connections of every kind. */
import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { connect as tcpConnect, isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import {
  RetrievalError,
  type BodySource,
  type DatagramChannel,
  type Dial,
  type Endpoint,
  type TlsRequest,
  type TraceEvent,
} from '@retriever/driver';
import type { Url } from '@retriever/url';
import { aborted } from './aborted.ts';
import { ConnectionBodySource } from './body-source.ts';
import { openDatagrams } from './datagrams.ts';
import { unreachable } from './failure.ts';
import { firstConnected } from './happy-eyeballs.ts';
import { verdictOf, type ConnectionQuestion, type Policy } from './policy.ts';
import { secure } from './secure.ts';

export interface DiallerOptions {
  readonly policy: Policy;
  /** Milliseconds from the look-up to the connected (and secured) socket; 0 for no limit. */
  readonly connectTimeout: number;
  /** Trust, client certificates and versions, as `node:tls` takes them. */
  readonly tls: ConnectionOptions;
  /** All addresses of a host name. */
  readonly lookup: Lookup;
}

/** Resolves a host name to its addresses, in order of preference. */
export type Lookup = (hostname: string) => Promise<readonly LookupAddress[]>;

/** What a dialler works for: a retrieval, or a session that outlives it. */
export interface DialScope {
  readonly url: Url;
  readonly signal: AbortSignal;
  report(event: TraceEvent): void;
  /** Takes charge of closing the socket. */
  own(socket: Socket): void;
  /** Takes charge of calling this when everything is to be closed. */
  onClose(close: () => void): void;
  /** Stops counting the peer's silence until the dialling is over: it has a time-out of its own. */
  hold<T>(dialling: Promise<T>): Promise<T>;
  /** Octets moved that no socket counts. */
  moved(): void;
}

/** The system's resolver. */
export const systemLookup: Lookup = (hostname) =>
  new Promise((resolve, reject) =>
    dnsLookup(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses))),
  );

/** A {@link Dial} that works for one scope. */
export class Dialler implements Dial {
  readonly #options: DiallerOptions;
  readonly #scope: DialScope;

  constructor(options: DiallerOptions, scope: DialScope) {
    this.#options = options;
    this.#scope = scope;
  }

  connect(endpoint: Endpoint): Promise<Socket> {
    return this.#inTime(endpoint, async (signal) => {
      const socket = await this.#tcp(endpoint, signal, (options) => tcpConnect(options));
      return endpoint.tls ? this.#secured(socket, endpoint, endpoint.tls, signal) : socket;
    });
  }

  connectForBody(endpoint: Endpoint): Promise<BodySource> {
    return this.#inTime(endpoint, async (signal) => {
      const source = new ConnectionBodySource();
      if (!endpoint.tls) {
        const { onread } = source;
        return source.attach(await this.#tcp(endpoint, signal, (options) => tcpConnect({ ...options, onread })));
      }
      const socket = await this.#tcp(endpoint, signal, (options) => tcpConnect(options));
      // Not awaited: an FTP server begins its handshake only after RETR. A failure reaches whoever reads.
      const tls = secure(socket, this.#options.tls, named(endpoint.tls, endpoint), this.#scope);
      return source.attachStream(tls.socket, tls.explain);
    });
  }

  startTls(socket: Socket, request: TlsRequest & { readonly serverName: string }): Promise<TLSSocket> {
    const endpoint = { host: request.serverName, port: socket.remotePort ?? 0 };
    return this.#inTime(endpoint, (signal) => this.#secured(socket, endpoint, request, signal));
  }

  datagrams(endpoint: Endpoint): Promise<DatagramChannel> {
    return this.#inTime(endpoint, async (signal) => {
      const [address] = await this.#addresses(endpoint, 'udp', signal);
      signal.throwIfAborted();
      this.#scope.report({ type: 'connecting', host: endpoint.host, address: address!.address, port: endpoint.port });
      const channel = openDatagrams(address!, endpoint.port, () => this.#scope.moved());
      this.#scope.onClose(() => channel.close());
      return {
        ...channel,
        receive: (waitMs, options) => {
          const receiving = channel.receive(waitMs);
          return options?.askedFor ? this.#scope.hold(receiving) : receiving;
        },
      };
    });
  }

  /** Opens a TCP connection to the first allowed address that answers. */
  async #tcp(endpoint: Endpoint, signal: AbortSignal, open: (options: TcpNetConnectOpts) => Socket): Promise<Socket> {
    const { host, port } = endpoint;
    const addresses = await this.#addresses(endpoint, 'tcp', signal);
    const dial = ({ address }: LookupAddress): Socket => {
      this.#scope.report({ type: 'connecting', host, address, port });
      return open({ host: address, port, noDelay: true });
    };
    const socket = await firstConnected(addresses, dial, { signal }).catch((error: Error) => {
      throw signal.aborted ? error : unreachable(host, port, error);
    });
    this.#scope.own(socket);
    this.#scope.report({ type: 'connected', host, address: socket.remoteAddress ?? '', port });
    return socket;
  }

  /** The addresses that policy lets the endpoint's host stand for. */
  async #addresses(endpoint: Endpoint, transport: 'tcp' | 'udp', signal: AbortSignal): Promise<LookupAddress[]> {
    const { host, port, beside } = endpoint;
    const { policy } = this.#options;
    const question: ConnectionQuestion = {
      url: this.#scope.url,
      host,
      port,
      transport,
      beside: beside !== undefined,
    };
    const objection = await verdictOf(policy.connection?.(question), signal);
    if (objection !== undefined) throw refusal(`${host} port ${port}`, objection);
    const allowed: LookupAddress[] = [];
    const objections: string[] = [];
    for (const { address, family } of await this.#resolve(endpoint, signal)) {
      const asked = policy.address?.({ ...question, address, family: family === 6 ? 6 : 4 });
      const verdict = await verdictOf(asked, signal);
      if (verdict === undefined) allowed.push({ address, family });
      else objections.push(verdict);
    }
    if (allowed.length === 0) throw refusal(`${host} port ${port}`, objections.join('; '));
    return allowed;
  }

  async #resolve({ host, port, beside }: Endpoint, signal: AbortSignal): Promise<readonly LookupAddress[]> {
    // The host's name may mean another address by now, or by design.
    const literal = beside ? besideAddress(beside) : host;
    const family = isIP(literal);
    if (family !== 0) return [{ address: literal, family }];
    const addresses = await aborted(this.#options.lookup(host), signal).catch((error: Error) => {
      throw signal.aborted ? error : unreachable(host, port, error);
    });
    this.#scope.report({
      type: 'resolved',
      host,
      addresses: addresses.map(({ address }) => address),
    });
    if (addresses.length === 0) throw unreachable(host, port, new Error('the name has no address'));
    // A name would be looked up again below, where policy no longer sees what it stands for.
    const name = addresses.find(({ address }) => isIP(address) === 0);
    if (name) throw new TypeError(`the look-up of ${host} gave ${JSON.stringify(name.address)}, which is no address`);
    return addresses;
  }

  async #secured(socket: Socket, endpoint: Endpoint, request: TlsRequest, signal: AbortSignal): Promise<TLSSocket> {
    const tls = secure(socket, this.#options.tls, named(request, endpoint), this.#scope);
    try {
      return await aborted(tls.secured, signal);
    } catch (error) {
      tls.socket.destroy();
      throw error;
    }
  }

  /** Runs a dial under the connect time-out and the scope's signal. */
  async #inTime<T>({ host, port }: Endpoint, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { connectTimeout } = this.#options;
    const { signal } = this.#scope;
    signal.throwIfAborted();
    const dial = new AbortController();
    const onAbort = (): void => dial.abort(signal.reason);
    const expire = (): void =>
      dial.abort(new RetrievalError('timeout', `no connection to ${host} port ${port} within ${connectTimeout} ms`));
    const timer = connectTimeout === 0 ? undefined : setTimeout(expire, connectTimeout);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await this.#scope.hold(work(dial.signal));
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }
}

function besideAddress(socket: Socket): string {
  if (socket.remoteAddress !== undefined) return socket.remoteAddress;
  throw new RetrievalError('incomplete', 'the connection to connect beside is closed');
}

function named(request: TlsRequest, endpoint: Endpoint): TlsRequest & { readonly serverName: string } {
  return { ...request, serverName: request.serverName ?? endpoint.host };
}

function refusal(what: string, objection: string): RetrievalError {
  return new RetrievalError('policy', `not allowed to connect to ${what}: ${objection}`);
}
