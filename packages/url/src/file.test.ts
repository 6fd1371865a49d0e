import { expect, test } from 'vitest';
import { testParseVectors } from '../../../test/vectors/parse-vectors.ts';
import { parse } from './index.ts';

testParseVectors('file');

test('an empty host differs from none (§3.10)', () => {
  expect(parse('file:///a')).toHaveProperty('host', '');
  expect(parse('file:/a')).not.toHaveProperty('host');
});
