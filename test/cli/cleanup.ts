/** What tests leave behind, cleared away after the last one of a file: tests run side by side. */
import { afterAll } from 'vitest';

const chores: (() => void)[] = [];

export function afterTests(chore: () => void): void {
  chores.push(chore);
}

afterAll(() => {
  for (const chore of chores.splice(0)) chore();
});
