import { expect, test } from 'vitest';
import { testParseVectors } from '../../../test/vectors/parse-vectors.ts';
import { parse } from './index.ts';

testParseVectors('host');

test('an IPv6 host stands without brackets, its zone decoded', () => {
  expect(parse('http://[fe80::1%25eth0]/')).toHaveProperty('host', 'fe80::1%eth0');
});
