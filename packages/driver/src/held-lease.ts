/** A lease in the hands of a body, which may end in several ways, some of them twice. */
import type { Lease, Session } from './access.ts';

/** A lease that ends exactly once. */
export interface HeldLease<S extends Session> {
  readonly session: S;
  readonly reused: boolean;
  /** Tells that this retrieval will send no more, see {@link Lease.doneSending}. */
  doneSending(): void;
  /** Gives the session back if it is usable and `inOrder` (default true); otherwise ends it. Only the first call counts. */
  end(inOrder?: boolean): void;
}

/**
 * Holds a lease until it ends.
 *
 * @example
 * const lease = heldLease(await access.lease(key, open));
 * createBody({ pump: async (sink) => { await speak(lease.session, sink); lease.end(); }, cancel: () => lease.end(false) });
 */
export function heldLease<S extends Session>(lease: Lease<S>): HeldLease<S> {
  let over = false;
  return {
    session: lease.session,
    reused: lease.reused,
    doneSending: () => lease.doneSending(),
    end(inOrder = true) {
      if (over) return;
      over = true;
      if (inOrder && lease.session.usable) lease.release();
      else lease.discard();
    },
  };
}
