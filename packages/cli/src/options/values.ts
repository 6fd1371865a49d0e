/** Values of options, read and checked. */
import { UsageError } from '../failure.ts';

export function wholeNumber(option: string, value: string, least = 0): number {
  const number = /^-?\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= least)) throw new UsageError(`--${option} wants a whole number, not ${JSON.stringify(value)}`);
  return number;
}

export function seconds(option: string, value: string): number {
  const number = /^\d*\.?\d+$|^\d+\.$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= 0)) throw new UsageError(`--${option} wants seconds, not ${JSON.stringify(value)}`);
  // A Node timer takes 31 bits of milliseconds: 24 days.
  return Math.min(number, 2_000_000);
}

const units: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  K: 1024,
  M: 1024 ** 2,
  G: 1024 ** 3,
  T: 1024 ** 4,
  P: 1024 ** 5,
};

export function octets(option: string, value: string): number {
  const [, digits, unit] = /^(\d{1,15})([bkmgtp]?)$/i.exec(value) ?? [];
  if (digits === undefined) throw new UsageError(`--${option} wants octets, not ${JSON.stringify(value)}`);
  return Number(digits) * units[unit!.toUpperCase()]!;
}
