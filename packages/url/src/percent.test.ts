import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decode, decodeText, encode } from './index.ts';

test('decode undoes encode, whatever the octets (§2.2)', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (octets) => {
      expect(decode(encode(octets))).toEqual(octets);
    }),
  );
});

test('encode leaves unreserved characters and those it is told to', () => {
  expect(encode("azAZ09$-_.+!*'(),")).toBe("azAZ09$-_.+!*'(),");
  expect(encode(';/?:@&=~#%')).toBe('%3B%2F%3F%3A%40%26%3D%7E%23%25');
  expect(encode('a/b', '/')).toBe('a/b');
});

test.each([
  ['%', '%'],
  ['%4', '%4'],
  ['%zz%41', '%zzA'],
  ['%2541', '%41'],
  ['é', 'é'],
  ['caf%C3%A9', 'café'],
  ['caf%E9', 'café'],
  ['%80', '\u0080'],
  ['%EF%BB%BFa', '\uFEFFa'],
  ['\ud800', '\ufffd'],
])('decodeText reads %s as %s', (text, expected) => expect(decodeText(text)).toBe(expected));
