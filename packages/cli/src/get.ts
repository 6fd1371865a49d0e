/** `retriever [get] URL…`: each URL in order, each to its place. */
import { jsonLine } from './json-line.ts';
import type { Layer, TraceRecord } from '@retriever/client';
import { askForPassword } from './ask.ts';
import { clientFor } from './client.ts';
import { exitCodeOf } from './exit-codes.ts';
import { BrokenPipe, messageOf, UsageError } from './failure.ts';
import { HeaderDump } from './header-dump.ts';
import { Messages } from './messages.ts';
import { Meter } from './meter.ts';
import { planRequests } from './request.ts';
import { resultRecord } from './result-record.ts';
import type { Settings } from './settings.ts';
import { StandardOutput } from './standard-output.ts';
import { perform, Transfer, type TransferContext } from './transfer.ts';
import { textForTerminal as harmless } from './terminal-text.ts';
import { verboseLine } from './transcript.ts';
import { writeOut, writeOutFormat } from './write-out.ts';

/** @returns The exit code of the last transfer, as curl has it. @throws UsageError */
export async function get(settings: Settings, messages: Messages, signal: AbortSignal): Promise<number> {
  const { urls, destinations } = settings;
  if (urls.length === 0) throw new UsageError('no URL given');
  const warn = (text: string): void => void (settings.silent || messages.line(`retriever: ${text}`));
  if (destinations.length > urls.length) warn('there are more -o and -O than URLs');
  const plan = planRequests(await withPassword(settings), warn);
  const report = new Report(settings, messages, warn);
  const client = clientFor(settings, report);
  const meter = new Meter(messages, settings.silent || settings.verbose ? 'none' : settings.meter);
  const { stdout, dump } = report;
  const context: TransferContext = { settings, plan, client, stdout, dump, messages, meter, signal };
  let exitCode = 0;
  try {
    for (const [number, url] of urls.entries()) {
      const transfer = report.begin(new Transfer(url, number, settings.head));
      await perform(transfer, destinations[number], context);
      exitCode = await report.end(signal);
      if (signal.aborted || transfer.error instanceof BrokenPipe || (exitCode !== 0 && settings.failEarly)) break;
    }
  } finally {
    client.close();
    report.close();
  }
  return exitCode;
}

/** `-u USER` leaves the password to be asked for. */
async function withPassword(settings: Settings): Promise<Settings> {
  const { user } = settings;
  if (user === undefined || user.includes(':')) return settings;
  return { ...settings, user: `${user}:${await askForPassword(user)}` };
}

/** What is told of each transfer, while it runs and when it is over. */
class Report {
  readonly stdout: StandardOutput = new StandardOutput();
  readonly dump: HeaderDump | undefined;
  readonly #settings: Settings;
  readonly #messages: Messages;
  readonly #warn: (text: string) => void;
  readonly #format: string | undefined;
  /** Where the dialogue is shown, if it is. */
  readonly #dialogue: Messages | undefined;
  #transfer: Transfer = new Transfer('', 0, false);

  constructor(settings: Settings, messages: Messages, warn: (text: string) => void) {
    this.#settings = settings;
    this.#messages = messages;
    this.#warn = warn;
    this.#dialogue =
      settings.traceFile === undefined ? (settings.verbose ? messages : undefined) : new Messages(settings.traceFile);
    this.#format = settings.writeOut === undefined ? undefined : writeOutFormat(settings.writeOut);
    this.dump = settings.dumpHeader === undefined ? undefined : new HeaderDump(settings.dumpHeader, this.stdout);
  }

  begin(transfer: Transfer): Transfer {
    return (this.#transfer = transfer);
  }

  readonly trace = (record: TraceRecord): void => {
    this.#transfer.transcript.note(record);
    const line = this.#dialogue ? verboseLine(record) : undefined;
    if (line !== undefined) this.#dialogue?.line(line);
  };

  /** Sees every hop; with `--retry` an error page that may pass is a failure until the last attempt. */
  readonly hops: Layer = (next) => async (request) => {
    const transfer = this.#transfer;
    transfer.attempts += 1;
    const retrieved = await next(request);
    const refusal = 'metadata' in retrieved ? retrieved.metadata.refusal : undefined;
    if (refusal?.temporary && 'body' in retrieved && transfer.attempts <= this.#settings.retry) {
      await retrieved.body?.cancel();
      throw refusal;
    }
    transfer.hops.push(retrieved);
    return retrieved;
  };

  /** @returns The transfer's exit code. */
  async end(signal: AbortSignal): Promise<number> {
    const transfer = this.#transfer;
    if (signal.aborted) return (transfer.exitCode = 130);
    try {
      await this.dump?.add(transfer);
      if (transfer.error !== undefined) this.#tellError(transfer);
      if (this.#settings.json) await this.stdout.write(jsonLine(resultRecord(transfer)));
      for (const { to, text } of this.#format === undefined ? [] : writeOut(this.#format, transfer, this.#warn)) {
        if (to === 'stdout') await this.stdout.writeText(text);
        else this.#messages.raw(harmless(text));
      }
    } catch (error) {
      transfer.error = error;
      transfer.exitCode = exitCodeOf(error, { answered: false });
      this.#tellError(transfer);
    }
    return transfer.exitCode;
  }

  #tellError({ error, exitCode }: Transfer): void {
    const { silent, showError } = this.#settings;
    if (error instanceof BrokenPipe || (silent && !showError)) return;
    this.#messages.error(exitCode, messageOf(error));
  }

  close(): void {
    this.dump?.close();
  }
}
