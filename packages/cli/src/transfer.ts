/** A transfer: what it works with, and what became of it. */
import { performance } from 'node:perf_hooks';
import type { Client, Retrieved, TraceRecord } from '@retriever/client';
import type { Metadata } from '@retriever/driver';
import { redact, redactText, type Url } from '@retriever/url';
import type { ClaimedFiles } from './claimed-files.ts';
import type { HeaderDump } from './header-dump.ts';
import type { Messages } from './messages.ts';
import type { RequestPlan } from './request.ts';
import type { Settings } from './settings.ts';
import type { Gauge } from './shared-meter.ts';
import type { StandardOutput } from './standard-output.ts';
import { Transcript } from './transcript.ts';

/** What a transfer works with: some of it is the command's, some its own. */
export interface TransferContext {
  readonly settings: Settings;
  readonly plan: RequestPlan;
  readonly client: Client;
  readonly messages: Messages;
  readonly stdout: StandardOutput;
  readonly dump: HeaderDump | undefined;
  readonly gauge: Gauge;
  /** The files that are taken, where transfers run at once. */
  readonly claims?: ClaimedFiles;
  readonly signal: AbortSignal;
  readonly trace: (record: TraceRecord) => void;
}

/** What became of a URL; `-w` and `--json` tell of it. */
export class Transfer {
  readonly given: string;
  readonly number: number;
  /** Only its header is wanted. */
  readonly head: boolean;
  url: Url | undefined;
  /** Every hop in order, the last among them. */
  readonly hops: Retrieved[] = [];
  /** Attempts after the first one. */
  retries = 0;
  retrieved: Retrieved | undefined;
  readonly transcript: Transcript = new Transcript();
  /** Octets of the body that came. */
  octets = 0;
  headerOctets = 0;
  file: string | undefined;
  /** The whole body or the entries, for `--json` where they go nowhere else. */
  content: Record<string, unknown> = {};
  error: unknown;
  exitCode = 0;
  /** Milliseconds from the start; undefined until then. */
  startedBodyAt: number | undefined;
  endedAt = 0;

  constructor(given: string, number: number, head: boolean) {
    this.given = given;
    this.number = number;
    this.head = head;
  }

  /** The URL as it may be shown: without its password, whether or not it could be read. */
  get shownUrl(): string {
    return this.url ? redact(this.url) : redactText(this.given);
  }

  /** Nothing that came so far counts. */
  beginAnew(): void {
    this.retrieved = undefined;
    this.octets = 0;
    this.headerOctets = 0;
    this.startedBodyAt = undefined;
  }

  /** What was retrieved, or what came last before a failure. */
  get last(): Retrieved | undefined {
    return this.retrieved ?? this.hops.at(-1);
  }

  get metadata(): Metadata | undefined {
    const { last } = this;
    return last && 'metadata' in last ? last.metadata : undefined;
  }

  get elapsed(): number {
    return performance.now() - this.transcript.startedAt;
  }
}
