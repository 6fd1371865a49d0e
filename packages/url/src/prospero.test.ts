import { expect, test } from 'vitest';
import { testParseVectors } from '../../../test/vectors/parse-vectors.ts';
import { parse } from './index.ts';

testParseVectors('prospero');

test('the hsoname keeps its leading slash (§3.11)', () => {
  expect(parse('prospero://host.dom//pros/name')).toHaveProperty('hsoname', '/pros/name');
});
