/** Gives a body up that comes too slowly: the idle clock sees silence only. */
import { createBody, RetrievalError, type Body } from '@retriever/driver';
import type { Url } from '@retriever/url';
import { failureOf } from '../failure.ts';
import { withBody, type Layer } from '../layer.ts';

export interface MinimumRateOptions {
  /** Octets a second that a body has on average at the least. */
  readonly bytesPerSecond: number;
  /** Milliseconds that the average is taken over, and that a body is given in any case; whole seconds count. */
  readonly time: number;
}

/** Fails a body that is slower. The time in which its reader is busy does not count. @throws RetrievalError `timeout`. */
export function minimumRate(options: MinimumRateOptions): Layer {
  return (next) => async (request) => {
    const retrieved = await next(request);
    return withBody(retrieved, (body) => watched(body, options, retrieved.url));
  };
}

function watched(body: Body, { bytesPerSecond, time }: MinimumRateOptions, url: Url): Body {
  const seconds = Math.max(1, Math.ceil(time / 1000));
  return createBody({
    size: body.size,
    cancel: (reason) => body.cancel(reason),
    pump: async (sink) => {
      /** Octets of the latest seconds, this one last. */
      const latest = [0];
      let readerIsBusy = false;
      let tooSlow: unknown;
      const clock = setInterval(() => {
        if (readerIsBusy) return;
        const octets = latest.reduce((sum, count) => sum + count);
        if (latest.length === seconds && octets < bytesPerSecond * seconds) {
          const message = `fewer than ${bytesPerSecond} octets a second came for ${seconds} s`;
          tooSlow ??= failureOf(new RetrievalError('timeout', message), url);
          void body.cancel(tooSlow).catch(() => undefined);
        }
        latest.push(0);
        if (latest.length > seconds) latest.shift();
      }, 1000);
      try {
        await body.pipeTo(async (chunk) => {
          latest[latest.length - 1]! += chunk.length;
          readerIsBusy = true;
          await sink(chunk);
          readerIsBusy = false;
        });
      } catch (error) {
        throw tooSlow ?? error;
      } finally {
        clearInterval(clock);
      }
    },
  });
}
