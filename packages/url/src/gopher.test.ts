import { expect, test } from 'vitest';
import { testParseVectors } from '../../../test/vectors/parse-vectors.ts';
import { parse } from './index.ts';

testParseVectors('gopher');

const octets = (text: string): Uint8Array => new TextEncoder().encode(text);

test('the form of an ASK block is a Gopher+ string with a tab in it (§3.4.9)', () => {
  const url = parse('gopher://h/0a%09%09+%091%0D%0Ax');
  expect(url.octets).toMatchObject({ selector: octets('a'), search: octets(''), gopherPlus: octets('+\t1\r\nx') });
});
