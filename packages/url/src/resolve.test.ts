import { expect, test } from 'vitest';
import { caught } from '../../../test/vectors/parse-vectors.ts';
import vectors from '../../../test/vectors/resolve.json' with { type: 'json' };
import { parse, resolve, UrlSyntaxError } from './index.ts';

test.each(Object.values(vectors).flat())('resolves "$reference" against $base', ({ base, reference, url }) => {
  if (url === null) expect(caught(() => resolve(base, reference))).toBeInstanceOf(UrlSyntaxError);
  else expect(resolve(base, reference).toString()).toBe(url);
});

test('says why nothing is relative to a URL that is not hierarchical (§2.3)', () => {
  expect(() => resolve(parse('gopher://h/1/a'), 'b')).toThrow(expect.objectContaining({ rule: 'relative' }));
});
