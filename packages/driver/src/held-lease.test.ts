import { expect, test } from 'vitest';
import type { Session } from './access.ts';
import { heldLease } from './held-lease.ts';

function lease(usable: boolean) {
  const ends: string[] = [];
  const session: Session = { usable, close: () => undefined };
  const held = heldLease({
    session,
    reused: false,
    release: () => void ends.push('released'),
    discard: () => void ends.push('discarded'),
    doneSending: () => void ends.push('done sending'),
  });
  return { held, ends };
}

test.each([
  [true, undefined, 'released'],
  [true, true, 'released'],
  [true, false, 'discarded'],
  [false, true, 'discarded'],
])('a session that is usable (%s) and in order (%s) is %s', (usable, inOrder, end) => {
  const { held, ends } = lease(usable);
  held.end(inOrder);
  expect(ends).toEqual([end]);
});

test('only the first end counts', () => {
  const { held, ends } = lease(true);
  held.end(false);
  held.end(true);
  expect(ends).toEqual(['discarded']);
});
