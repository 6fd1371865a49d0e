/** An access whose retrievals share one session, one after another, as a full pool has it; who waits sends ahead. */
import type { Access, Dial, Lease, LeaseOptions, Session } from '@retriever/driver';
import type { TestAccess } from '@retriever/driver/testing';

export interface OneSession extends Access {
  /** Makes the one who waits in this place (default: the first) give up. */
  giveUp(at?: number): void;
}

interface Waiter {
  grant(): void;
  refuse(reason: Error): void;
  follow(session: Session): void;
  withdraw?: (() => void) | undefined;
}

export function oneSession(access: TestAccess): OneSession {
  const waiters: Waiter[] = [];
  let taken = false;
  let followable: Session | undefined;

  async function lease<S extends Session>(
    key: string,
    open: (dial: Dial) => Promise<S>,
    { ahead }: LeaseOptions<S> = {},
  ): Promise<Lease<S>> {
    if (taken) {
      await new Promise<void>((grant, refuse) => {
        const waiter: Waiter = { grant, refuse, follow: (session) => (waiter.withdraw ??= ahead?.(session as S)) };
        waiters.push(waiter);
        if (followable) waiter.follow(followable);
      });
    }
    taken = true;
    const inner = await access.lease(key, open);
    const over = (end: () => void): void => {
      end();
      taken = false;
      followable = undefined;
      waiters.shift()?.grant();
    };
    return {
      session: inner.session,
      reused: inner.reused,
      doneSending() {
        followable = inner.session;
        for (const waiter of waiters) waiter.follow(inner.session);
      },
      release: () => over(() => inner.release()),
      discard: () => over(() => inner.discard()),
    };
  }
  return {
    ...access,
    lease,
    giveUp(at = 0) {
      const [waiter] = waiters.splice(at, 1);
      waiter?.withdraw?.();
      waiter?.refuse(new Error('given up'));
    },
  };
}
