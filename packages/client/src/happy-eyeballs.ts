/** Connecting to a host with several addresses (RFC 8305): the next is tried while the last one still hesitates. */
import type { LookupAddress } from 'node:dns';
import type { Socket } from 'node:net';

export interface HappyEyeballsOptions {
  /** Milliseconds an attempt gets before the next starts beside it. Default 250 (RFC 8305 §5). */
  readonly attemptDelay?: number;
  readonly signal: AbortSignal;
}

/** The first socket that connects; all others are destroyed. @throws the first error there was when none does. */
export function firstConnected(
  addresses: readonly LookupAddress[],
  dial: (address: LookupAddress) => Socket,
  { attemptDelay = 250, signal }: HappyEyeballsOptions,
): Promise<Socket> {
  const queue = interleaved(addresses);
  const attempts = new Set<Socket>();
  let firstError: Error | undefined;
  let timer: NodeJS.Timeout | undefined;
  return new Promise<Socket>((resolve, reject) => {
    const settle = (winner?: Socket): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      queue.length = 0;
      for (const socket of attempts) if (socket !== winner) socket.destroy();
    };
    const onAbort = (): void => {
      settle();
      reject(signal.reason as Error);
    };
    const next = (): void => {
      clearTimeout(timer);
      const address = queue.shift();
      if (!address) return;
      const socket = dial(address);
      attempts.add(socket);
      const onError = (error: Error): void => {
        attempts.delete(socket);
        firstError ??= error;
        if (queue.length > 0) next();
        else if (attempts.size === 0) {
          settle();
          reject(firstError);
        }
      };
      socket.once('error', onError);
      socket.once('connect', () => {
        socket.off('error', onError);
        settle(socket);
        resolve(socket);
      });
      if (queue.length > 0) timer = setTimeout(next, attemptDelay);
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    next();
  });
}

/** Addresses with the families taking turns, the resolver's first choice first (RFC 8305 §4). */
function interleaved(addresses: readonly LookupAddress[]): LookupAddress[] {
  if (addresses.length < 2) return [...addresses];
  const first = addresses.filter(({ family }) => family === addresses[0]?.family);
  const second = addresses.filter(({ family }) => family !== addresses[0]?.family);
  return first.flatMap((address, n) => [address, ...second.slice(n, n + 1)]).concat(second.slice(first.length));
}
