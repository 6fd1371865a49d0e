/** A body whose octets come from the session itself; when it is over, well or not, so is the lease. */
import { createBody, RetrievalError, type Body, type BodySink } from '@retriever/driver';
import type { Job } from './job.ts';

export function sessionBody({ lease, access }: Job, pump: (sink: BodySink) => Promise<void>): Body {
  return createBody({
    async pump(sink) {
      try {
        await pump(sink);
      } catch (error) {
        // Whatever broke because of the abort, the abort is the reason.
        access.signal.throwIfAborted();
        throw error;
      } finally {
        lease.end();
      }
    },
    cancel: () => lease.end(),
  });
}

/** @throws RetrievalError `limit` when more than `maxBytes` come. */
export function boundedSink(sink: BodySink, maxBytes: number): BodySink {
  let count = 0;
  return (chunk) => {
    count += chunk.length;
    if (count > maxBytes) throw new RetrievalError('limit', `the listing has more than ${maxBytes} octets`);
    return sink(chunk);
  };
}
