import { expect, test } from 'vitest';
import { fuzz } from '../testing/fuzz.ts';

test('2000 answers of noise and mutated captures are read or refused, each soon', async () => {
  const { executions, retrieved, slowestMs } = await fuzz((count) => count === 2000, 1738);
  expect(executions).toBe(2000);
  expect(retrieved).toBeGreaterThan(0);
  expect(slowestMs).toBeLessThan(2000);
});
