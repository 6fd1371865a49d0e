/** Tells how a body gets on. */
import { createBody, type Body } from '@retriever/driver';
import type { Url } from '@retriever/url';
import { withBody, type Layer } from '../layer.ts';

export interface Progress {
  readonly url: Url;
  /** Octets of the body so far. */
  readonly octets: number;
  /** Octets there will be, if known. */
  readonly size: number | undefined;
  readonly done: boolean;
}

/** Calls `report` for each chunk of a body and once at its end. Called often: keep it short. */
export function progress(report: (progress: Progress) => void): Layer {
  return (next) => async (request) => {
    const retrieved = await next(request);
    return withBody(retrieved, (body) =>
      counted(body, (octets, done) => report({ url: retrieved.url, octets, size: body.size, done })),
    );
  };
}

function counted(body: Body, report: (octets: number, done: boolean) => void): Body {
  return createBody({
    size: body.size,
    pump: async (sink) => {
      let octets = 0;
      await body.pipeTo((chunk) => {
        octets += chunk.length;
        const taken = sink(chunk);
        report(octets, false);
        return taken;
      });
      report(octets, true);
    },
    cancel: (reason) => body.cancel(reason),
  });
}
