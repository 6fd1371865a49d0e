import { expect, test } from 'vitest';
import { testParseVectors } from '../../../test/vectors/parse-vectors.ts';
import { parse } from './index.ts';

testParseVectors('nntp');

test('the article number keeps its digits (§3.7)', () => {
  expect(parse('nntp://h/g/0012')).toHaveProperty('article', '0012');
});
