/** Sessions between retrievals: who may have which, how many there are, how long an idle one is kept alive. */
import type { Dial, Lease, LeaseOptions, Session, TraceEvent } from '@retriever/driver';
import { defaultPort, type Url } from '@retriever/url';
import { PooledSession, type Leaser, type Waiter } from './pooled-session.ts';
import { WaitingLine } from './waiting-line.ts';

export interface SessionPoolOptions {
  /** Sessions with one host and port at a time, idle ones included; a lease beyond waits. Default 6. */
  readonly maxSessionsPerHost?: number;
  /** Sessions at a time in all. Default 64. */
  readonly maxSessions?: number;
  /** Milliseconds an idle session is kept. Default 30,000; 0 keeps none. */
  readonly idleTime?: number;
  /** Milliseconds between two signs of life on an idle session that has `keepAlive`. Default 15,000. */
  readonly keepAliveInterval?: number;
  /**
   * Retrievals that may send their requests on one busy session before their turn, where the protocol allows it and no
   * other session can be had (pipelining). Default 32; 0: none.
   */
  readonly maxAhead?: number;
}

export interface PoolLease<S extends Session> extends Lease<S> {
  /** Closes the session's sockets at once, with this error for whoever waits on them. */
  destroy(error: Error): void;
}

/** Milliseconds between two looks at whether one who sent ahead is better off elsewhere: its session's holder may read slowly, or never. */
const reliefInterval = 1000;

export class SessionPool {
  readonly #options: Required<SessionPoolOptions>;
  readonly #sessions = new Set<PooledSession>();
  readonly #line = new WaitingLine<Waiter>();
  #relief: NodeJS.Timeout | undefined;
  #closed = false;

  constructor({
    maxSessionsPerHost = 6,
    maxSessions = 64,
    idleTime = 30_000,
    keepAliveInterval = 15_000,
    maxAhead = 32,
  }: SessionPoolOptions = {}) {
    this.#options = { maxSessionsPerHost, maxSessions, idleTime, keepAliveInterval, maxAhead };
  }

  /** Hands out an idle session with this key or opens one, as soon as the limits allow. */
  async lease<S extends Session>(
    key: string,
    open: (dial: Dial) => Promise<S>,
    leaser: Leaser,
    { ahead }: LeaseOptions<S> = {},
  ): Promise<PoolLease<S>> {
    // Sessions with one key are of one kind.
    const pooled = await leaser.clock.hold(this.#granted(key, leaser, ahead as Waiter['ahead']));
    if (pooled.session) return this.#hand(pooled, leaser, true);
    const { signal } = leaser.scope;
    try {
      signal.throwIfAborted();
      pooled.session = await pooled.opened(open(pooled.dial), signal);
    } catch (error) {
      this.#sessions.delete(pooled);
      pooled.closeSockets(signal.aborted ? signal.reason : undefined);
      this.#serve();
      throw error;
    }
    return this.#hand(pooled, leaser, false);
  }

  /** Ends all idle sessions, and each leased one when it comes back. */
  close(): void {
    this.#closed = true;
    for (const pooled of this.#sessions) if (!pooled.leaser) this.#end(pooled);
  }

  /** A session lent to the leaser: idle until now, yet to be opened, or left by the holder that it followed. */
  #granted(key: string, leaser: Leaser, ahead: Waiter['ahead']): Promise<PooledSession> {
    const { promise, resolve, reject } = Promise.withResolvers<PooledSession>();
    const { signal, url } = leaser.scope;
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const onAbort = (): void => {
      this.#line.delete(waiter);
      this.#unfollow(waiter);
      reject(signal.reason as Error);
    };
    const grant = (pooled: PooledSession): void => {
      signal.removeEventListener('abort', onAbort);
      resolve(pooled);
    };
    const waiter: Waiter = { key, host: hostOf(url), leaser, ahead, grant };
    signal.addEventListener('abort', onAbort, { once: true });
    // Who waits for the host already comes first.
    const mustWait = this.#line.firstFor(waiter.host) !== undefined;
    this.#line.add(waiter);
    if (!mustWait) this.#satisfy(waiter);
    return promise;
  }

  /** Gives what there is to those who wait, the first first. */
  #serve(): void {
    const full = new Set<string>();
    // Where all places are taken and none is idle, there is nothing for anybody.
    while (this.#sessions.size < this.#options.maxSessions || this.#anyIdle) {
      const first = this.#line.first(full);
      if (!first) return;
      // Who goes away empty-handed found none of the host's sessions idle: those behind need not look.
      if (!this.#satisfy(first)) full.add(first.host);
    }
  }

  /** Lets those who wait for the host follow. */
  #serveHost(host: string): void {
    for (let first = this.#line.firstFor(host); first; first = this.#line.firstFor(host))
      if (!this.#satisfy(first)) return;
  }

  /** Lends the waiter a session, if there is one or room for one, or lets it follow the holder of one. */
  #satisfy(waiter: Waiter): boolean {
    const pooled = this.#place(waiter);
    if (pooled) this.#lend(pooled, waiter);
    else if (!this.#follow(waiter)) return false;
    this.#line.delete(waiter);
    return true;
  }

  #place(waiter: Waiter): PooledSession | undefined {
    return this.#idle(({ key }) => key === waiter.key) ?? this.#vacancy(waiter);
  }

  #lend(pooled: PooledSession, waiter: Waiter): void {
    pooled.lend(waiter.leaser);
    waiter.grant(pooled);
  }

