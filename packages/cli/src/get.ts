/** `retriever [get] URL…`: each URL to its place, one after the other or several at once. */
import type { CredentialsSource } from '@retriever/client';
import { askForLogin, withPassword } from './ask.ts';
import { clientFor } from './client.ts';
import { BrokenPipe, UsageError } from './failure.ts';
import type { Messages } from './messages.ts';
import { Meter } from './meter.ts';
import { planRequests } from './request.ts';
import { Report } from './report.ts';
import type { Settings } from './settings.ts';
import { perform } from './perform.ts';
import type { TransferContext } from './transfer.ts';

/** What the transfers of one command have in common. */
export interface Job {
  readonly settings: Settings;
  readonly report: Report;
  readonly meter: Meter;
  readonly context: Pick<TransferContext, 'settings' | 'plan' | 'client' | 'messages'>;
  /** Aborts when the user gives up. */
  readonly signal: AbortSignal;
}

/** @returns The exit code of the last transfer, as curl has it. @throws UsageError */
export async function get(settings: Settings, messages: Messages, signal: AbortSignal): Promise<number> {
  const { urls, destinations } = settings;
  if (urls.length === 0) throw new UsageError('no URL given');
  const warn = (text: string): void => void (settings.silent || messages.line(`retriever: ${text}`));
  if (destinations.length > urls.length) warn('there are more -o and -O than URLs');
  const plan = planRequests(await withPassword(settings), warn);
  const report = new Report(settings, messages, warn);
  const meter = new Meter(messages, settings.silent || settings.verbose ? 'none' : settings.meter);
  // Who gave up at one question is not asked the next.
  const ask: CredentialsSource = (realm) => (signal.aborted ? undefined : meter.aside(() => askForLogin(realm)));
  const client = clientFor(settings, { hops: report.hops, mayRetry: report.mayRetry, warn, ask });
  const job: Job = { settings, report, meter, context: { settings, plan, client, messages }, signal };
  try {
    return await (settings.parallel ? (await import('./parallel.ts')).inParallel(job) : oneByOne(job));
  } finally {
    client.close();
    report.close();
  }
}

/** @returns The exit code of the last transfer. */
async function oneByOne({ settings, report, meter, context, signal }: Job): Promise<number> {
  let exitCode = 0;
  for (const [number, url] of settings.urls.entries()) {
    const reported = report.begin(url, number, signal);
    await perform(reported.transfer, settings.destinations[number], { ...context, ...reported, gauge: meter });
    if (signal.aborted) return 130;
    await report.end(reported);
    for (const lane of reported.lanes) await lane.end();
    ({ exitCode } = reported.transfer);
    if (reported.transfer.error instanceof BrokenPipe || (exitCode !== 0 && settings.failEarly)) break;
  }
  return exitCode;
}
