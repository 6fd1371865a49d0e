/** Closing everything at once, at any moment. */
import type { Socket } from 'node:net';

/**
 * Destroys the sockets, the last one opened first: TLS before the connection that it runs over. The other way round Node (24)
 * frees the TLS state within the tick, and crashes when that is the one in which the handshake ends.
 */
export function destroyAll(sockets: Iterable<Socket>, error?: Error): void {
  for (const socket of [...sockets].toReversed()) socket.destroy(error);
}
