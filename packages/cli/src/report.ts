/** What is told of each transfer, while it runs and when it is over. */
import type { Layer, LayerRequest, TraceRecord } from '@retriever/client';
import { exitCodeOf } from './exit-codes.ts';
import { BrokenPipe, messageOf } from './failure.ts';
import { HeaderDump, HeaderFile } from './header-dump.ts';
import { InOrder, type Lane, type Outlet } from './in-order.ts';
import { jsonLine } from './json-line.ts';
import { Messages } from './messages.ts';
import { isFailure, mayTryAgain } from './retrying.ts';
import { resultRecord } from './result-record.ts';
import type { Settings } from './settings.ts';
import { Descriptor, StandardOutput } from './standard-output.ts';
import { textForTerminal as harmless } from './terminal-text.ts';
import { Transfer } from './transfer.ts';
import { verboseLine } from './transcript.ts';
import { writeOut, writeOutFormat, type WrittenOut } from './write-out.ts';

/** A transfer with its own ways to stdout and to the file of headers: what several write there comes out in their order. */
export interface ReportedTransfer {
  readonly transfer: Transfer;
  readonly stdout: StandardOutput;
  readonly dump: HeaderDump | undefined;
  /** What the transfer writes to. */
  readonly lanes: readonly Lane[];
  /** Ends this transfer; every hop of it obeys. */
  readonly signal: AbortSignal;
  readonly trace: (record: TraceRecord) => void;
}

export class Report {
  readonly #settings: Settings;
  readonly #messages: Messages;
  readonly #warn: (text: string) => void;
  readonly #format: string | undefined;
  /** Where the dialogue is shown, if it is. */
  readonly #dialogue: Messages | undefined;
  readonly #headerFile: HeaderFile | undefined;
  readonly #stdout: InOrder;
  readonly #headers: InOrder | undefined;
  /** The latest error told of each transfer: what takes nothing is not told again for each thing it does not take. */
  readonly #told = new WeakMap<Transfer, string>();
  /** The transfers under way, by the signals that their requests carry. */
  readonly #bySignal = new WeakMap<AbortSignal, Transfer>();

  constructor(settings: Settings, messages: Messages, warn: (text: string) => void) {
    this.#settings = settings;
    this.#messages = messages;
    this.#warn = warn;
    this.#dialogue =
      settings.traceFile === undefined ? (settings.verbose ? messages : undefined) : new Messages(settings.traceFile);
    this.#format = settings.writeOut === undefined ? undefined : writeOutFormat(settings.writeOut);
    const { dumpHeader } = settings;
    this.#headerFile = dumpHeader === undefined || dumpHeader === '-' ? undefined : new HeaderFile(dumpHeader);
    this.#headers = this.#headerFile && new InOrder(this.#headerFile);
    this.#stdout = new InOrder(clearOfMeter(new Descriptor(1), messages));
  }

  /** Transfers come out in the order in which they begin. */
  begin(url: string, number: number, stop: AbortSignal): ReportedTransfer {
    const { head, parallel, dumpHeader } = this.#settings;
    const transfer = new Transfer(url, number, head);
    const signal = AbortSignal.any([stop]);
    this.#bySignal.set(signal, transfer);
    const lane = this.#stdout.lane();
    const headers = this.#headers?.lane();
    const stdout = new StandardOutput(lane);
    const prefix = parallel ? `[${number}] ` : '';
    return {
      transfer,
      stdout,
      dump: dumpHeader === undefined ? undefined : new HeaderDump(headers ?? stdout),
      lanes: headers ? [lane, headers] : [lane],
      signal,
      trace: (record) => {
        transfer.transcript.note(record);
        if (record.type === 'retrying') transfer.retries += 1;
        const line = this.#dialogue ? verboseLine(record) : undefined;
        if (line !== undefined) this.#dialogue?.line(prefix + line);
      },
    };
  }

  /** Whether the transfer that a request belongs to has attempts left. */
  readonly mayRetry = ({ signal }: LayerRequest): boolean =>
    this.#bySignal.get(signal!)!.retries < this.#settings.retry;

  /** Sees every hop; with `--retry` an error page that may pass is a failure until the last attempt. */
  readonly hops: Layer = (next) => async (request) => {
    const transfer = this.#bySignal.get(request.signal!)!;
    const retrieved = await next(request);
    const refusal = 'metadata' in retrieved ? retrieved.metadata.refusal : undefined;
    if (refusal && 'body' in retrieved && mayTryAgain(transfer, this.#settings) && isFailure(refusal, this.#settings)) {
      await retrieved.body?.cancel();
      throw refusal;
    }
    transfer.hops.push(retrieved);
    return retrieved;
  };

  /** Tells what became of the transfer; its exit code may change by it. */
  async end({ transfer, stdout, dump }: ReportedTransfer): Promise<void> {
    try {
      await dump?.add(transfer);
      if (transfer.error !== undefined) this.#tellError(transfer);
      if (this.#settings.json) await stdout.write(jsonLine(resultRecord(transfer)));
      for (const { to, text } of this.#writtenOut(transfer)) {
        if (to === 'stdout') await stdout.writeText(text);
        else this.#messages.text(harmless(text));
      }
    } catch (error) {
      this.failed(transfer, error);
    }
  }

  #writtenOut(transfer: Transfer): WrittenOut[] {
    const pieces = this.#format === undefined ? [] : writeOut(this.#format, transfer, this.#warn);
    if (!this.#settings.parallel) return pieces;
    // In one piece each: between two, another transfer would write its own.
    const joined = (wanted: WrittenOut['to']): string =>
      pieces.map(({ to, text }) => (to === wanted ? text : '')).join('');
    return (['stdout', 'stderr'] as const).map((to) => ({ to, text: joined(to) })).filter(({ text }) => text !== '');
  }

  /** What was retrieved well could not be written. */
  failed(transfer: Transfer, error: unknown): void {
    transfer.error = error;
    transfer.exitCode = exitCodeOf(error, { answered: false });
    this.#tellError(transfer);
  }

  #tellError(transfer: Transfer): void {
    const { error, exitCode, shownUrl } = transfer;
    const message = messageOf(error);
    if (this.#told.get(transfer) === message) return;
    this.#told.set(transfer, message);
    const { silent, showError, parallel } = this.#settings;
    if (error instanceof BrokenPipe || (silent && !showError)) return;
    const which = parallel ? ` (${shownUrl})` : '';
    this.#messages.error(exitCode, message + which);
  }

  close(): void {
    this.#headerFile?.close();
  }
}

/** Where stdout is a terminal, so is stderr in most cases, with the meter in the very line. */
function clearOfMeter(outlet: Outlet, messages: Messages): Outlet {
  if (!outlet.isTerminal) return outlet;
  return {
    isTerminal: true,
    write: (chunk) => {
      messages.makeRoom();
      return outlet.write(chunk);
    },
  };
}
