import { expect, test } from 'vitest';
import { testParseVectors } from '../../../test/vectors/parse-vectors.ts';
import { parse } from './index.ts';

testParseVectors('news');

test('an "@" tells an article from a group, never a user from a host (§3.6)', () => {
  expect(parse('news:a@b')).toHaveProperty('article', 'a@b');
  expect(parse('news:a@b')).not.toHaveProperty('host');
});
