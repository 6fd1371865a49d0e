/** One session of the pool with its sockets: in somebody's hands, or idle and kept alive. */
import type { Socket } from 'node:net';
import type { Dial, Session, TraceEvent } from '@retriever/driver';
import type { Url } from '@retriever/url';
import { aborted } from './aborted.ts';
import { destroyAll } from './destroy-all.ts';
import { Dialler, type DiallerOptions, type DialScope } from './dialler.ts';
import type { IdleClock } from './idle-clock.ts';

/** Milliseconds a session gets to say goodbye before its sockets are closed. */
const farewellTime = 500;

/** The longest delay of a Node timer; a longer one would fire at once. */
const longestDelay = 0x7fffffff;

/** Who leases: a retrieval's scope. */
export interface Leaser {
  readonly scope: DialScope;
  readonly dialler: DiallerOptions;
  readonly clock: IdleClock;
  onDone(): void;
}

/** Who wants a session and has none yet. */
export interface Waiter {
  readonly key: string;
  readonly host: string;
  readonly leaser: Leaser;
  /** Sends requests behind those of a session's holder; returns what withdraws them. */
  readonly ahead: ((session: Session) => () => void) | undefined;
  grant(pooled: PooledSession): void;
}

/** Who sent requests behind those of a session's holder, and gets the session after it. */
export interface Follower {
  readonly waiter: Waiter;
  withdraw(): void;
}

export interface IdleOptions {
  readonly idleTime: number;
  readonly keepAliveInterval: number;
  /** Called when the session's time is over or its connection is dead; not when it was lent before. */
  readonly onOver: () => void;
}

export class PooledSession implements DialScope {
  readonly key: string;
  readonly host: string;
  readonly dial: Dial;
  readonly url: Url;
  /** Undefined until it is opened. */
  session: Session | undefined;
  /** Undefined while it is idle. */
  leaser: Leaser | undefined;
  /** Whether the holder will send no more, so that others may send behind it. */
  followable = false;
  /** Those who did, in order. */
  readonly followers: Follower[] = [];
  readonly #life = new AbortController();
  readonly #sockets = new Set<Socket>();
  readonly #closers: (() => void)[] = [];
  #timers: NodeJS.Timeout[] = [];
  #onOver: (() => void) | undefined;

  constructor(key: string, host: string, leaser: Leaser) {
    this.key = key;
    this.host = host;
    this.url = leaser.scope.url;
    this.dial = new Dialler(leaser.dialler, this);
  }

  /** Aborted when the sockets are closed: nothing more can be dialled then. */
  get signal(): AbortSignal {
    return this.#life.signal;
  }

  report(event: TraceEvent): void {
    this.leaser?.scope.report(event);
  }

  hold<T>(dialling: Promise<T>): Promise<T> {
    return this.leaser ? this.leaser.clock.hold(dialling) : dialling;
  }

  moved(): void {
    this.leaser?.clock.moved();
  }

  own(socket: Socket): void {
    this.#sockets.add(socket);
    this.leaser?.clock.watch(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.leaser?.clock.forget(socket);
      this.#onOver?.();
    });
    if (this.signal.aborted) socket.destroy();
  }

  onClose(close: () => void): void {
    if (this.signal.aborted) close();
    else this.#closers.push(close);
  }

  /** The session when it is opened; one that is opened after the signal aborted is closed. */
  async opened<S extends Session>(opening: Promise<S>, signal: AbortSignal): Promise<S> {
    try {
      return await aborted(opening, signal);
    } catch (error) {
      if (signal.aborted) opening.then((late) => late.close()).catch(() => undefined);
      throw error;
    }
  }

  lend(leaser: Leaser): void {
    this.#wakeUp();
    this.leaser = leaser;
    for (const socket of this.#sockets) {
      socket.ref();
      leaser.clock.watch(socket);
    }
  }

  takeBack(): void {
    for (const socket of this.#sockets) this.leaser?.clock.forget(socket);
    this.leaser = undefined;
    this.followable = false;
  }

  /** Waits for the next lease without keeping the process alive. */
  idle({ idleTime, keepAliveInterval, onOver }: IdleOptions): void {
    for (const socket of this.#sockets) socket.unref();
    this.#onOver = onOver;
    this.#timers = [setTimeout(onOver, Math.min(idleTime, longestDelay)).unref()];
    if (this.session?.keepAlive) this.#timers.push(this.#keepAlive(keepAliveInterval));
  }

  sayGoodbye(): void {
    this.#wakeUp();
    for (const socket of this.#sockets) socket.unref();
    try {
      this.session?.close();
    } catch {
      // It is dead then, or its driver has a bug that must not keep the next one waiting.
    }
    setTimeout(() => this.closeSockets(), farewellTime).unref();
  }

  /** @param reason What whoever uses the session still is told. */
  closeSockets(reason: unknown = new DOMException('the session is closed', 'AbortError')): void {
    this.#wakeUp();
    const error = reason instanceof Error ? reason : undefined;
    for (const close of this.#closers.splice(0)) close();
    destroyAll(this.#sockets, error);
    this.#life.abort(reason);
  }

  /** A session that has not answered when the next sign of life is due is dead. */
  #keepAlive(interval: number): NodeJS.Timeout {
    let answered = true;
    const over = (): void => this.#onOver?.();
    const beat = async (): Promise<void> => {
      if (!answered) return over();
      answered = false;
      await this.session?.keepAlive?.();
      answered = true;
    };
    return setInterval(() => void beat().catch(over), Math.min(interval, longestDelay)).unref();
  }

  #wakeUp(): void {
    this.#timers.forEach(clearTimeout);
    this.#timers = [];
    this.#onOver = undefined;
  }
}
