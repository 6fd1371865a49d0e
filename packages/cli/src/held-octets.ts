/** Octets that wait for their turn: a few in memory, many in a file that has no name. */
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure, messageOf } from './failure.ts';

/** Beyond it the octets go to disk: memory does not grow with bodies. */
const mostInMemory = 64 * 1024;
const readAtOnce = 256 * 1024;

export class HeldOctets {
  #chunks: Buffer[] = [];
  #inMemory = 0;
  #file: number | undefined;
  #written = 0;
  #taken = 0;

  /** @throws Failure 23 when the disk takes no more. */
  add(chunk: Uint8Array): void {
    if (this.#file === undefined && this.#inMemory + chunk.length <= mostInMemory) {
      this.#chunks.push(Buffer.from(chunk));
      this.#inMemory += chunk.length;
      return;
    }
    try {
      this.#file ??= unnamedFile();
      for (const held of this.#chunks.splice(0)) this.#append(held);
      this.#append(chunk);
    } catch (error) {
      throw new Failure(23, `cannot keep octets until their turn in ${tmpdir()}: ${messageOf(error)}`, error);
    }
  }

  /** The oldest octets there are; undefined when there are none (any more). */
  take(): Uint8Array | undefined {
    const first = this.#chunks.shift();
    if (first) {
      this.#inMemory -= first.length;
      return first;
    }
    if (this.#file === undefined || this.#taken === this.#written) return undefined;
    const octets = Buffer.allocUnsafe(Math.min(readAtOnce, this.#written - this.#taken));
    const count = readSync(this.#file, octets, 0, octets.length, this.#taken);
    this.#taken += count;
    return octets.subarray(0, count);
  }

  /** Forgets what is left. */
  close(): void {
    this.#chunks = [];
    this.#taken = this.#written;
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #append(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      const count = writeSync(this.#file!, chunk, at, chunk.length - at, this.#written);
      at += count;
      this.#written += count;
    }
  }
}

/** Nobody else finds it, and it is gone with the process. */
function unnamedFile(): number {
  const name = join(tmpdir(), `retriever-${randomUUID()}`);
  const file = openSync(name, 'wx+', 0o600);
  unlinkSync(name);
  return file;
}