  /** Lets the waiter send its requests on the session that the fewest follow. */
  #follow(waiter: Waiter): boolean {
    if (!waiter.ahead) return false;
    let best: PooledSession | undefined;
    for (const pooled of this.#sessions) {
      if (!pooled.followable || pooled.key !== waiter.key) continue;
      if (pooled.followers.length < (best?.followers.length ?? this.#options.maxAhead)) best = pooled;
    }
    if (!best?.session) return false;
    const withdraw = waiter.ahead(best.session);
    // Who listens to the trace may have given up at what was sent just now.
    if (waiter.leaser.scope.signal.aborted) withdraw();
    else best.followers.push({ waiter, withdraw });
    this.#relieveLater();
    return true;
  }

  #unfollow(waiter: Waiter): void {
    for (const { followers } of this.#sessions) {
      const at = followers.findIndex((follower) => follower.waiter === waiter);
      if (at !== -1) followers.splice(at, 1)[0]?.withdraw();
    }
  }

  #relieveLater(): void {
    if (this.#relief) return;
    this.#relief = setTimeout(() => {
      this.#relief = undefined;
      this.#relieve();
    }, reliefInterval).unref();
  }

  /** Finds other sessions for the last followers of each, where there are some by now; again and again while somebody follows. */
  #relieve(): void {
    for (const { followers } of this.#sessions) {
      for (let last = followers.at(-1); last; last = followers.at(-1)) {
        this.#relieveLater();
        const pooled = this.#place(last.waiter);
        if (!pooled) break;
        followers.pop();
        last.withdraw();
        this.#lend(pooled, last.waiter);
      }
    }
  }

  #hand<S extends Session>(pooled: PooledSession, leaser: Leaser, reused: boolean): PoolLease<S> {
    leaser.scope.report({ type: 'leased', reused });
    const once = (event: TraceEvent, done: () => void): void => {
      if (pooled.leaser !== leaser) return;
      pooled.takeBack();
      leaser.scope.report(event);
      leaser.onDone();
      done();
      this.#serve();
    };
    return {
      session: pooled.session as S,
      reused,
      doneSending: () => {
        if (pooled.leaser !== leaser) return;
        pooled.followable = true;
        this.#serveHost(pooled.host);
      },
      release: () => once({ type: 'released', reused }, () => this.#keep(pooled)),
      discard: () => once({ type: 'discarded', reused }, () => this.#end(pooled)),
      destroy: (error) =>
        once({ type: 'discarded', reused }, () => {
          this.#remove(pooled);
          pooled.closeSockets(error);
        }),
    };
  }

  /** Gives a released session to who follows, or keeps it for the next lease, for a while. */
  #keep(pooled: PooledSession): void {
    const { idleTime, keepAliveInterval } = this.#options;
    if (!pooled.session?.usable) return this.#end(pooled);
    const next = pooled.followers.shift();
    if (next) return this.#lend(pooled, next.waiter);
    if (this.#closed || idleTime === 0) return this.#end(pooled);
    const onOver = (): void => {
      this.#end(pooled);
      this.#serve();
    };
    pooled.idle({ idleTime, keepAliveInterval, onOver });
  }

  /** Ends a session politely; its place is free at once. */
  #end(pooled: PooledSession): void {
    this.#remove(pooled);
    pooled.sayGoodbye();
  }

  /** Those who followed wait in line again: what they sent gets no answer. */
  #remove(pooled: PooledSession): void {
    this.#sessions.delete(pooled);
    for (const { waiter } of pooled.followers.splice(0)) this.#line.add(waiter);
  }

  get #anyIdle(): boolean {
    for (const { leaser } of this.#sessions) if (!leaser) return true;
    return false;
  }

  #idle(wanted: (pooled: PooledSession) => boolean): PooledSession | undefined {
    for (const pooled of this.#sessions) {
      if (pooled.leaser || !wanted(pooled)) continue;
      if (pooled.session?.usable) return pooled;
      this.#end(pooled);
    }
    return undefined;
  }

  /** Room for one more session, an idle one ended for it where needed; undefined when there is none. */
  #vacancy({ key, host, leaser }: Waiter): PooledSession | undefined {
    const { maxSessions, maxSessionsPerHost } = this.#options;
    let ofHost = 0;
    for (const pooled of this.#sessions) if (pooled.host === host) ofHost += 1;
    if (ofHost >= maxSessionsPerHost && !this.#endIdle((pooled) => pooled.host === host)) return undefined;
    if (this.#sessions.size >= maxSessions && !this.#endIdle(() => true)) return undefined;
    const pooled = new PooledSession(key, host, leaser);
    this.#sessions.add(pooled);
    return pooled;
  }

  #endIdle(wanted: (pooled: PooledSession) => boolean): boolean {
    const before = this.#sessions.size;
    const idle = this.#idle(wanted);
    if (idle) this.#end(idle);
    return this.#sessions.size < before;
  }
}

function hostOf(url: Url): string {
  const host = 'host' in url ? url.host?.toLowerCase() : '';
  const port = 'port' in url ? url.port : undefined;
  return `${host}:${port ?? defaultPort(url.scheme)}`;
}
