/** The trace: what happens on the wire and around it, one event at a time, without secrets. */
import { channel } from 'node:diagnostics_channel';
import type { TraceEvent } from '@retriever/driver';
import { redact, type Url } from '@retriever/url';

/** A trace event with where and when it happened. */
export type TraceRecord = TraceEvent & {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Counts retrievals from 1; the same for all events of one hop. */
  readonly retrieval: number;
  /** The URL, its password masked. */
  readonly url: string;
};

/** The `node:diagnostics_channel` every record is published on, from every client of the process. */
export const traceChannelName = 'retriever:trace';

const traceChannel = channel(traceChannelName);
let retrievals = 0;

/** Secrets shorter than this are masked by the drivers only: masking them everywhere would garble the trace. */
const shortestMaskedSecret = 3;

/** The trace of one retrieval. */
export class Trace {
  readonly #listener: ((record: TraceRecord) => void) | undefined;
  readonly #url: Url;
  readonly #retrieval = (retrievals += 1);
  readonly #secrets = new Set<string>();
  /** Made when somebody listens. */
  #shownUrl: string | undefined;

  constructor(url: Url, listener: ((record: TraceRecord) => void) | undefined) {
    this.#url = url;
    this.#listener = listener;
  }

  /** Masks this text in everything reported from now on, whoever says it: a peer may echo a password. */
  hide(secret: string | undefined): void {
    if (secret !== undefined && secret.length >= shortestMaskedSecret) this.#secrets.add(secret);
  }

  /** The text without the secrets. */
  masked(text: string): string {
    let masked = text;
    for (const secret of this.#secrets) masked = masked.replaceAll(secret, '***');
    return masked;
  }

  report(event: TraceEvent): void {
    if (!this.#listener && !traceChannel.hasSubscribers) return;
    const shown = 'text' in event ? { ...event, text: this.masked(event.text) } : event;
    const record: TraceRecord = {
      ...shown,
      time: Date.now(),
      retrieval: this.#retrieval,
      url: (this.#shownUrl ??= redact(this.#url)),
    };
    this.#tell(record);
    traceChannel.publish(record);
  }

  /** A listener's error is its own, never the retrieval's: it is uncaught, as `node:diagnostics_channel` has it. */
  #tell(record: TraceRecord): void {
    try {
      this.#listener?.(record);
    } catch (error) {
      process.nextTick(() => {
        throw error;
      });
    }
  }
}
