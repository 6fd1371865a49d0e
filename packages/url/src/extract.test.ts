import { expect, test } from 'vitest';
import vectors from '../../../test/vectors/extract.json' with { type: 'json' };
import { extract } from './index.ts';

test.each(vectors)('extracts from $text', ({ text, urls }) => {
  const found = extract(text).map(({ url, text: own, alternative }) => ({
    text: own,
    ...(alternative !== undefined && { alternative }),
    ...(url === undefined && { parses: false }),
  }));
  expect(found).toEqual(urls);
});

test('offsets enclose the URL without wrapper and prefix (Appendix)', () => {
  const text = 'in <URL: http://a.b/c-\n d> and (ftp://h/e).';
  const slices = extract(text).map(({ start, end }) => text.slice(start, end));
  expect(slices).toEqual(['http://a.b/c-\n d', 'ftp://h/e']);
  expect(extract(text).map(({ wrapped }) => wrapped)).toEqual([true, false]);
});
