/** `-Z`: the transfers of one command at once. What they write and tell is the same as one after the other. */
import { isatty } from 'node:tty';
import { ClaimedFiles } from './claimed-files.ts';
import { BrokenPipe, Failure, UsageError } from './failure.ts';
import type { Job } from './get.ts';
import { fileWanted } from './output.ts';
import type { ReportedTransfer } from './report.ts';
import type { Settings } from './settings.ts';
import { SharedMeter } from './shared-meter.ts';
import { perform } from './perform.ts';

/** Transfers that are over but for their turn to write; each holds some octets in memory. */
const mostWaiting = 200;

/** @returns The exit code of the last URL that failed, 0 if none did. @throws UsageError */
export async function inParallel(job: Job): Promise<number> {
  const { settings, signal } = job;
  if (settings.connect) throw new UsageError('--connect wants the terminal for itself: it does not go with --parallel');
  const crew = new Crew(job);
  const workers = Array.from({ length: Math.min(settings.parallelMax, settings.urls.length) }, () => crew.work());
  // Whatever a full pipe still waits for, who gives up is done.
  const givenUp = Promise.withResolvers<'given up'>();
  signal.addEventListener('abort', () => givenUp.resolve('given up'), { once: true });
  const ended = await Promise.race([crew.finish(workers), givenUp.promise]);
  return ended === 'given up' || signal.aborted ? 130 : ended;
}

/** Whether the terminal shows what is retrieved, and not just how it gets on. */
function showsBodies(settings: Settings): boolean {
  return isatty(1) && settings.urls.some((_, number) => !fileWanted(settings.destinations[number], settings));
}

/** Workers who take the next URL from one list until it is empty, or until one failure is enough. */
class Crew {
  readonly #job: Job;
  readonly #urls: ArrayIterator<[number, string]>;
  readonly #meter: SharedMeter;
  readonly #claims = new ClaimedFiles();
  /** Ends all transfers: on Ctrl-C, with `--fail-early`, when nobody reads stdout any more. */
  readonly #enough = new AbortController();
  readonly #stop: AbortSignal;
  /** Transfers that are over and wait for their turn to write what they hold back. */
  readonly #waiting = new Set<Promise<void>>();
  readonly #exitCodes: number[] = [];

  constructor(job: Job) {
    this.#job = job;
    this.#urls = job.settings.urls.entries();
    this.#meter = new SharedMeter(job.meter, job.settings.urls.length);
    if (!showsBodies(job.settings)) this.#meter.begin();
    this.#stop = AbortSignal.any([job.signal, this.#enough.signal]);
  }

  /** One transfer after the other. */
  async work(): Promise<void> {
    const { settings, report, context } = this.#job;
    for (const [number, url] of this.#urls) {
      if (this.#stop.aborted) return;
      const reported = report.begin(url, number, this.#stop);
      const { transfer, lanes } = reported;
      const gauge = this.#meter.gauge();
      await perform(transfer, settings.destinations[number], { ...context, ...reported, gauge, claims: this.#claims });
      if (this.#stop.aborted) return lanes.forEach((lane) => lane.drop());
      await report.end(reported);
      this.#meter.done(transfer.exitCode === 0);
      this.#note(reported);
      const written = this.#written(reported).finally(() => this.#waiting.delete(written));
      if (!lanes.some((lane) => lane.holdsBack)) continue;
      this.#waiting.add(written);
      if (this.#waiting.size > mostWaiting) await written;
    }
  }

  /** @returns The exit code of them all. */
  async finish(workers: readonly Promise<void>[]): Promise<number> {
    await Promise.all(workers);
    this.#meter.end();
    await Promise.all(this.#waiting);
    return this.#exitCodes.findLast((code) => code > 0) ?? 0;
  }

  /** Waits until what the transfer wrote is out. */
  async #written(reported: ReportedTransfer): Promise<void> {
    const { transfer, lanes } = reported;
    try {
      for (const ended of lanes.map((lane) => lane.end())) await ended;
    } catch (error) {
      if (!this.#stop.aborted) this.#job.report.failed(transfer, error);
      this.#note(reported);
    }
  }

  #note({ transfer: { number, exitCode, error } }: ReportedTransfer): void {
    this.#exitCodes[number] = exitCode;
    if (error instanceof BrokenPipe || (exitCode !== 0 && this.#job.settings.failEarly))
      this.#enough.abort(new Failure(exitCode, 'the others need not go on'));
  }
}
