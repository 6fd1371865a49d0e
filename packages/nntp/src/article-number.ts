/** Numbers that servers give: article numbers, counts of octets and lines. */
import type { ArticleRange } from './wish.ts';

/** Digits as a number; undefined for anything else, and beyond 2^53, where it would be another number. */
export function numberOf(digits: string | undefined): number | undefined {
  if (digits === undefined || !/^\d{1,16}$/.test(digits)) return undefined;
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** The words of GROUP's 211: `count low high name` (RFC 3977 §6.1.1). */
export function groupSpan(
  words: string,
): { readonly count: bigint; readonly low: bigint; readonly high: bigint } | undefined {
  const [, count, low, high] = /^\s{0,8}(\d{1,20})\s{1,8}(\d{1,20})\s{1,8}(\d{1,20})(?!\d)/.exec(words) ?? [];
  if (count === undefined || low === undefined || high === undefined) return undefined;
  return { count: BigInt(count), low: BigInt(low), high: BigInt(high) };
}

/** Whether a number lies in the range. */
export function isWithin(number: bigint, { low, high }: ArticleRange): boolean {
  return number >= BigInt(low) && (high === undefined || number <= BigInt(high));
}
