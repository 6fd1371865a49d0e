import { expect, test } from 'vitest';
import { mediaTypeOf } from './media-type.ts';

test.each([
  ['page.html', 'text/html'],
  ['/pub/Image.PNG', 'image/png'],
  ['a.tar.gz', 'application/gzip'],
  ['README', undefined],
  ['html', undefined],
  ['v1.2/README', undefined],
  ['name.', undefined],
  ['', undefined],
  ['x.constructor', undefined],
  ['x.__proto__', undefined],
])('%s: %s', (name, mediaType) => {
  expect(mediaTypeOf(name)).toBe(mediaType);
});
