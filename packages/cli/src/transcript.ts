/** What the trace tells during one transfer: `-v`'s lines, the times and names of `-w`, the replies of `-D`. */
import { performance } from 'node:perf_hooks';
import type { TraceRecord } from '@retriever/client';

/** A trace record as curl would show it; undefined for what is of no interest. */
export function verboseLine(record: TraceRecord): string | undefined {
  switch (record.type) {
    case 'sent':
      return `> ${record.text}`;
    case 'received':
      return `< ${record.text}`;
    case 'note':
      return `* ${record.text}`;
    case 'resolved':
      return `* ${record.host} is ${record.addresses.join(', ')}`;
    case 'connecting':
      return `*   Trying ${bracketed(record.address)}:${record.port}...`;
    case 'connected':
      return `* Connected to ${record.host} (${record.address}) port ${record.port}`;
    case 'secured':
      return `* Secured by ${record.protocol}, ${record.cipher}${record.resumed ? ', session resumed' : ''}`;
    case 'leased':
      return record.reused ? '* Using the open session again' : undefined;
    case 'released':
      return '* The session is left open';
    case 'discarded':
      return '* Closing the session';
    case 'redirected':
      return `* Going on to ${record.target}`;
    case 'retrying':
      return `* Attempt ${record.attempt} in ${record.delayMs / 1000} s, because ${record.reason}`;
    default:
      return undefined;
  }
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** Facts of a transfer that only its trace tells. */
export class Transcript {
  readonly startedAt: number = performance.now();
  /** Milliseconds from the start; undefined for what did not happen. */
  readonly times: { resolved?: number; connected?: number; secured?: number } = {};
  connections = 0;
  address = '';
  port = 0;
  /** `1.0` or `1.1`, from the latest status line. */
  httpVersion: string | undefined;
  /** The last line sent. */
  sent: string | undefined;
  /** The URL of the hop under way. */
  url: { readonly scheme: string } | undefined;
  /** Lines received on control connections, for `-D`. */
  readonly received: string[] = [];

  note(record: TraceRecord): void {
    const now = performance.now() - this.startedAt;
    this.url = { scheme: record.url.slice(0, record.url.indexOf(':')).toLowerCase() };
    if (record.type === 'sent') this.sent = record.text;
    else if (record.type === 'resolved') this.times.resolved ??= now;
    else if (record.type === 'connected') {
      this.times.connected ??= now;
      if (this.connections === 0) ({ address: this.address, port: this.port } = record);
      this.connections += 1;
    } else if (record.type === 'secured') this.times.secured ??= now;
    else if (record.type === 'received') {
      this.httpVersion = /^HTTP\/(\d\.\d) /.exec(record.text)?.[1] ?? this.httpVersion;
      this.received.push(record.text);
    }
  }
}
