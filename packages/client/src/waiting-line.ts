/** Those who wait, in order of arrival, by host: ten thousand may wait for one, and nobody looks at them for another's sake. */
export class WaitingLine<W extends { readonly host: string }> {
  /** By host, each with the number of its arrival. */
  readonly #hosts = new Map<string, Map<W, number>>();
  #arrivals = 0;

  add(waiter: W): void {
    const waiters = this.#hosts.get(waiter.host) ?? new Map<W, number>();
    this.#hosts.set(waiter.host, waiters.set(waiter, (this.#arrivals += 1)));
  }

  delete(waiter: W): void {
    const waiters = this.#hosts.get(waiter.host);
    if (waiters?.delete(waiter) && waiters.size === 0) this.#hosts.delete(waiter.host);
  }

  /** Who waits for the host and came first. */
  firstFor(host: string): W | undefined {
    return this.#hosts.get(host)?.keys().next().value;
  }

  /** Who came first of all but those who wait for the hosts excepted. */
  first(excepted: ReadonlySet<string>): W | undefined {
    let first: W | undefined;
    let earliest = Infinity;
    for (const [host, waiters] of this.#hosts) {
      if (excepted.has(host)) continue;
      const [[waiter, arrival] = [undefined, Infinity]] = waiters;
      if (arrival < earliest) [first, earliest] = [waiter, arrival];
    }
    return first;
  }
}
