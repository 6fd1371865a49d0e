/** The body of an open file: one buffer, read again and again. */
import { Buffer } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { createBody, RetrievalError, type Body } from '@retriever/driver';
import { failureOf } from './failure.ts';

/** Octets read at a time; larger reads gain nothing. */
const bufferSize = 1024 * 1024;

export interface Extent {
  /** Offset of the first octet; null reads on from where the file stands (devices, FIFOs). */
  readonly start: number | null;
  /** How many octets must come; undefined for all until the end. */
  readonly length: number | undefined;
}

/** Reads the extent and closes the handle: at the end, on failure, on cancellation and when the signal aborts. */
export function fileBody(handle: FileHandle, { start, length }: Extent, signal: AbortSignal): Body {
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    signal.removeEventListener('abort', onAbort);
    return (closing ??= handle.close());
  };
  const fail = (error: unknown): never => {
    signal.throwIfAborted();
    throw failureOf(error);
  };
  const onAbort = (): void => void close();
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  return createBody({
    size: length,
    async pump(sink) {
      try {
        const buffer = Buffer.allocUnsafeSlow(Math.max(1, Math.min(bufferSize, length ?? bufferSize)));
        for (let done = 0; done < (length ?? Infinity);) {
          signal.throwIfAborted();
          const wanted = Math.min(buffer.length, (length ?? Infinity) - done);
          const { bytesRead } = await handle.read(buffer, 0, wanted, start === null ? null : start + done).catch(fail);
          signal.throwIfAborted();
          if (bytesRead === 0) return requireAll(done, length);
          done += bytesRead;
          await sink(buffer.subarray(0, bytesRead));
        }
      } finally {
        await close();
      }
    },
    cancel: close,
  });
}

function requireAll(done: number, length: number | undefined): void {
  if (length === undefined) return;
  throw new RetrievalError('incomplete', `the file became shorter while it was read: ${done} of ${length} octets`, {
    temporary: true,
  });
}
