/** `--retry` and its relatives: what is tried again, how often, and after how long. */
import type { LayerRequest, RetryOptions } from '@retriever/client';
import { RetrievalError } from '@retriever/driver';
import { Failure } from './failure.ts';
import type { Settings } from './settings.ts';

type RetrySettings = Pick<Settings, 'retry' | 'retryAllErrors' | 'retryMaxTime' | 'retryDelay' | 'fail'>;

/**
 * For what fails before its body.
 *
 * @param mayTry - Whether the transfer has attempts left; the hops and bodies of one transfer share them.
 */
export function retryOptions(settings: RetrySettings, mayTry: (request: LayerRequest) => boolean): RetryOptions {
  const { retry, retryAllErrors, retryDelay, retryMaxTime } = settings;
  return {
    attempts: retry + 1,
    ...(retryDelay !== undefined && { delay: retryDelay * 1000, maxDelay: retryDelay * 1000 }),
    ...(retryMaxTime && { maxTime: retryMaxTime * 1000 }),
    worthwhile: (error, request) =>
      mayTry(request) && (retryAllErrors || (error instanceof RetrievalError && error.temporary)),
  };
}

/** @param transfer - How often it was tried again, and how many milliseconds ago it began. */
export function mayTryAgain(
  { retries, elapsed }: { readonly retries: number; readonly elapsed: number },
  { retry, retryMaxTime }: RetrySettings,
): boolean {
  return retries < retry && (!retryMaxTime || elapsed < retryMaxTime * 1000);
}

/** Whether an error page is one that another attempt may save; if it is none with `-f`, it is what was asked for. */
export function isFailure({ temporary }: RetrievalError, { retryAllErrors, fail }: RetrySettings): boolean {
  return temporary || (retryAllErrors && fail !== 'no');
}

/** Whether a body that broke off is worth another attempt; as with curl a time-out always is. */
export function isWorthRepeating(error: unknown, { retryAllErrors }: RetrySettings): boolean {
  if (error instanceof Failure) return retryAllErrors && error.exitCode === 22;
  return error instanceof RetrievalError && (retryAllErrors || error.code === 'timeout');
}

/** Milliseconds before the next attempt, when there were so many after the first one. */
export function delayAfter(retries: number, { retryDelay }: RetrySettings): number {
  return retryDelay === undefined ? Math.min(60_000, 1000 * 2 ** retries) : retryDelay * 1000;
}
