/** The life of one hop of a retrieval: what it opened, its clocks, its way to the client. Nothing outlives it but leased sessions. */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  RetrievalError,
  type Access,
  type Credentials,
  type Dial,
  type Lease,
  type LeaseOptions,
  type Realm,
  type Session,
  type TraceEvent,
} from '@retriever/driver';
import { decodeText, type Url } from '@retriever/url';
import { destroyAll } from './destroy-all.ts';
import { Dialler, type DiallerOptions, type DialScope } from './dialler.ts';
import { failureOf } from './failure.ts';
import { IdleClock } from './idle-clock.ts';
import type { Leaser } from './pooled-session.ts';
import type { PoolLease, SessionPool } from './session-pool.ts';
import { Trace, type TraceRecord } from './trace.ts';

/** Asks a person or a store for credentials; undefined when there are none. */
export type CredentialsSource = (realm: Realm) => Credentials | undefined | Promise<Credentials | undefined>;

export interface ScopeOptions {
  readonly dialler: DiallerOptions;
  readonly pool: SessionPool;
  readonly credentials: CredentialsSource | undefined;
  readonly trace: ((record: TraceRecord) => void) | undefined;
  /** Milliseconds of silence from the peer; 0 for no limit. */
  readonly idleTimeout: number;
}

export interface ScopeRequest {
  readonly url: Url;
  readonly signal?: AbortSignal | undefined;
  /** When the whole retrieval must be over, in milliseconds since the epoch. */
  readonly deadlineAt?: number | undefined;
  readonly secrets: readonly (string | undefined)[];
}

/** The longest delay of a Node timer; a longer one would fire at once. */
const longestDelay = 0x7fffffff;

/** Why a signal aborts in the end, as it always does. One for all: an error's stack takes longer to make than the rest of ending. */
const isOver = new DOMException('the retrieval is over', 'AbortError');

/** One hop's scope. {@link end} closes all it owns; {@link Scope.signal} aborts then, or earlier when the caller or a clock gives up. */
export class Scope implements DialScope {
  readonly url: Url;
  readonly access: Access;
  readonly #controller = new AbortController();
  readonly #trace: Trace;
  readonly #clock: IdleClock;
  readonly #options: ScopeOptions;
  readonly #caller: AbortSignal | undefined;
  readonly #sockets = new Set<Socket>();
  readonly #leases = new Set<PoolLease<Session>>();
  readonly #closers: (() => void)[] = [];
  readonly #waiting = new Set<(reason: unknown) => void>();
  #deadline: NodeJS.Timeout | undefined;
  /** Over, but for sessions of its service. */
  #resting = false;
  #disobey = (): void => undefined;

  constructor(options: ScopeOptions, request: ScopeRequest) {
    this.url = request.url;
    this.#options = options;
    this.#caller = request.signal;
    this.#trace = new Trace(request.url, options.trace);
    for (const secret of [...secretsOf(request.url), ...request.secrets]) this.#trace.hide(secret);
    this.#clock = new IdleClock(options.idleTimeout, () =>
      this.abort(new RetrievalError('timeout', `the server was silent for ${options.idleTimeout} ms`)),
    );
    this.#setDeadline(request.deadlineAt);
    this.#obey();
    this.access = this.#makeAccess();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Counts the peer's silence from now on: the caller wants octets. */
  waitForPeer(): void {
    if (!this.signal.aborted) this.#clock.run();
  }

  /** Stops counting: the caller is busy with what it has. */
  waitForCaller(): void {
    this.#clock.stop();
  }

  hold<T>(work: Promise<T>): Promise<T> {
    return this.#clock.hold(work);
  }

