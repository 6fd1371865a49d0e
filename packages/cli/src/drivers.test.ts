import { expect, test } from 'vitest';
import { createClient } from 'retriever';
import { schemes } from './drivers.ts';

test('the command has the drivers of the umbrella package', () => {
  expect(schemes.toSorted()).toEqual(createClient().schemes.toSorted());
});
