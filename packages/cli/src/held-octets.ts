/** Octets that wait for their turn: a few in memory, many in a file. */
import { blockOctets, type BlockFile } from './block-file.ts';

/** Beyond it the octets go to disk: memory does not grow with bodies. */
const mostInMemory = 64 * 1024;

export class HeldOctets {
  readonly #file: BlockFile;
  /** What is in memory; nothing when there are blocks. */
  #chunks: Buffer[] = [];
  #inMemory = 0;
  /** The blocks in the file, oldest first; all but the last are full. */
  #blocks: number[] = [];
  #inLastBlock = 0;

  constructor(file: BlockFile) {
    this.#file = file;
  }

  get isEmpty(): boolean {
    return this.#chunks.length === 0 && this.#blocks.length === 0;
  }

  /** @throws Failure 23 when the disk takes no more. */
  add(chunk: Uint8Array): void {
    if (this.#blocks.length === 0 && this.#inMemory + chunk.length <= mostInMemory) {
      this.#chunks.push(Buffer.from(chunk));
      this.#inMemory += chunk.length;
      return;
    }
    this.#inMemory = 0;
    for (const held of [...this.#chunks.splice(0), chunk]) this.#append(held);
  }

  /** The oldest octets there are; undefined when there are none (any more). */
  take(): Uint8Array | undefined {
    const first = this.#chunks.shift();
    if (first) {
      this.#inMemory -= first.length;
      return first;
    }
    const block = this.#blocks.shift();
    if (block === undefined) return undefined;
    const octets = this.#file.read(block, this.#blocks.length === 0 ? this.#inLastBlock : blockOctets);
    this.#file.giveBack(block);
    return octets;
  }

  /** Forgets what is left. */
  close(): void {
    this.#chunks = [];
    this.#inMemory = 0;
    for (const block of this.#blocks.splice(0)) this.#file.giveBack(block);
  }

  #append(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      if (this.#blocks.length === 0 || this.#inLastBlock === blockOctets) {
        this.#blocks.push(this.#file.allot());
        this.#inLastBlock = 0;
      }
      const piece = chunk.subarray(at, at + blockOctets - this.#inLastBlock);
      this.#file.write(this.#blocks.at(-1)!, this.#inLastBlock, piece);
      this.#inLastBlock += piece.length;
      at += piece.length;
    }
  }
}
