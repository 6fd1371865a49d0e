import { expect, test } from 'vitest';
import { testParseVectors } from '../../../test/vectors/parse-vectors.ts';
import { parse } from './index.ts';

testParseVectors('wais');

test('a wpath of libwww is read whole, with its departures', () => {
  expect(parse('wais://h/db/TEXT/489/1=a;2=b;')).toHaveProperty('wpath', '489/1=a;2=b;');
});
