/** A server made of a script: for faults no real server makes on demand, and for checking what a driver sends. */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { LineReader } from '../line-reader.ts';
import { socketSource } from '../octet-source.ts';
import { latin1Of } from '../octet-text.ts';

/** Plays the server on one connection. When it returns, the connection is ended. */
export type PeerScript = (connection: PeerConnection) => Promise<void>;

export interface ScriptedPeerOptions {
  /** Send every octet in a packet of its own. Default false. */
  readonly octetByOctet?: boolean;
}

export interface ScriptedPeer extends AsyncDisposable {
  readonly host: '127.0.0.1';
  readonly port: number;
  /** How many connections came. */
  readonly connections: number;
  /** How many of them are open now. */
  readonly open: number;
  /** All octets received on all connections, as latin1, in order of arrival. */
  readonly received: string;
  /** Resolves when no connection is open any more. */
  drained(): Promise<void>;
}

/**
 * Starts a scripted peer on a free loopback port.
 *
 * @example
 * await using peer = await scriptedPeer(async (connection) => {
 *   await connection.send('220 ready\r\n');
 *   await connection.line(); // USER anonymous
 * });
 */
export async function scriptedPeer(script: PeerScript, options: ScriptedPeerOptions = {}): Promise<ScriptedPeer> {
  const sockets = new Set<Socket>();
  const received: Buffer[] = [];
  let connections = 0;
  let idle = (): void => undefined;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) idle();
    });
    const connection = new PeerConnection(socket, options, (octets) => received.push(octets));
    void script(connection).then(
      () => socket.end(),
      () => socket.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    get received() {
      return Buffer.concat(received).toString('latin1');
    },
    drained: () =>
      new Promise<void>((resolve) => {
        idle = resolve;
        if (sockets.size === 0) resolve();
      }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The server's end of one connection. */
export class PeerConnection {
  readonly socket: Socket;
  readonly #options: ScriptedPeerOptions;
  readonly #lines: LineReader;

  constructor(socket: Socket, options: ScriptedPeerOptions, record: (octets: Buffer) => void) {
    this.socket = socket;
    this.#options = options;
    const source = socketSource(socket);
    this.#lines = new LineReader(
      {
        async read() {
          const chunk = await source.read();
          if (chunk) record(Buffer.from(chunk));
          return chunk;
        },
      },
      { maxLineBytes: 1024 * 1024 },
    );
  }

  /** The next line the driver sent, as latin1 without its line end. @throws when the driver closed. */
  async line(): Promise<string> {
    return latin1Of(await this.#lines.requireLine());
  }

  /** Resolves when the driver closed its side. */
  async closed(): Promise<void> {
    while (await this.#lines.line());
  }

  /** Sends text (as latin1) or octets; resolves when the kernel has them. */
  async send(octets: string | Uint8Array): Promise<void> {
    const all = typeof octets === 'string' ? Buffer.from(octets, 'latin1') : octets;
    const step = this.#options.octetByOctet ? 1 : Math.max(all.length, 1);
    for (let at = 0; at < all.length; at += step) {
      await new Promise<void>((resolve, reject) =>
        this.socket.write(all.subarray(at, at + step), (error) => (error ? reject(error) : setImmediate(resolve))),
      );
    }
  }

  /** Ends the sending side. */
  end(): void {
    this.socket.end();
  }

  /** Breaks the connection with a reset. */
  reset(): void {
    this.socket.resetAndDestroy();
  }
}
