/** A connection to an origin that serves one request after another (RFC 9112 §9.3). */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Access, Dial, Endpoint, Session } from '@retriever/driver';
import type { Client } from 'undici';
import { Connection } from './connection.ts';
import { Exchange } from './exchange.ts';
import { HeadTap } from './head-tap.ts';
import type { HttpRequest } from './request.ts';

/** The longest delay of a Node timer: never, in effect. The client's clocks rule, and its pool ends idle sessions. */
const never = 0x7fffffff;

export class HttpSession implements Session {
  readonly #connection: Duplex;
  readonly #socket: Socket;
  readonly #client: Client;
  readonly #tap: HeadTap;
  #last: Exchange | undefined;

  constructor({ connection, socket }: Dialled, client: Client, tap: HeadTap) {
    this.#connection = connection;
    this.#socket = socket;
    this.#client = client;
    this.#tap = tap;
  }

  /** Dials the origin. @throws RetrievalError when it cannot be reached. */
  static async open(dial: Dial, endpoint: Endpoint, maxHeaderBytes: number): Promise<HttpSession> {
    // Loaded when first needed: it takes longer than everything else that starts up.
    const [{ default: UndiciClient }, dialled] = await Promise.all([
      import('undici/lib/dispatcher/client.js'),
      dialOrigin(dial, endpoint),
    ]);
    const { connection } = dialled;
    const tap = new HeadTap(connection, maxHeaderBytes);
    let handedOut = false;
    // The origin's name is never used: the Host field is ours, and so is the connection.
    const client = new UndiciClient('http://origin.invalid', {
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: never,
      connect: (_options, callback) => {
        // undici would reconnect by itself; a second connection is the pool's to open.
        const failure = handedOut ? new Error('the connection is closed') : null;
        handedOut = true;
        // Of a socket undici uses only what a duplex stream has, too.
        // Not at once: undici overlooks a connection that is there before it waits for one.
        queueMicrotask(() => (failure ? callback(failure, null) : callback(null, connection as Socket)));
      },
    });
    return new HttpSession(dialled, client, tap);
  }

  /** A connection serves again once its last response was read to the end and neither side wants it closed. */
  get usable(): boolean {
    // Closed by the server, the connection may still have octets for a slow reader.
    const open = !this.#connection.destroyed && !this.#socket.readableEnded;
    return open && (this.#last?.ended ?? true);
  }

  /** Sends a request; its response arrives in the exchange. */
  send(request: HttpRequest, access: Pick<Access, 'report' | 'signal'>): Exchange {
    this.#tap.open();
    const exchange = new Exchange(request, this.#connection, this.#tap, access);
    this.#last = exchange;
    const headers = request.fields.flat();
    this.#client.dispatch({ method: request.method, path: request.target, headers }, exchange);
    return exchange;
  }

  close(): void {
    this.#connection.destroy();
    void this.#client.destroy();
  }
}

interface Dialled {
  /** What is read from and written to. */
  readonly connection: Duplex;
  /** The socket it is, or lies over. */
  readonly socket: Socket;
}

/** TLS reads into memory of its own; only without it the buffer is ours. */
async function dialOrigin(dial: Dial, endpoint: Endpoint): Promise<Dialled> {
  if (endpoint.tls) {
    const socket = await dial.connect(endpoint);
    return { connection: socket, socket };
  }
  const source = await dial.connectForBody(endpoint);
  return { connection: new Connection(source), socket: source.socket };
}
