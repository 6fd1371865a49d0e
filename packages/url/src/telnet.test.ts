import { expect, test } from 'vitest';
import { testParseVectors } from '../../../test/vectors/parse-vectors.ts';
import { parse } from './index.ts';

testParseVectors('telnet');

test('a slash may follow, and changes nothing but the text (§3.8)', () => {
  expect(parse('telnet://h').toJSON()).toEqual(parse('telnet://h/').toJSON());
});
