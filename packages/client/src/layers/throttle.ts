/** Bounds the average rate of a body. The sink waits, and the peer with it: back pressure is all it takes. */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBody, type Body, type BodySink } from '@retriever/driver';
import { withBody, type Layer } from '../layer.ts';

export interface ThrottleOptions {
  /** Octets a second that a body has on average at the most. */
  readonly bytesPerSecond: number;
}

/** A chunk goes on in pieces of so many a second: a slow body shall flow, not jump. */
const piecesPerSecond = 8;

/** Slows bodies down to `bytesPerSecond`, each by itself. */
export function throttle({ bytesPerSecond }: ThrottleOptions): Layer {
  return (next) => async (request) =>
    withBody(await next(request), (body) => throttled(body, bytesPerSecond, request.signal));
}

function throttled(body: Body, bytesPerSecond: number, signal: AbortSignal | undefined): Body {
  const atOnce = Math.max(1, Math.floor(bytesPerSecond / piecesPerSecond));
  const over = new AbortController();
  const stop = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  const slowed = (sink: BodySink): BodySink => {
    const start = performance.now();
    let octets = 0;
    return async (chunk) => {
      for (let at = 0; at < chunk.length; at += atOnce) {
        const piece = chunk.subarray(at, at + atOnce);
        await sink(piece);
        octets += piece.length;
        const aheadMs = (octets * 1000) / bytesPerSecond - (performance.now() - start);
        // A timer fires a millisecond late: shorter waits add up to nothing.
        if (aheadMs > 1) await sleep(aheadMs, undefined, { signal: stop });
      }
    };
  };
  return createBody({
    size: body.size,
    pump: (sink) => body.pipeTo(slowed(sink)),
    cancel: (reason) => {
      over.abort(reason);
      return body.cancel(reason);
    },
  });
}
