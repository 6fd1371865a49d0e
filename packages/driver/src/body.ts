/** A body: a source of octets with back pressure, offered three ways at no more copies than each needs. */
import { RetrievalError } from './retrieval-error.ts';

/** Takes octets. The chunk is valid only until the call returns or its promise settles: copy what you keep. */
export type BodySink = (chunk: Uint8Array) => void | Promise<void>;

/**
 * The octets of a retrieval, readable once. It ends only when its protocol said "complete"; otherwise it fails with a
 * RetrievalError. A body that nobody wants must be cancelled, or its connection stays open.
 */
export interface Body extends AsyncIterable<Uint8Array> {
  /** How many octets will come, if the peer said so. */
  readonly size: number | undefined;
  /** Whether somebody reads it or has read it. */
  readonly used: boolean;
  /** Pushes every octet into the sink: no copy. Resolves when the body is complete. */
  pipeTo(sink: BodySink): Promise<void>;
  /** A byte stream, for BYOB readers without a second copy. */
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>;
  /** The whole body. @throws RetrievalError `limit` beyond `maxBytes` (default 64 MiB). */
  bytes(options?: { readonly maxBytes?: number }): Promise<Uint8Array<ArrayBuffer>>;
  /** The whole body decoded (default `utf-8`, invalid sequences replaced). @throws RetrievalError `limit` beyond `maxBytes`. */
  text(options?: { readonly maxBytes?: number; readonly charset?: string }): Promise<string>;
  /** Stops and closes what stands behind it. Harmless when it is over already. */
  cancel(reason?: unknown): Promise<void>;
}

/** What {@link createBody} makes a body of. */
export interface BodyProducer {
  readonly size?: number | undefined;
  /** Pushes all octets and resolves when the protocol said "complete"; called once at the most. */
  pump(sink: BodySink): Promise<void>;
  /** Called when the body is not wanted (any more); `pump` then rejects soon, if it was called. */
  cancel?(reason: unknown): void | Promise<void>;
}

/** The longest body that `bytes()` and `text()` take by default. */
const defaultMaxBytes = 64 * 1024 * 1024;

/**
 * Makes a {@link Body} of one push primitive.
 *
 * @example
 * createBody({ size: 2, pump: async (sink) => sink(Uint8Array.of(111, 107)) });
 */
export function createBody(producer: BodyProducer): Body {
  return new PumpedBody(producer);
}

/** A body of octets at hand. */
export function bodyOf(octets: Uint8Array): Body {
  return createBody({
    size: octets.length,
    pump: async (sink) => void (octets.length > 0 && (await sink(octets))),
  });
}

/** An empty body. */
export function emptyBody(): Body {
  return bodyOf(new Uint8Array(0));
}

class PumpedBody implements Body {
  readonly size: number | undefined;
  readonly #producer: BodyProducer;
  #state: 'unread' | 'reading' | 'over' = 'unread';
  #stopped: { readonly reason: unknown; readonly done: Promise<void> } | undefined;

  constructor(producer: BodyProducer) {
    this.#producer = producer;
    this.size = producer.size;
  }

  get used(): boolean {
    return this.#state !== 'unread';
  }

