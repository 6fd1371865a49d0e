import fc from 'fast-check';
import { expect, test } from 'vitest';
import { latin1Of, textOf } from './octet-text.ts';

test('UTF-8 if valid, else latin1', () => {
  expect(textOf(Uint8Array.of(0x63, 0xc3, 0xa9))).toBe('cé');
  expect(textOf(Uint8Array.of(0x63, 0xe9))).toBe('cé');
});

test('latin1 is not windows-1252', () => {
  expect(latin1Of(Uint8Array.of(0x80, 0x93))).toBe('\x80\x93');
});

test('a byte order mark is kept', () => {
  expect(textOf(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe('\ufeffa');
});

test('surrogates and overlong forms are not UTF-8', () => {
  expect(textOf(Uint8Array.of(0xed, 0xa0, 0x80))).toBe('\xed\xa0\x80');
  expect(textOf(Uint8Array.of(0xc0, 0xaf))).toBe('\xc0\xaf');
});

test('any text comes back from its UTF-8, any octets from latin1', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => textOf(Buffer.from(text)) === text));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (octets) => {
      expect(Buffer.from(latin1Of(octets), 'latin1').equals(octets)).toBe(true);
    }),
  );
});

test('a long name does not overflow the stack', () => {
  expect(latin1Of(new Uint8Array(300_000).fill(0x61))).toHaveLength(300_000);
});
