/** Dates of articles (RFC 5322 §3.3, §4.3): the present form and the obsolete ones that old articles have. */

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `[day-name,] day month year hour:minute[:second] zone`; RFC 850's hyphens between day, month and year are taken too. */
const dateTime =
  /^(?:[a-z]{3,9}\s{0,4},?\s{0,4})?(\d{1,2})[\s-]{1,4}([a-z]{3})[a-z]{0,6}[\s-]{1,4}(\d{2,4})\s{1,4}(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s{0,4}([+-]\d{4}|[a-z]{1,5}))?/i;

/** RFC 5322 §4.3; of any other name nothing is known, and it counts as `-0000`. */
const zones: Readonly<Record<string, number>> = {
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
};

/** When an article was written; undefined when the text is no such date. */
export function articleDate(text: string): Date | undefined {
  const match = dateTime.exec(text.slice(0, 128).trim());
  if (!match) return undefined;
  const [, day, monthName = '', yearText = '', hour, minute, second = '0', zone = ''] = match;
  const month = months.indexOf(monthName.toLowerCase());
  const date = new Date(Date.UTC(fullYear(yearText), month, Number(day), Number(hour), Number(minute), Number(second)));
  // Date.UTC carries 31 February over into March, and 25:61 into tomorrow. A leap second may carry.
  const valid =
    month >= 0 &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) <= 60 &&
    (date.getUTCDate() === Number(day) || Number(second) === 60);
  return valid ? new Date(date.getTime() - offsetMinutes(zone) * 60_000) : undefined;
}

/** RFC 5322 §4.3: 00 to 49 are of this century, 50 to 99 and three digits count from 1900. */
function fullYear(text: string): number {
  const year = Number(text);
  if (text.length === 2 && year < 50) return 2000 + year;
  return text.length < 4 ? 1900 + year : year;
}

function offsetMinutes(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2})(\d{2})$/.exec(zone) ?? [];
  if (sign !== undefined) return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  const name = zone.toLowerCase();
  return Object.hasOwn(zones, name) ? (zones[name] ?? 0) * 60 : 0;
}
