/** `-D FILE`: the headers of all transfers one after the other; for protocols without any, the replies as they came. */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Retrieved } from '@retriever/client';
import { Failure } from './failure.ts';
import { headerBlock } from './header-block.ts';
import type { Outlet } from './in-order.ts';
import type { StandardOutput } from './standard-output.ts';
import { textForTerminal } from './terminal-text.ts';
import type { Transfer } from './transfer.ts';

/** The header of one transfer on its way to where all headers go. */
export class HeaderDump {
  readonly #outlet: Outlet | StandardOutput;
  /** What is written already. */
  readonly #hops = new WeakSet<Retrieved>();
  #replies = 0;

  constructor(outlet: Outlet | StandardOutput) {
    this.#outlet = outlet;
  }

  /** Writes what came of it since it was last added. @throws Failure 23 */
  async add(transfer: Transfer): Promise<void> {
    const octets = transfer.url?.grammar === 'ftp' ? this.#newReplies(transfer) : this.#newHeaders(transfer);
    await this.#outlet.write(this.#outlet.isTerminal ? Buffer.from(textForTerminal(octets.toString())) : octets);
  }

  /** The headers of hops; another attempt has hops of its own. */
  #newHeaders({ hops, head }: Transfer): Buffer {
    const untold = hops.filter((hop) => !this.#hops.has(hop));
    for (const hop of untold) this.#hops.add(hop);
    return Buffer.concat(untold.flatMap((hop) => headerBlock(hop, !head) ?? []));
  }

  #newReplies({ transcript: { received } }: Transfer): Buffer {
    const untold = received.slice(this.#replies);
    this.#replies = received.length;
    return Buffer.from(untold.map((line) => `${line}\r\n`).join(''));
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
      for (let at = 0; at < octets.length;) at += writeSync(this.#fd, octets, at);
    } catch (error) {
      throw new Failure(23, `cannot write headers to ${this.#name}: ${(error as Error).message}`, error);
    }
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
  }
}
