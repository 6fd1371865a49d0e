import { expect, test } from 'vitest';
import { testParseVectors } from '../../../test/vectors/parse-vectors.ts';
import { parse } from './index.ts';

testParseVectors('generic');

test('what only looks like a login is part of an opaque URL (§5)', () => {
  expect(parse('foo://h:x/')).not.toHaveProperty('host');
  expect(parse('foo://h:1/')).toHaveProperty('port', 1);
});
