/** `-D FILE`: the headers of all transfers one after the other; for protocols without any, the replies as they came. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { Failure } from './failure.ts';
import { headerBlock } from './header-block.ts';
import type { Outlet } from './in-order.ts';
import type { StandardOutput } from './standard-output.ts';
import { textForTerminal } from './terminal-text.ts';
import type { Transfer } from './transfer.ts';

/** The header of one transfer on its way to where all headers go. */
export class HeaderDump {
  readonly #outlet: Outlet | StandardOutput;
  /** How much of the header is written. */
  #written = 0;

  constructor(outlet: Outlet | StandardOutput) {
    this.#outlet = outlet;
  }

  /** Writes what came of it since it was last added. @throws Failure 23 */
  async add(transfer: Transfer): Promise<void> {
    const all = dumped(transfer);
    // Another attempt begins anew.
    const octets = all.subarray(this.#written <= all.length ? this.#written : 0);
    this.#written = all.length;
    await this.#outlet.write(this.#outlet.isTerminal ? Buffer.from(textForTerminal(octets.toString())) : octets);
  }
}

/** The file of `-D`, opened when the first header comes. */
export class HeaderFile implements Outlet {
  readonly isTerminal = false;
  readonly #name: string;
  #fd: number | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  /** @throws Failure 23 */
  write(octets: Uint8Array): void {
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
