/** Pulling octets: from a socket that carries a dialogue, or from octets at hand. */
import type { Socket } from 'node:net';
import type { OctetSource } from './access.ts';
import { RetrievalError } from './retrieval-error.ts';

/**
 * Pulls octets from a socket in paused mode, so that nothing is read ahead of a TLS upgrade or of the consumer.
 *
 * A connection error rejects with the RetrievalError the client destroyed the socket with, or with `incomplete`.
 */
export function socketSource(socket: Socket): OctetSource {
  let failure: Error | undefined;
  let ended = false;
  let wake = (): void => undefined;
  const settle = (): void => wake();
  socket.on('readable', settle);
  socket.on('end', () => {
    ended = true;
    settle();
  });
  socket.on('error', (error) => {
    failure ??= error;
    settle();
  });
  socket.on('close', () => {
    // Destroyed without an error and without an end: somebody closed it under the reader.
    if (!ended) failure ??= new RetrievalError('incomplete', 'the connection was closed');
    settle();
  });
  return {
    async read() {
      for (;;) {
        const chunk = socket.read() as Uint8Array | null;
        if (chunk !== null) return chunk;
        if (failure) throw connectionLost(failure);
        if (ended || socket.readableEnded) return undefined;
        if (socket.destroyed) throw connectionLost(new Error('the connection is closed'));
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

/** What a broken connection means to a retrieval; errors that already say it pass through. */
export function connectionLost(error: Error): Error {
  if (error instanceof RetrievalError || error.name === 'AbortError') return error;
  return new RetrievalError('incomplete', `the connection was lost: ${error.message}`, {
    cause: error,
  });
}

/** Octets at hand, in the chunks given. */
export function chunkSource(chunks: Iterable<Uint8Array>): OctetSource {
  const iterator = chunks[Symbol.iterator]();
  return {
    async read() {
      const next = iterator.next();
      return next.done ? undefined : next.value;
    },
  };
}
