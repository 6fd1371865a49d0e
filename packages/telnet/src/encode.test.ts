import { expect, test } from 'vitest';
import { encodeData, encodeTerminalType, encodeWindowSize } from './encode.ts';

const encoded = (octets: readonly number[], binary = false): number[] => [
  ...encodeData(Uint8Array.from(octets), binary),
];

test('0xFF is doubled (RFC 854)', () => {
  expect(encoded([1, 255, 255, 2])).toEqual([1, 255, 255, 255, 255, 2]);
});

test('a CR without LF gets a NUL; CR LF and a bare LF stay (RFC 854)', () => {
  expect(encoded([13])).toEqual([13, 0]);
  expect(encoded([65, 13, 66])).toEqual([65, 13, 0, 66]);
  expect(encoded([13, 10, 10, 13, 13, 10])).toEqual([13, 10, 10, 13, 0, 13, 10]);
  expect(encoded([13, 0])).toEqual([13, 0, 0]);
});

test('in binary only 0xFF is doubled (RFC 856)', () => {
  expect(encoded([13, 10, 13, 255], true)).toEqual([13, 10, 13, 255, 255]);
});

test('data without any of that is not copied', () => {
  const data = Buffer.from('plain\n');
  expect(encodeData(data, false)).toBe(data);
});

test('the window size is four octets, 255 doubled (RFC 1073)', () => {
  expect([...encodeWindowSize({ columns: 80, rows: 24 })]).toEqual([255, 250, 31, 0, 80, 0, 24, 255, 240]);
  expect([...encodeWindowSize({ columns: 511, rows: 255 })]).toEqual([
    255, 250, 31, 1, 255, 255, 0, 255, 255, 255, 240,
  ]);
});

test('the terminal type follows IS (RFC 1091)', () => {
  expect(Buffer.from(encodeTerminalType(Buffer.from('vt100'))).toString('latin1')).toBe(
    '\xff\xfa\x18\x00vt100\xff\xf0',
  );
});