  async pipeTo(sink: BodySink): Promise<void> {
    if (this.used) throw new TypeError('the body has been read already');
    this.#state = 'reading';
    try {
      await this.#producer.pump(sink);
    } catch (error) {
      // A failing sink must not leave the connection open behind it, nor hide behind the failure to close it.
      await this.#stop(error).catch(() => undefined);
      throw error;
    } finally {
      this.#state = 'over';
    }
    // Whatever a producer makes of being stopped, half a body is no body.
    if (this.#stopped) throw this.#stopped.reason;
  }

  async cancel(reason: unknown = new DOMException('the body was cancelled', 'AbortError')): Promise<void> {
    if (this.#state === 'over') return;
    if (this.#state === 'unread') this.#state = 'over';
    await this.#stop(reason);
  }

  /** Tells the producer, once. */
  #stop(reason: unknown): Promise<void> {
    this.#stopped ??= { reason, done: (async () => this.#producer.cancel?.(reason))() };
    return this.#stopped.done;
  }

  async bytes({ maxBytes = defaultMaxBytes } = {}): Promise<Uint8Array<ArrayBuffer>> {
    const collector = new OctetCollector(maxBytes, this.size);
    await this.pipeTo((chunk) => collector.add(chunk));
    return collector.octets();
  }

  async text({ maxBytes = defaultMaxBytes, charset = 'utf-8' } = {}): Promise<string> {
    const decoder = new TextDecoder(charset);
    return decoder.decode(await this.bytes({ maxBytes }));
  }

  stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    const demand = new Demand();
    let running: Promise<void> | undefined;
    const stream = new ReadableStream({
      type: 'bytes',
      pull: (controller) => {
        demand.raise();
        running ??= this.pipeTo(async (chunk) => {
          for (let rest = chunk; rest.length > 0;) {
            await demand.raised();
            rest = rest.subarray(deliver(controller, rest));
          }
        })
          .then(() => closeByteStream(controller))
          // Closing fails when the last octets do not fill an element of the reader's view.
          .catch((error: unknown) => controller.error(error));
      },
      cancel: async (reason) => {
        demand.abandon(reason);
        await this.cancel(reason);
      },
    });
    // Only whole-`ArrayBuffer` chunks are enqueued; the library's types cannot know.
    return stream as ReadableStream<Uint8Array<ArrayBuffer>>;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    const reader = this.stream().getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value;
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  }
}

/** A reader's wish for more, which the writing side waits for. */
class Demand {
  #next = Promise.withResolvers<void>();

  raise(): void {
    this.#next.resolve();
  }

  abandon(reason: unknown): void {
    this.#next.reject(reason);
    this.#next.promise.catch(() => undefined);
  }

  async raised(): Promise<void> {
    await this.#next.promise;
    this.#next = Promise.withResolvers();
  }
}

/** Copies as much of the chunk as the stream asked for; returns how much. */
function deliver(controller: ReadableByteStreamController, chunk: Uint8Array): number {
  const request = controller.byobRequest;
  if (!request?.view) {
    // Not `slice`: on a Buffer it makes a view, and enqueueing takes the memory away from whoever owns it.
    controller.enqueue(new Uint8Array(chunk));
    return chunk.length;
  }
  const view = new Uint8Array(request.view.buffer, request.view.byteOffset, request.view.byteLength);
  const count = Math.min(view.length, chunk.length);
  view.set(chunk.subarray(0, count));
  request.respond(count);
  return count;
}

function closeByteStream(controller: ReadableByteStreamController): void {
  controller.close();
  // A pending BYOB read is answered only by an explicit empty response (Streams standard, ReadableByteStreamControllerClose).
  controller.byobRequest?.respond(0);
}

/** Gathers chunks into one array without copying twice when the size is known. */
class OctetCollector {
  readonly #maxBytes: number;
  #octets: Uint8Array<ArrayBuffer>;
  #length = 0;

  constructor(maxBytes: number, expected = 0) {
    this.#maxBytes = maxBytes;
    // A hostile peer may announce any size: trust it only so far.
    this.#octets = new Uint8Array(Math.min(expected, maxBytes, 16 * 1024 * 1024));
  }

  add(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (length > this.#maxBytes) throw new RetrievalError('limit', `the body is longer than ${this.#maxBytes} octets`);
    if (length > this.#octets.length) {
      const larger = new Uint8Array(Math.min(this.#maxBytes, Math.max(length, 2 * this.#octets.length)));
      larger.set(this.#octets.subarray(0, this.#length));
      this.#octets = larger;
    }
    this.#octets.set(chunk, this.#length);
    this.#length = length;
  }

  octets(): Uint8Array<ArrayBuffer> {
    return this.#octets.subarray(0, this.#length);
  }
}
