import { expect, test } from 'vitest';
import { preferredType } from './accept.ts';

test.each([
  [null, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html'],
  ['text/plain', 'text/plain'],
  ['TEXT/PLAIN; Q=0.5, text/html;q=0.4', 'text/plain'],
  ['text/*', 'text/html'],
  ['application/json;q=0, */*;q=0.1', 'text/html'],
  ['text/html;q=nonsense, text/plain;q=0.1', 'text/plain'],
  ['image/png', 'application/json'],
])('Accept: %s gets %s', (accept, expected) => {
  expect(preferredType(accept, ['application/json', 'text/html', 'text/plain'])).toBe(expected);
});
