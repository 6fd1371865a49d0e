import { expect, test } from 'vitest';
import { testParseVectors } from '../../../test/vectors/parse-vectors.ts';
import { parse } from './index.ts';

testParseVectors('mailto');

const octets = (text: string): Uint8Array => new TextEncoder().encode(text);

test('a percent sign of the address is encoded (§3.5)', () => {
  expect(parse('mailto:gorby%25kremvax@example.com').octets).toMatchObject({
    address: octets('gorby%kremvax@example.com'),
  });
});
