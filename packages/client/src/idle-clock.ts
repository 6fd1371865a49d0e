/** Notices a peer that went silent, without touching the octets: it looks at the sockets' counters now and then. */

/** How many looks make up one time-out: silence is noticed at most a quarter late. */
const looks = 4;

/** What counts its octets: a socket. */
export interface Counting {
  readonly bytesRead: number;
  readonly bytesWritten: number;
}

/**
 * Counts the time in which nothing moved, but only while {@link run}ning: a caller that does not read, or a person asked
 * for a password, is no silent peer.
 */
export class IdleClock {
  readonly #watched = new Set<Counting>();
  readonly #timeout: number;
  readonly #onIdle: () => void;
  #timer: NodeJS.Timeout | undefined;
  #running = false;
  #holds = 0;
  #silentLooks = 0;
  #octets = 0;
  #moves = 0;

  /** @param timeout Milliseconds of silence; 0 for no limit. */
  constructor(timeout: number, onIdle: () => void) {
    this.#timeout = timeout;
    this.#onIdle = onIdle;
  }

  watch(counting: Counting): void {
    this.#watched.add(counting);
  }

  forget(counting: Counting): void {
    this.#watched.delete(counting);
  }

  /** Something moved that no watched socket counts: a datagram, octets of a file. */
  moved(): void {
    this.#moves += 1;
  }

  /** Called for every chunk: the timer stays, and the first, shorter interval is not counted. */
  run(): void {
    if (this.#running || this.#timeout === 0) return;
    this.#running = true;
    this.#silentLooks = -1;
    this.#timer ??= setInterval(() => this.#look(), this.#timeout / looks).unref();
  }

  stop(): void {
    this.#running = false;
  }

  close(): void {
    this.stop();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Stands still until this is done, which has a limit of its own or none: dialling, waiting for a place, asking a person. */
  async hold<T>(work: Promise<T>): Promise<T> {
    this.#holds += 1;
    try {
      return await work;
    } finally {
      this.#holds -= 1;
      this.#silentLooks = -1;
    }
  }

  #look(): void {
    const octets = this.#count();
    const silent = octets === this.#octets && this.#moves === 0;
    this.#octets = octets;
    this.#moves = 0;
    if (!this.#running || this.#holds > 0) return;
    this.#silentLooks = silent ? this.#silentLooks + 1 : 0;
    if (this.#silentLooks < looks) return;
    this.close();
    this.#onIdle();
  }

  #count(): number {
    let octets = 0;
    for (const { bytesRead, bytesWritten } of this.#watched) octets += bytesRead + bytesWritten;
    return octets;
  }
}
