/** `-D FILE`: the headers of all transfers one after the other; for protocols without any, the replies as they came. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { Failure } from './failure.ts';
import { headerBlock } from './header-block.ts';
import type { StandardOutput } from './standard-output.ts';
import type { Transfer } from './transfer.ts';

export class HeaderDump {
  readonly #name: string;
  readonly #stdout: StandardOutput;
  #fd: number | undefined;
  /** How much of the transfer's header is written. */
  #transfer: Transfer | undefined;
  #written = 0;

  constructor(name: string, stdout: StandardOutput) {
    this.#name = name;
    this.#stdout = stdout;
  }

  /** Writes what came of it since it was last added. @throws Failure 23 */
  async add(transfer: Transfer): Promise<void> {
    const all = dumped(transfer);
    const octets = all.subarray(transfer === this.#transfer ? this.#written : 0);
    this.#transfer = transfer;
    this.#written = all.length;
    if (this.#name === '-')
      return this.#stdout.isTerminal ? this.#stdout.writeText(octets.toString()) : this.#stdout.write(octets);
    try {
      this.#fd ??= openSync(this.#name, 'w');
      writeSync(this.#fd, octets);
    } catch (error) {
      throw new Failure(23, `cannot write headers to ${this.#name}: ${(error as Error).message}`, error);
    }
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
  }
}

function dumped({ hops, head, url, transcript }: Transfer): Buffer {
  if (url?.grammar === 'ftp') return Buffer.from(transcript.received.map((line) => `${line}\r\n`).join(''));
  return Buffer.concat(hops.flatMap((hop) => headerBlock(hop, !head) ?? []));
}
