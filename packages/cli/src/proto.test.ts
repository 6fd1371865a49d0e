import { expect, test } from 'vitest';
import { schemes } from './drivers.ts';
import { allowedSchemes } from './proto.ts';

const warnings: string[] = [];
const allowed = (text: string) =>
  allowedSchemes(text, { allowed: ['http', 'ftp'], all: schemes }, (warning) => warnings.push(warning)).toSorted();

test('schemes are added, taken away and set, from left to right', () => {
  expect(allowed('gopher')).toEqual(['ftp', 'gopher', 'http']);
  expect(allowed('+gopher,-FTP')).toEqual(['gopher', 'http']);
  expect(allowed('=https, +ftp')).toEqual(['ftp', 'https']);
  expect(allowed('-all,wais')).toEqual(['wais']);
  expect(allowed('all').length).toBe(new Set([...schemes, 'http', 'ftp']).size);
  expect(allowed('')).toEqual(['ftp', 'http']);
  expect(warnings).toEqual([]);
});

test('an unknown scheme is told of, and allows nothing else', () => {
  expect(allowed('=htpps')).toEqual(['htpps']);
  expect(warnings).toEqual(['the scheme "htpps" is unknown']);
});
