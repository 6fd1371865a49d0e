import { parse } from '@retriever/url';
import { expect, test } from 'vitest';
import { queryPart, withQuery } from './url-query.ts';

test('content is encoded, names and +TEXT are not', () => {
  expect(['a b', '=x=y', 'n=a b&\u00fc', '+n=%20x', '=a@b', "n=*'()!~"].map(queryPart)).toEqual([
    'a+b',
    'x%3Dy',
    'n=a+b%26%C3%BC',
    'n=%20x',
    'a%40b',
    'n=%2A%27%28%29%21~',
  ]);
  expect(() => queryPart('n@/none')).toThrow('cannot read /none');
});

test.for([
  ['http://h', 'http://h/?a=1&b'],
  ['http://h/p', 'http://h/p?a=1&b'],
  ['http://h/p?', 'http://h/p?a=1&b'],
  ['http://h/p?x#frag', 'http://h/p?x&a=1&b#frag'],
  ['ftp://h/p', 'ftp://h/p'],
] as const)('%s becomes %s', ([given, wanted]) => {
  expect(String(withQuery(parse(given), ['a=1', 'b']))).toBe(wanted);
});