  /** The promise's result, or the reason as soon as the scope ends: without a listener for each entry of a listing. */
  unlessOver<T>(promise: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.signal.aborted) reject(this.signal.reason as Error);
      else this.#waiting.add(reject);
      promise.then(
        (value) => {
          this.#waiting.delete(reject);
          resolve(value);
        },
        (error: Error) => {
          this.#waiting.delete(reject);
          reject(error);
        },
      );
    });
  }

  moved(): void {
    this.#clock.moved();
  }

  report(event: TraceEvent): void {
    this.#trace.report(event);
  }

  /** The error as the caller may see it: with the URL, without secrets. */
  failure(error: unknown): unknown {
    return failureOf(error, this.url, (text) => this.#trace.masked(text));
  }

  own(socket: Socket): void {
    this.#sockets.add(socket);
    this.#clock.watch(socket);
    // An error nobody listens to (a driver that dropped the socket) must not end the process.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#clock.forget(socket);
      if (this.#resting) this.#disobeyWhenIdle();
    });
    if (this.signal.aborted) socket.destroy(asError(this.signal.reason));
  }

  onClose(close: () => void): void {
    if (this.signal.aborted) close();
    else this.#closers.push(close);
  }

  /** Gives up: closes everything at once, leased sessions included. */
  abort(reason: unknown): void {
    if (this.signal.aborted) return;
    for (const lease of this.#leases) lease.destroy(asError(reason));
    destroyAll(this.#sockets, asError(reason));
    this.end(reason);
  }

  /** The retrieval is over, well or not: closes what is still open; nothing more can be opened. */
  end(reason: unknown = isOver): void {
    this.rest();
    this.#controller.abort(reason);
    for (const reject of this.#waiting) reject(this.signal.reason);
  }

  /** Closes what is still open and stops the clocks. */
  rest(): void {
    this.#resting = true;
    this.#clock.close();
    clearTimeout(this.#deadline);
    this.#disobey();
    for (const lease of this.#leases) lease.discard();
    destroyAll(this.#sockets);
    for (const close of this.#closers.splice(0)) close();
  }

  /** Opens a session of the service found, after {@link rest}: no clock runs for it, but the caller's signal closes it. */
  async openService<S extends Duplex>(open: () => Promise<S>): Promise<S> {
    this.#obey();
    try {
      return await this.unlessOver(open());
    } catch (error) {
      throw this.failure(error);
    } finally {
      this.#disobeyWhenIdle();
    }
  }

  #obey(): void {
    this.#disobey();
    const signal = this.#caller;
    if (!signal) return;
    if (signal.aborted) return this.abort(signal.reason);
    const onAbort = (): void => this.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#disobey = () => signal.removeEventListener('abort', onAbort);
  }

  #disobeyWhenIdle(): void {
    if (this.#sockets.size === 0) this.#disobey();
  }

  #setDeadline(deadlineAt: number | undefined): void {
    if (deadlineAt === undefined) return;
    const expire = (): void => this.abort(new RetrievalError('timeout', 'the retrieval took longer than its deadline'));
    const delay = Math.min(Math.max(0, deadlineAt - Date.now()), longestDelay);
    this.#deadline = setTimeout(expire, delay).unref();
  }

  #makeAccess(): Access {
    const dialler = new Dialler(this.#options.dialler, this);
    return {
      connect: (endpoint) => dialler.connect(endpoint),
      connectForBody: (endpoint) => dialler.connectForBody(endpoint),
      startTls: (socket, request) => dialler.startTls(socket, request),
      datagrams: (endpoint) => dialler.datagrams(endpoint),
      lease: (key, open, options) => this.#lease(key, open, options),
      credentials: (realm) => this.#credentials(realm),
      report: (event) => this.report(event),
      signal: this.signal,
    };
  }

  async #lease<S extends Session>(
    key: string,
    open: (dial: Dial) => Promise<S>,
    options?: LeaseOptions<S>,
  ): Promise<Lease<S>> {
    const leaser: Leaser = {
      scope: this,
      dialler: this.#options.dialler,
      clock: this.#clock,
      onDone: () => this.#leases.delete(lease),
    };
    const lease: PoolLease<S> = await this.#options.pool.lease(key, open, leaser, options);
    this.#leases.add(lease);
    if (!this.signal.aborted) return lease;
    lease.destroy(asError(this.signal.reason));
    throw this.signal.reason;
  }

  async #credentials(realm: Realm): Promise<Credentials | undefined> {
    const asked = this.#options.credentials?.(realm);
    const answer = await this.hold(this.unlessOver(Promise.resolve(asked)));
    this.#trace.hide(answer?.password);
    this.#trace.hide(answer?.account);
    return answer;
  }
}

/** The URL's password, as written and decoded. */
function secretsOf(url: Url): string[] {
  const password = 'password' in url ? url.password : undefined;
  return password === undefined ? [] : [password, decodeText(password)];
}

/** Sockets are destroyed with errors only; a caller may abort with anything. */
function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new DOMException(String(reason), 'AbortError');
}
