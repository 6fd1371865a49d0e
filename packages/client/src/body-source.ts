/** The reading side of a connection dialled for a body: one large reusable buffer, nothing copied or queued in between. */
import type { Socket } from 'node:net';
import { connectionLost, RetrievalError, type BodySink, type BodySource } from '@retriever/driver';

/** Octets a read may fill at once. 1 MiB is where larger ones stop paying. */
const bufferBytes = 1024 * 1024;
/** Buffers kept for the next connection. */
const maxSpareBuffers = 4;
const spareBuffers: Buffer[] = [];

/** Takes each chunk as it arrives; false stops the reading until `resume`. */
type Consumer = (chunk: Uint8Array) => boolean;

/**
 * A body source whose socket has yet to be made: Node takes the buffer only when it makes the socket.
 *
 * @example
 * const source = new ConnectionBodySource();
 * source.attach(net.connect({ host, port, onread: source.onread }));
 */
export class ConnectionBodySource implements BodySource {
  #socket: Socket | undefined;
  #buffer: Buffer | undefined;
  #consumer: Consumer | undefined;
  /** A chunk that came while nobody asked; the socket is paused as long as it waits. */
  #pending: Uint8Array | undefined;
  #finish: ((error?: Error) => void) | undefined;
  #ended = false;
  #failure: Error | undefined;
  #sinking = false;

  /** For `net.connect`: the buffer and who takes what is read into it. */
  get onread(): { buffer: Buffer; callback: (count: number, buffer: Uint8Array) => boolean } {
    const buffer = (this.#buffer ??= spareBuffers.pop() ?? Buffer.allocUnsafeSlow(bufferBytes));
    return { buffer, callback: (count, octets) => this.#accept(octets.subarray(0, count)) };
  }

  get socket(): Socket {
    if (!this.#socket) throw new TypeError('not attached yet');
    return this.#socket;
  }

  /** Attaches the socket made with {@link onread}. */
  attach(socket: Socket, explain: (error: Error) => Error = connectionLost): this {
    this.#socket = socket;
    socket.once('end', () => this.#over());
    socket.on('error', (error) => this.#over(() => explain(error)));
    socket.once('close', () => {
      this.#over(() => new RetrievalError('incomplete', 'the connection was closed'));
      this.#spareBuffer();
    });
    return this;
  }

  /** Attaches a socket made without a buffer (TLS): its chunks are its own. */
  attachStream(socket: Socket, explain: (error: Error) => Error): this {
    socket.on('data', (chunk: Uint8Array) => {
      if (!this.#accept(chunk)) socket.pause();
    });
    return this.attach(socket, explain);
  }

  async read(): Promise<Uint8Array | undefined> {
    let octets: Uint8Array | undefined;
    await this.#consume((chunk) => {
      // Not `slice`: on a Buffer it makes a view, and the buffer is read into again.
      octets = new Uint8Array(chunk);
      this.#finish?.();
      return false;
    });
    return octets;
  }

  async pump(sink: BodySink): Promise<void> {
    await this.#consume((chunk) => {
      const taken = sink(chunk);
      if (!taken) return true;
      this.#sinking = true;
      taken.then(
        () => {
          this.#sinking = false;
          this.#resume();
          this.#spareBuffer();
        },
        (error: Error) => {
          this.#sinking = false;
          this.#finish?.(error);
        },
      );
      return false;
    });
  }

  destroy(): void {
    this.#socket?.destroy();
  }

  /** Lets the consumer have chunks until it calls `finish`, or until the peer ends. */
  #consume(consumer: Consumer): Promise<void> {
    if (this.#consumer) throw new TypeError('the connection is being read already');
    return new Promise<void>((resolve, reject) => {
      this.#finish = (error) => {
        this.#consumer = undefined;
        this.#finish = undefined;
        this.#spareBuffer();
        if (error) reject(error);
        else resolve();
      };
      this.#consumer = consumer;
      const pending = this.#pending;
      this.#pending = undefined;
      if (!pending || this.#accept(pending)) this.#resume();
    });
  }

  /** Goes on reading, or reports the end that came meanwhile. */
  #resume(): void {
    if (this.#failure) this.#finish?.(this.#failure);
    else if (this.#ended) this.#finish?.();
    else if (this.#consumer) this.#socket?.resume();
  }

  #accept(chunk: Uint8Array): boolean {
    if (!this.#consumer) {
      this.#pending = chunk;
      return false;
    }
    try {
      return this.#consumer(chunk);
    } catch (error) {
      this.#finish?.(error as Error);
      return false;
    }
  }

  /** @param why What to fail with; asked only if it is not over yet, as it mostly is when the socket closes. */
  #over(why?: () => Error): void {
    if (this.#ended || this.#failure) return;
    this.#failure = why?.();
    this.#ended = !this.#failure;
    // A sink at work, or a chunk nobody has taken, comes before the end.
    if (!this.#sinking && (this.#failure || !this.#pending)) this.#resume();
  }

  /** Gives the buffer to the next connection, once the kernel and the sink are both done with it. */
  #spareBuffer(): void {
    if (!this.#buffer || !this.#socket?.closed || this.#sinking || this.#pending) return;
    if (spareBuffers.length < maxSpareBuffers) spareBuffers.push(this.#buffer);
    this.#buffer = undefined;
  }
}
