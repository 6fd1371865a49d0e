import { expect, test } from 'vitest';
import { suggestedName } from './content-disposition.ts';

test.each([
  ['attachment', undefined],
  ['attachment; filename=plain.txt', 'plain.txt'],
  ['attachment; filename="with space.txt"', 'with space.txt'],
  ['attachment; filename="a \\"quoted\\" name; really"', 'a "quoted" name; really'],
  ['ATTACHMENT ; FileName = "x"', 'x'],
  ['inline; filename=""', undefined],
  ['filename=plain.txt', 'plain.txt'],
  [' filename = "a;b"; x=y', 'a;b'],
  ['attachment; filename="no"; filename*=UTF-8\'\'%e2%82%ac%20rates', '€ rates'],
  ["attachment; filename*=iso-8859-1'en'%A3%20rates; filename=no", '£ rates'],
  ["attachment; filename*=UTF-16''x; filename=yes", 'yes'],
  ['attachment; filename*=broken; filename=yes', 'yes'],
  ['attachment; xfilename="no"; filename=yes', 'yes'],
  ['attachment; x="; filename=no"; filename=yes', 'yes'],
  ['attachment; filename="../../etc/passwd"', '../../etc/passwd'],
  ['attachment; filename="caf\xc3\xa9"', 'café'],
  ['attachment; filename="caf\xe9"', 'café'],
  ['attachment; filename="unclosed', 'unclosed'],
  [`attachment; filename="${'\\"'.repeat(30_000)}`, '"'.repeat(30_000)],
])('a suggested name (RFC 6266): %.60s', (disposition, name) => {
  expect(suggestedName(disposition)).toBe(name);
});
