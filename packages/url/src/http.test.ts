import { expect, test } from 'vitest';
import { testParseVectors } from '../../../test/vectors/parse-vectors.ts';
import { parse } from './index.ts';

testParseVectors('http');

test('the path is as written: no dot segment is folded, no backslash turned', () => {
  expect(parse('http://h/a/../%2e%2e\\b')).toHaveProperty('path', 'a/../%2e%2e\\b');
});
