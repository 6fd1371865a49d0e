/** Those who wait, in order of arrival, with the hosts they wait for counted: ten thousand may wait for one. */
export class WaitingLine<W extends { readonly host: string }> implements Iterable<W> {
  readonly #waiters = new Set<W>();
  readonly #hosts = new Map<string, number>();

  /** For how many hosts somebody waits. */
  get hosts(): number {
    return this.#hosts.size;
  }

  waitsFor(host: string): boolean {
    return this.#hosts.has(host);
  }

  add(waiter: W): void {
    this.#waiters.add(waiter);
    this.#hosts.set(waiter.host, (this.#hosts.get(waiter.host) ?? 0) + 1);
  }

  delete(waiter: W): void {
    if (!this.#waiters.delete(waiter)) return;
    const left = this.#hosts.get(waiter.host)! - 1;
    if (left > 0) this.#hosts.set(waiter.host, left);
    else this.#hosts.delete(waiter.host);
  }

  [Symbol.iterator](): Iterator<W> {
    return this.#waiters.values();
  }
}
