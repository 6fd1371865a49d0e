import { expect, test } from 'vitest';
import { defaultPort, isExperimental, isReserved } from './index.ts';

test.each([
  ['ftp', 21],
  ['ftps', 990],
  ['http', 80],
  ['https', 443],
  ['gopher', 70],
  ['gophers', 70],
  ['news', 119],
  ['nntp', 119],
  ['snews', 563],
  ['nntps', 563],
  ['telnet', 23],
  ['wais', 210],
  ['prospero', 1525],
  ['FTP', 21],
  ['file', undefined],
  ['mailto', undefined],
  ['toString', undefined],
])('the default port of %s is %s', (scheme, port) => expect(defaultPort(scheme)).toBe(port));

test.each(['afs', 'mid', 'cid', 'nfs', 'tn3270', 'mailserver', 'z39.50', 'Z39.50'])('%s is reserved (§4)', (scheme) =>
  expect(isReserved(scheme)).toBe(true),
);

test('other schemes are not reserved, and x- is experimental (§4)', () => {
  expect(isReserved('ftp')).toBe(false);
  expect(isExperimental('x-foo')).toBe(true);
  expect(isExperimental('xfoo')).toBe(false);
});
