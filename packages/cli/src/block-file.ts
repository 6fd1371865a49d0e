/** A file without a name that many share, in blocks: a command may have more transfers than a process may have files. */
import { randomUUID } from 'node:crypto';
import { ftruncateSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure, messageOf } from './failure.ts';

export const blockOctets: number = 256 * 1024;

/** Blocks are numbered; nobody else finds the file, and it is gone with the process. */
export class BlockFile {
  #file: number | undefined;
  #blocks = 0;
  readonly #free: number[] = [];

  /** A block that nobody uses. */
  allot(): number {
    return this.#free.pop() ?? this.#blocks++;
  }

  /** Takes a block back. When nobody has one any more, the disk gets its room back. */
  giveBack(block: number): void {
    this.#free.push(block);
    if (this.#free.length < this.#blocks) return;
    this.#free.length = this.#blocks = 0;
    if (this.#file !== undefined) ftruncateSync(this.#file);
  }

  /** @throws Failure 23 when the disk takes no more. */
  write(block: number, start: number, octets: Uint8Array): void {
    try {
      this.#file ??= unnamedFile();
      const from = block * blockOctets + start;
      for (let at = 0; at < octets.length;) at += writeSync(this.#file, octets, at, octets.length - at, from + at);
    } catch (error) {
      // The file's name is nobody's business.
      const reason = messageOf(error).replace(/, \w+( '.*')?$/, '');
      throw new Failure(23, `cannot keep octets until their turn in ${tmpdir()}: ${reason}`, error);
    }
  }

  /** The first octets of a block. */
  read(block: number, length: number): Uint8Array {
    const octets = Buffer.allocUnsafe(length);
    if (length === 0) return octets;
    return octets.subarray(0, readSync(this.#file!, octets, 0, length, block * blockOctets));
  }
}

function unnamedFile(): number {
  const name = join(tmpdir(), `retriever-${randomUUID()}`);
  const file = openSync(name, 'wx+', 0o600);
  unlinkSync(name);
  return file;
}
