import { expect, test } from 'vitest';
import { testParseVectors } from '../../../test/vectors/parse-vectors.ts';
import { canParse, parse } from './index.ts';

testParseVectors('syntax');

test('canParse tells without throwing', () => {
  expect(canParse('HTTP://h/')).toBe(true);
  expect(canParse('HTTP://h/', { strict: true })).toBe(false);
  expect(canParse('README')).toBe(false);
});

test('a position of the unwrapped URL is mapped back to the text given (Appendix)', () => {
  const text = '< URL: ft p://h:x/a>';
  expect(() => parse(text)).toThrow(expect.objectContaining({ position: text.indexOf('x/a') }));
});
