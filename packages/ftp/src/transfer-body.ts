/** A transfer as a body, which ends the lease when it is over. */
import { createBody, type Body, type BodySink } from '@retriever/driver';
import type { Job } from './job.ts';
import { localNewlines } from './local-newlines.ts';
import { pumpTransfer, type Completeness, type Transfer } from './transfer.ts';

export interface TransferBodyOptions extends Completeness {
  /** How many octets the body will have, if that is sure. */
  readonly size?: number | undefined;
  /** Octets that were read already. */
  readonly head?: Uint8Array | undefined;
  /** Turn CR LF into LF. Default false. */
  readonly localNewlines?: boolean | undefined;
}

export function transferBody({ lease, access }: Job, transfer: Transfer, options: TransferBodyOptions): Body {
  const pump = async (sink: BodySink): Promise<void> => {
    try {
      if (options.head) await sink(options.head);
      lease.end(await pumpTransfer(transfer, sink, options));
    } catch (error) {
      access.signal.throwIfAborted();
      throw error;
    }
  };
  return createBody({
    size: options.size,
    async pump(sink) {
      if (!options.localNewlines) return pump(sink);
      const text = localNewlines(sink);
      await pump(text.take);
      await text.end();
    },
    cancel() {
      transfer.data.destroy();
      lease.end(false);
    },
  });
}
