/** Ties what a driver returned to the hop's scope: when body and entries are over, so is everything the hop opened. */
import { createBody, type Body, type BodySink, type Entry, type Retrieval } from '@retriever/driver';
import { withBody, withEntries, type Retrieved } from './layer.ts';
import type { Scope } from './scope.ts';

/** The retrieval as the caller gets it. */
export function adopted(retrieval: Retrieval, scope: Scope): Retrieved {
  const { url } = scope;
  if (retrieval.kind === 'service') {
    scope.rest();
    return { ...retrieval, url, open: () => scope.openService(() => retrieval.open()) };
  }
  const turnstile = new Turnstile();
  const scoped = withEntries(
    withBody(retrieval, (body) => scopedBody(body, scope, turnstile)),
    (entries) => scopedEntries(entries, scope, turnstile),
  );
  if (!('body' in scoped) || !scoped.body) scope.end();
  return { ...scoped, url };
}

/** Entries and body read the same octets: whoever comes second is told, and disturbs nothing. */
class Turnstile {
  #taker: object | undefined;

  /** @throws TypeError when another came first. */
  pass(taker: object): void {
    if (this.#taker) throw new TypeError('the listing has been read already');
    this.#taker = taker;
  }

  isClosedTo(taker: object): boolean {
    return this.#taker !== undefined && this.#taker !== taker;
  }
}

function scopedBody(body: Body, scope: Scope, turnstile: Turnstile): Body {
  let turnedAway = false;
  return createBody({
    size: body.size,
    async pump(sink) {
      turnedAway = turnstile.isClosedTo(body);
      turnstile.pass(body);
      const timed = new TimedSink(sink, scope);
      scope.waitForPeer();
      try {
        scope.signal.throwIfAborted();
        await scope.unlessOver(body.pipeTo((chunk) => timed.take(chunk)));
      } catch (error) {
        // What the caller's sink threw is the caller's.
        throw timed.threw(error) ? error : scope.failure(error);
      } finally {
        scope.end();
      }
    },
    async cancel(reason) {
      if (turnedAway) return;
      await closed(() => body.cancel(reason), scope);
      scope.end(reason);
    },
  });
}

/** The caller's sink, which may take its time: only the peer is on the clock. */
class TimedSink {
  readonly #sink: BodySink;
  readonly #scope: Scope;
  #failure: { readonly error: unknown } | undefined;

  constructor(sink: BodySink, scope: Scope) {
    this.#sink = sink;
    this.#scope = scope;
  }

  take(chunk: Uint8Array): void | Promise<void> {
    // The caller was told already; a driver without sockets may not have noticed.
    this.#scope.signal.throwIfAborted();
    this.#scope.moved();
    try {
      const taken = this.#sink(chunk);
      if (!taken) return undefined;
      this.#scope.waitForCaller();
      return taken.then(
        () => this.#scope.waitForPeer(),
        (error: unknown) => this.#fail(error),
      );
    } catch (error) {
      return this.#fail(error);
    }
  }

  threw(error: unknown): boolean {
    return this.#failure !== undefined && this.#failure.error === error;
  }

  #fail(error: unknown): never {
    this.#failure = { error };
    this.#scope.waitForPeer();
    throw error;
  }
}

function scopedEntries(entries: AsyncIterable<Entry>, scope: Scope, turnstile: Turnstile): AsyncIterable<Entry> {
  return {
    [Symbol.asyncIterator]() {
      turnstile.pass(entries);
      return new ScopedIterator(entries[Symbol.asyncIterator](), scope);
    },
  };
}

/** Not a generator: one that was never begun would not run its `finally`. */
class ScopedIterator implements AsyncIterator<Entry, undefined> {
  readonly #iterator: AsyncIterator<Entry>;
  readonly #scope: Scope;
  #over = false;

  constructor(iterator: AsyncIterator<Entry>, scope: Scope) {
    this.#iterator = iterator;
    this.#scope = scope;
  }

  async next(): Promise<IteratorResult<Entry, undefined>> {
    if (this.#over) return { done: true, value: undefined };
    try {
      this.#scope.waitForPeer();
      const next = await this.#scope.unlessOver(this.#iterator.next());
      this.#scope.waitForCaller();
      if (!next.done) return next;
    } catch (error) {
      void this.#iterator.return?.().catch(() => undefined);
      this.#end();
      throw this.#scope.failure(error);
    }
    this.#end();
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<Entry, undefined>> {
    if (!this.#over) await closed(() => this.#iterator.return?.(), this.#scope);
    this.#end();
    return { done: true, value: undefined };
  }

  #end(): void {
    this.#over = true;
    this.#scope.end();
  }
}

/** Lets the driver close in its own way, in time; where it fails, the scope closes everything anyway. */
async function closed(close: () => unknown, scope: Scope): Promise<void> {
  scope.waitForPeer();
  try {
    await scope.unlessOver(Promise.resolve(close()));
  } catch {
    // Nobody is interested in it any more.
  }
}

/** Waits for a driver's retrieval; what comes after the scope ended is closed unread. */
export async function inTime(retrieving: Promise<Retrieval>, scope: Scope): Promise<Retrieval> {
  try {
    return await scope.unlessOver(retrieving);
  } catch (error) {
    if (scope.signal.aborted) retrieving.then(closeUnread).catch(() => undefined);
    throw error;
  }
}

async function closeUnread(retrieval: Retrieval): Promise<void> {
  if ('body' in retrieval) await retrieval.body?.cancel();
}
