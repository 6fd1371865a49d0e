/** A connection dialled for bodies, as the duplex stream that undici reads from: octets stay where the kernel put them. */
import { Duplex } from 'node:stream';
import type { BodySource } from '@retriever/driver';

/** Octets handed out at once: undici copies them for llhttp, which is cheapest within the processor's cache. */
const pieceBytes = 256 * 1024;

/**
 * Hands out the source's chunks as they are, in pieces, without a copy. Whoever reads is done with a chunk when they ask for
 * more and there is none: only then is its memory read into again. Meanwhile the source waits.
 */
export class Connection extends Duplex {
  readonly #source: BodySource;
  /** What came and was not read, or was given back. */
  readonly #pieces: Uint8Array[] = [];
  /** Whether the reader has yet to ask for more than the latest chunk. */
  #lent = false;
  #giveBack = (): void => undefined;

  constructor(source: BodySource) {
    super({ allowHalfOpen: false });
    this.#source = source;
    // For as long as nobody listens; whoever uses the connection hears it, too.
    this.on('error', () => undefined);
    source.socket.once('error', (error) => this.destroy(error));
    // Closed behind its end, it has octets yet that the reader takes its time for.
    source.socket.once('close', () => void (source.socket.readableEnded || this.destroy()));
    source
      .pump((chunk) => this.#offer(chunk))
      .then(
        () => this.push(null),
        (error: Error) => this.destroy(error),
      );
  }

  /** The next piece; `size` counts for nothing, except that 0 asks only whether the end has come. */
  override read(size?: number): Uint8Array | null {
    if (size === 0 || this.destroyed) return super.read(0) as null;
    const piece = this.#pieces.shift();
    if (piece) return piece;
    this.#lent = false;
    this.#giveBack();
    return super.read() as null;
  }

  override unshift(octets: Uint8Array): void {
    if (octets.length > 0) this.#pieces.unshift(octets);
  }

  /** There is no promise to wait for where the reader reads all at once. */
  #offer(chunk: Uint8Array): void | Promise<void> {
    for (let at = 0; at < chunk.length; at += pieceBytes) this.#pieces.push(chunk.subarray(at, at + pieceBytes));
    this.#lent = true;
    this.emit('readable');
    return this.#lent ? new Promise((resolve) => (this.#giveBack = resolve)) : undefined;
  }

  override _read(): void {
    // Octets come by themselves.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.#source.socket.write(chunk, callback);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#source.destroy();
    callback(error);
  }
}
