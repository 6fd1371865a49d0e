import { expect, test } from 'vitest';
import { duration, meterLine, shortOctets, type Standing } from './meter.ts';

const standing: Standing = {
  label: 'big.iso',
  size: 10_000_000,
  octets: 2_500_000,
  octetsPerSecond: 1_000_000,
  elapsedSeconds: 2.5,
  done: false,
};

test('a line has name, percent, amounts, rate and the time left', () => {
  expect(meterLine(standing, 80, false)).toBe('big.iso   25%  2.4M of 9.5M  977k/s  0:08 left');
  expect(meterLine({ ...standing, octets: 10_000_000, done: true }, 80, false)).toBe(
    'big.iso  100%  9.5M  977k/s  in 0:03',
  );
  expect(meterLine({ ...standing, size: undefined }, 80, false)).toBe('big.iso  2.4M  977k/s');
});

test('what matters least goes first in a narrow window', () => {
  for (const columns of [5, 10, 20, 30, 39, 40, 60])
    expect(meterLine(standing, columns, false).length).toBeLessThanOrEqual(columns);
  expect(meterLine(standing, 10, false)).toBe('b...   25%');
  expect(meterLine({ ...standing, label: 'x'.repeat(99) }, 60, false)).toMatch(/^x+\.\.\. {3}25% .* left$/);
});

test('a bar fills the room there is', () => {
  const line = meterLine(standing, 80, true);
  expect(line).toMatch(/^\[#{9,11} +\] {3}25%/);
  expect(line.length).toBe(80);
});

test('names in it are harmless', () => {
  expect(meterLine({ ...standing, label: 'a\u001b[2J' }, 80, false)).toContain(String.raw`a\e[2J`);
});

test('octets and times are short', () => {
  expect([0, 999, 1000, 1024, 99_999, 1e6, 1e9, 1e12].map((octets) => shortOctets(octets))).toEqual([
    '0',
    '999',
    '1.0k',
    '1.0k',
    '97.7k',
    '977k',
    '954M',
    '931G',
  ]);
  expect([0, 61, 3600, 1e9, Infinity].map((seconds) => duration(seconds))).toEqual([
    '0:00',
    '1:01',
    '1:00:00',
    'days',
    'days',
  ]);
});
