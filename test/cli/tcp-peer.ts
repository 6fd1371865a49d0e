/** A server for tests that answers a request with octets: HTTP, gopher, or nonsense. */
import { createServer, type Socket } from 'node:net';
import { listen } from './ftp-peer.ts';

export interface TcpPeer {
  readonly host: string;
  readonly http: string;
  readonly gopher: string;
  /** What each connection sent, as far as it came in its first segment. */
  readonly requests: readonly string[];
}

/** @param answer - The octets for a request as latin1; undefined closes without any. */
export async function tcpPeer(answer: (request: string, socket: Socket) => string | undefined): Promise<TcpPeer> {
  const requests: string[] = [];
  const server = createServer((socket) => {
    socket.on('data', (chunk: Buffer) => {
      const request = chunk.toString('latin1');
      requests.push(request);
      const octets = answer(request, socket);
      if (octets === undefined) socket.destroy();
      else if (octets !== '') socket.end(octets, 'latin1');
    });
  });
  const host = `127.0.0.1:${await listen(server)}`;
  return { host, http: `http://${host}`, gopher: `gopher://${host}`, requests };
}

/** A response of HTTP/1.1 that ends with its connection. */
export function response(
  body: string,
  { status = '200 OK', headers = [] }: { status?: string; headers?: readonly string[] } = {},
): string {
  const fields = [`Content-Length: ${Buffer.byteLength(body, 'latin1')}`, 'Connection: close', ...headers];
  return `HTTP/1.1 ${status}\r\n${fields.join('\r\n')}\r\n\r\n${body}`;
}

export function pathOf(request: string): string {
  return /^\S+ (\S*)/.exec(request)?.[1] ?? '';
}
