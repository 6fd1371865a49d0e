import { expect, test } from 'vitest';
import { pointAt } from './caret.ts';

test('the caret stands under the character, whatever stands before it', () => {
  expect(pointAt('abcdef', 2, 80)).toEqual(['abcdef', '  ^']);
  expect(pointAt('\u001bx', 1, 80)).toEqual([String.raw`\ex`, '  ^']);
});

test('of a long line the part around it is shown', () => {
  const [line, caret] = pointAt(`${'a'.repeat(100)}X${'b'.repeat(100)}`, 100, 40);
  expect(line.length).toBe(40);
  expect(line[caret.indexOf('^')]).toBe('X');
});
