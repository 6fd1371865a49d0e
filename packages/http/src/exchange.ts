/** One request and its response: undici's callbacks turned into a head and a body with back pressure. */
import type { Duplex } from 'node:stream';
import { latin1Of, RetrievalError, type Access, type BodySink } from '@retriever/driver';
import type { Dispatcher } from 'undici';
import { failureOf } from './failure.ts';
import { field, type Fields } from './fields.ts';
import { reasonOf, type HeadLines } from './head-lines.ts';
import type { HeadTap } from './head-tap.ts';
import type { HttpRequest } from './request.ts';
import { masked } from './trace.ts';

/** The head of a final response. */
export interface Head {
  /** The status code, 200 to 599. */
  readonly code: number;
  /** The reason phrase; often empty. */
  readonly reason: string;
  /** Field lines in order and case, values as latin1. */
  readonly fields: Fields;
  /** The heads that came, as they came: interim ones, and this one last. */
  readonly heads: readonly HeadLines[];
}

/** How much of a body is read before somebody asks for it, in octets; the read that reaches it may go beyond. */
export const readAhead: number = 64 * 1024;

/** A response on its way in. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: HttpRequest;
  readonly #connection: Duplex;
  readonly #tap: HeadTap;
  readonly #access: Pick<Access, 'report' | 'signal'>;
  readonly #head = Promise.withResolvers<Head>();
  readonly #over = Promise.withResolvers<void>();
  readonly #readAhead = Promise.withResolvers<void>();
  #controller: Dispatcher.DispatchController | undefined;
  #state: 'running' | 'ended' | 'failed' = 'running';
  #failure: unknown;
  #hasHead = false;
  #endsWithConnection = false;
  /** Octets of the body that came, and that were announced by Content-Length. */
  #received = 0;
  #announced: number | undefined;
  #queue: Uint8Array[] = [];
  #sink: BodySink | undefined;
  #delivering = false;

  constructor(request: HttpRequest, connection: Duplex, tap: HeadTap, access: Pick<Access, 'report' | 'signal'>) {
    this.#request = request;
    this.#connection = connection;
    this.#tap = tap;
    this.#access = access;
    for (const { promise } of [this.#head, this.#over, this.#readAhead]) promise.catch(() => undefined);
  }

  /** The head of the final response. @throws RetrievalError when none came. */
  get head(): Promise<Head> {
    return this.#head.promise;
  }

  /** Whether the response was read to its end. */
  get ended(): boolean {
    return this.#state === 'ended';
  }

  /** Whether the response is over and had no body, or one that was pumped out. */
  get empty(): boolean {
    return this.ended && this.#queue.length === 0;
  }

  /** Whether no octet of a response came. */
  get unanswered(): boolean {
    return !this.#tap.touched;
  }

  /** Pushes the body into the sink, resolves when it is complete. */
  async pump(sink: BodySink): Promise<void> {
    this.#sink = sink;
    this.#flush();
    await this.#over.promise;
  }

  /** The body, if it is over within {@link readAhead} octets; undefined if it is longer or fails. {@link pump} works still. */
  async short(): Promise<Uint8Array | undefined> {
    await this.#readAhead.promise;
    return this.ended ? Buffer.concat(this.#queue) : undefined;
  }

  // undici's side.

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    for (const line of this.#request.lines) this.#access.report({ type: 'sent', text: masked(line) });
  }

  onResponseStart(controller: Dispatcher.DispatchController, code: number): void {
    const { heads } = this.#tap;
    for (const line of heads.flat()) this.#access.report({ type: 'received', text: masked(line) });
    this.#hasHead = true;
    const fields = fieldsOf(controller.rawHeaders);
    this.#endsWithConnection = !hasNoBody(this.#request, code) && !isDelimited(fields);
    this.#announced = announcedLength(fields);
    this.#head.resolve({ code, reason: reasonOf(heads.at(-1) ?? []), fields, heads });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    // llhttp begins anew after a pause with no octets at all: to pause for these would be for ever.
    if (chunk.length === 0) return;
    // undici's chunks are views of what the connection read, and it reads there again: what waits is copied.
    this.#queue.push(this.#sink && !this.#delivering ? chunk : new Uint8Array(chunk));
    this.#received += chunk.length;
    if (this.#sink) this.#flush();
    else if (this.#received >= readAhead) {
      controller.pause();
      this.#readAhead.resolve();
    }
  }

  onResponseEnd(): void {
    // RFC 9112 §8: complete at the connection's end, unless the connection itself failed; undici does not look.
    if (this.#endsWithConnection && (this.#connection.errored !== null || !this.#connection.readableEnded)) {
      return this.#fail(
        this.#connection.errored ?? new RetrievalError('incomplete', 'the connection was closed inside the body'),
      );
    }
    this.#end();
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    // Paused at the last octet, undici has not noticed the end when the server closes: RFC 9112 §8 calls this complete.
    if (this.#announced !== undefined && this.#received === this.#announced) this.#end();
    else this.#fail(error);
  }

  #end(): void {
    this.#state = 'ended';
    this.#readAhead.resolve();
    this.#flush();
  }

  #fail(error: Error): void {
    this.#state = 'failed';
    // A connection closed for an abort fails in many ways; the reason is the caller's.
    this.#failure = this.#access.signal.aborted ? this.#access.signal.reason : failureOf(error, this.#hasHead);
    this.#head.reject(this.#failure);
    this.#readAhead.resolve();
    this.#flush();
  }

  /** Hands the queue to the sink until the sink wants time; then settles or asks for more. */
  #flush(): void {
    const sink = this.#sink;
    if (!sink) return;
    while (!this.#delivering && this.#queue.length > 0) {
      try {
        const taking = sink(this.#queue.shift()!);
        if (taking) this.#waitFor(taking);
      } catch (error) {
        this.#giveUp(error);
        return;
      }
    }
    if (this.#delivering) return;
    if (this.#state === 'ended') this.#over.resolve();
    else if (this.#state === 'failed') this.#over.reject(this.#failure);
    else this.#controller?.resume();
  }

  #waitFor(taking: Promise<void>): void {
    this.#delivering = true;
    this.#controller?.pause();
    taking.then(
      () => {
        this.#delivering = false;
        this.#flush();
      },
      (error: unknown) => this.#giveUp(error),
    );
  }

  /** A sink that failed is not called again; the body's owner closes the connection. */
  #giveUp(error: unknown): void {
    this.#sink = undefined;
    this.#controller?.pause();
    this.#over.reject(error);
  }
}

/** RFC 9112 §6.3, rule 1: these never carry a body. */
function hasNoBody(request: HttpRequest, code: number): boolean {
  return request.method === 'HEAD' || code === 204 || code === 304;
}

/** Whether the body's end can be told without the connection's end, RFC 9112 §6.3. */
function isDelimited(fields: Fields): boolean {
  return field(fields, 'content-length') !== undefined || field(fields, 'transfer-encoding') !== undefined;
}

/** The body's length, where Content-Length alone tells it (RFC 9112 §6.3, rule 3: Transfer-Encoding overrides it). */
function announcedLength(fields: Fields): number | undefined {
  const length = field(fields, 'content-length');
  return length === undefined || field(fields, 'transfer-encoding') !== undefined ? undefined : Number(length);
}

function fieldsOf(raw: Dispatcher.DispatchController['rawHeaders']): Fields {
  if (!Array.isArray(raw)) return [];
  const texts = raw.map((item) => (typeof item === 'string' ? item : latin1Of(item)));
  return Array.from({ length: texts.length / 2 }, (_, n) => [texts[2 * n] ?? '', texts[2 * n + 1] ?? ''] as const);
}
