import { parse } from '@retriever/url';
import { expect, test } from 'vitest';
import { archieUrl } from './archie.ts';

test('a search is a URL without violations, whatever it looks for', () => {
  expect(archieUrl({ host: 'archie.example', search: 'prospero.tar.Z', match: 'exact' })).toBe(
    'prospero://archie.example/ARCHIE/MATCH(95,95,95,0,=)/prospero.tar.Z',
  );
  const odd = archieUrl({ host: 'h', port: 1526, search: 'a b;c%/?', maxHits: 5, offset: 10 });
  expect(odd).toBe('prospero://h:1526/ARCHIE/MATCH(5,5,5,10,S)/a%20b%3Bc%25/?');
  expect(parse(odd).violations).toEqual([]);
});
