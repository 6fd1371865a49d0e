/** TLS over an open connection, its session remembered for the connections that must resume it. */
import { isIP, type Socket } from 'node:net';
import { connect as tlsConnect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { connectionLost, RetrievalError, type TlsRequest } from '@retriever/driver';
import type { DialScope } from './dialler.ts';
import { systemFailureOf } from './failure.ts';

/** The newest session of a connection. TLS 1.3 tickets come after the handshake, and each resumes once (RFC 8446 §4.6.1). */
const sessions = new WeakMap<Socket, Buffer>();

export interface SecuredConnection {
  readonly socket: TLSSocket;
  /** Resolves with the socket when the certificate is verified. */
  readonly secured: Promise<TLSSocket>;
  /** What an error of the socket means, during the handshake and after it. */
  readonly explain: (error: Error) => Error;
}

/** Begins a handshake. The socket can be written to at once. */
export function secure(
  socket: Socket,
  options: ConnectionOptions,
  request: TlsRequest & { readonly serverName: string },
  scope: DialScope,
): SecuredConnection {
  const { serverName, resume, alpn } = request;
  const session = resume && sessions.get(resume);
  const secured = tlsConnect({
    ...options,
    socket,
    // RFC 6066 §3: no address in a server name; the certificate is checked against `host` then.
    ...(isIP(serverName) ? { host: serverName } : { servername: serverName }),
    ...(alpn && { ALPNProtocols: [...alpn] }),
    ...(session && { session }),
  });
  secured.on('session', (ticket: Buffer) => sessions.set(secured, ticket));
  scope.own(secured);
  const ready = new Promise<TLSSocket>((resolve, reject) => {
    secured.once('error', (error) => reject(tlsFailure(serverName, error)));
    secured.once('close', () => reject(tlsFailure(serverName, new Error('the connection was closed'))));
    secured.once('secureConnect', () => {
      const protocol = secured.getProtocol() ?? 'TLS';
      scope.report({
        type: 'secured',
        protocol,
        cipher: secured.getCipher().name,
        resumed: secured.isSessionReused(),
      });
      resolve(secured);
    });
  });
  let handshaking = true;
  ready.then(
    () => (handshaking = false),
    () => undefined,
  );
  const explain = (error: Error): Error => (handshaking ? tlsFailure(serverName, error) : connectionLost(error));
  return { socket: secured, secured: ready, explain };
}

function tlsFailure(serverName: string, error: Error): Error {
  if (error instanceof RetrievalError || error.name === 'AbortError') return error;
  return new RetrievalError('unreachable', `no TLS with ${serverName}: ${error.message}`, {
    cause: error,
    // A certificate does not get better by asking again; a connection may.
    temporary: systemFailureOf(error) !== undefined,
  });
}
