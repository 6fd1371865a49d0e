/** Loopback servers for the client's tests, plain and TLS, with every connection on record. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { promisify } from 'node:util';

export interface LoopbackServer extends AsyncDisposable {
  readonly port: number;
  /** Connections ever, in order. */
  readonly sockets: readonly Socket[];
  /** Connections open now. */
  readonly open: number;
  /** Resolves when none is open. */
  drained(): Promise<void>;
}

/** Serves each connection on 127.0.0.1, or on `host`. */
export async function loopback(serve: (socket: Socket) => void, host = '127.0.0.1', port = 0): Promise<LoopbackServer> {
  return listening(createServer(noting(serve)), host, port);
}

/** The same over TLS, with the certificate of {@link certificate}. */
export async function tlsLoopback(serve: (socket: Socket) => void): Promise<LoopbackServer> {
  const server = createTlsServer(await certificate(), noting(serve));
  server.on('tlsClientError', () => undefined);
  return listening(server, '127.0.0.1', 0);
}

function noting(serve: (socket: Socket) => void): (socket: Socket) => void {
  return (socket) => {
    socket.on('error', () => undefined);
    serve(socket);
  };
}

async function listening(server: Server, host: string, port: number): Promise<LoopbackServer> {
  const sockets: Socket[] = [];
  const alive = new Set<Socket>();
  let wake = (): void => undefined;
  server.on('connection', (socket: Socket) => {
    sockets.push(socket);
    alive.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      alive.delete(socket);
      wake();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    get open() {
      return alive.size;
    },
    async drained() {
      while (alive.size > 0) await new Promise<void>((resolve) => (wake = resolve));
    },
    async [Symbol.asyncDispose]() {
      for (const socket of alive) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

let made: Promise<Certificate> | undefined;

/** A key and a certificate for `localhost` and 127.0.0.1 that is its own authority, made once a process. */
export function certificate(): Promise<Certificate> {
  return (made ??= makeCertificate());
}

async function makeCertificate(): Promise<Certificate> {
  const directory = await mkdtemp(join(tmpdir(), 'retriever-tls-'));
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  try {
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    await promisify(execFile)('openssl', [...request, ...subject, '-keyout', key, '-out', cert]);
    return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
  } finally {
    await rm(directory, { recursive: true });
  }
}
