/** Limits: how long a body may be. */
import { createBody, RetrievalError, type Body } from '@retriever/driver';
import type { Url } from '@retriever/url';
import { failureOf } from '../failure.ts';
import { withBody, type Layer } from '../layer.ts';

export interface LimitOptions {
  /** Octets of a body. A body announced longer is refused before it is read. Default: no limit. */
  readonly maxBytes?: number;
}

/** Refuses bodies longer than `maxBytes`. @throws RetrievalError `limit`. */
export function limit({ maxBytes = Infinity }: LimitOptions = {}): Layer {
  if (maxBytes === Infinity) return (next) => next;
  return (next) => async (request) => {
    const retrieved = await next(request);
    if (!('body' in retrieved) || !retrieved.body) return retrieved;
    const { body } = retrieved;
    if (body.size !== undefined && body.size > maxBytes) {
      await body.cancel();
      throw failureOf(tooLong(maxBytes, `it has ${body.size}`), retrieved.url);
    }
    return withBody(retrieved, () => limited(body, maxBytes, retrieved.url));
  };
}

function limited(body: Body, maxBytes: number, url: Url): Body {
  return createBody({
    size: body.size,
    pump: (sink) => {
      let octets = 0;
      return body.pipeTo((chunk) => {
        octets += chunk.length;
        if (octets > maxBytes) throw failureOf(tooLong(maxBytes, 'more came'), url);
        return sink(chunk);
      });
    },
    cancel: (reason) => body.cancel(reason),
  });
}

function tooLong(maxBytes: number, found: string): RetrievalError {
  return new RetrievalError('limit', `the body may have ${maxBytes} octets at the most; ${found}`);
}
