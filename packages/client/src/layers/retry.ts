/** Tries again what failed for the time being. Only what failed before its body began: the rest is for resuming, not repeating. */
import { setTimeout as sleep } from 'node:timers/promises';
import { RetrievalError } from '@retriever/driver';
import type { Layer, LayerRequest } from '../layer.ts';

export interface RetryOptions {
  /** Attempts in all. Default 3. */
  readonly attempts?: number;
  /** Milliseconds before the second attempt; doubles each time. Default 1,000. */
  readonly delay?: number;
  /** The longest wait, in milliseconds. Default 60,000. */
  readonly maxDelay?: number;
  /** Milliseconds from the beginning after which nothing is tried again. Default: no limit. */
  readonly maxTime?: number;
  /** Which errors are worth another attempt. Default: those that are `temporary`. */
  readonly worthwhile?: (error: unknown, request: LayerRequest) => boolean;
}

/** Repeats a retrieval whose error is `temporary`. */
export function retry({
  attempts = 3,
  delay = 1000,
  maxDelay = 60_000,
  maxTime = Infinity,
  worthwhile = isTemporary,
}: RetryOptions = {}): Layer {
  return (next) => async (request) => {
    const start = Date.now();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await next(request);
      } catch (error) {
        if (attempt >= attempts || request.signal?.aborted || !worthwhile(error, request)) throw error;
        if (Date.now() - start >= maxTime) throw error;
        const delayMs = Math.min(maxDelay, delay * 2 ** (attempt - 1));
        if (pastDeadline(request, delayMs)) throw error;
        request.trace?.({ type: 'retrying', attempt: attempt + 1, delayMs, reason: messageOf(error) });
        await pause(delayMs, request.signal);
      }
    }
  };
}

function isTemporary(error: unknown): boolean {
  return error instanceof RetrievalError && error.temporary;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function pastDeadline({ deadlineAt }: LayerRequest, delayMs: number): boolean {
  return deadlineAt !== undefined && Date.now() + delayMs >= deadlineAt;
}

/** Sleeps; an abort rejects with the caller's own reason, as everywhere. */
async function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(delayMs, undefined, signal ? { signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
