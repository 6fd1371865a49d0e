/** Dates of LIST lines. No zone is ever given; they are taken for UTC, so `precision` is the best that can be said. */
import type { Entry } from '@retriever/driver';

export type ListDate = Required<Pick<Entry, 'modified' | 'precision'>>;

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const dayMs = 86_400_000;

/** `Mon dd hh:mm`, `Mon dd yyyy`, `dd Mon hh:mm`, `dd Mon yyyy`, `yyyy-mm-dd hh:mm`: what `ls -l` writes. */
export function unixDate(text: string, now: number): ListDate | undefined {
  const iso = /^(\d{4})[-/](\d\d?)[-/](\d\d?) (\d\d?):(\d\d)/.exec(text);
  if (iso) {
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = iso.slice(1).map(Number);
    return exactly([year, month - 1, day, hour, minute], 'minute');
  }
  const [, first = '', second = '', rest = ''] = /^(\S+)\s+(\S+)\s+(\S+)$/.exec(text) ?? [];
  const [monthName, dayText] = /^\d/.test(first) ? [second, first] : [first, second];
  const month = months.indexOf(monthName.toLowerCase());
  if (month === -1) return undefined;
  const day = Number(dayText);
  if (/^\d{4}$/.test(rest)) return exactly([Number(rest), month, day, 0, 0], 'day');
  const [, hour, minute] = /^(\d\d?):(\d\d)$/.exec(rest) ?? [];
  return hour === undefined ? undefined : lastSuch([month, day, Number(hour), Number(minute)], now);
}

/** `MM-dd-yy hh:mmAM`, `MM-dd-yyyy hh:mm`: what IIS writes. */
export function dosDate(text: string): ListDate | undefined {
  const match = /^(\d\d)[-/.](\d\d)[-/.](\d{4}|\d\d)\s+(\d\d?):(\d\d)\s*([AP])?M?$/i.exec(text);
  if (!match) return undefined;
  const [month = 0, day = 0, written = 0, hour = 0, minute = 0] = match.slice(1, 6).map(Number);
  const half = match[6]?.toUpperCase();
  const hours = half === undefined ? hour : (hour % 12) + (half === 'P' ? 12 : 0);
  // Two digits: IIS was born in 1995.
  const year = written >= 100 ? written : written + (written < 70 ? 2000 : 1900);
  return exactly([year, month - 1, day, hours, minute], 'minute');
}

/** `8-SEP-1996 16:09[:30[.22]]`: what VMS writes. */
export function vmsDate(text: string): ListDate | undefined {
  const match = /^(\d\d?)-([A-Z]{3})-(\d{4})(?: +(\d\d?):(\d\d)(?::(\d\d))?)?/i.exec(text);
  if (!match) return undefined;
  const month = months.indexOf((match[2] ?? '').toLowerCase());
  const [day, year, hour, minute, second] = [match[1], match[3], match[4] ?? 0, match[5] ?? 0, match[6] ?? 0].map(
    Number,
  );
  const precision = match[4] === undefined ? 'day' : match[6] === undefined ? 'minute' : 'second';
  return exactly([year ?? 0, month, day ?? 0, hour ?? 0, minute ?? 0, second ?? 0], precision);
}

type Parts = [year: number, month: number, day: number, hour: number, minute: number, second?: number];

/** The date, unless it does not exist. */
function exactly(
  [year, month, day, hour, minute, second = 0]: Parts,
  precision: ListDate['precision'],
): ListDate | undefined {
  const modified = new Date(Date.UTC(year, month, day, hour, minute, second));
  const exists = modified.getUTCMonth() === month && modified.getUTCDate() === day && hour < 25 && minute < 60;
  return exists ? { modified, precision } : undefined;
}

/** `ls` leaves the year out of recent dates: the last such date that is not later than tomorrow (zones, clocks). */
function lastSuch([month, day, hour, minute]: [number, number, number, number], now: number): ListDate | undefined {
  const latest = now + dayMs;
  const year = new Date(latest).getUTCFullYear();
  // 29 February may be up to eight years back.
  for (let back = 0; back <= 8; back += 1) {
    const date = exactly([year - back, month, day, hour, minute], 'minute');
    if (date && date.modified.getTime() <= latest) return date;
  }
  return undefined;
}
