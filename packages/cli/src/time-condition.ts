/** `-z TIME`: a date, or the name of a file whose date it is; `-TIME` turns the condition round. */
import { statSync } from 'node:fs';

export interface TimeCondition {
  readonly time: Date;
  /** Retrieve only what changed after `time`, or only what did not. */
  readonly wanted: 'newer' | 'older';
}

/** Undefined when the text is neither: curl warns and goes on without a condition. */
export function timeConditionOf(text: string): TimeCondition | undefined {
  const older = text.startsWith('-');
  const rest = /^[-+=]/.test(text) ? text.slice(1) : text;
  const time = dateOf(rest) ?? timeOfFile(rest);
  return time && { time, wanted: older ? 'older' : 'newer' };
}

/** What curl_getdate takes of the forms people use: without a zone it is GMT. */
function dateOf(text: string): Date | undefined {
  const compact = /^(\d{4})(\d{2})(\d{2})(?:[ T]?(\d{2}):?(\d{2}):?(\d{2})?)?$/.exec(text.trim());
  const plain = compact
    ? `${compact[1]}-${compact[2]}-${compact[3]} ${compact[4] ?? '00'}:${compact[5] ?? '00'}:${compact[6] ?? '00'}`
    : // `Sun, 06-Nov-94`, `06 Nov 1994`: what a date says of the weekday is decoration.
      text.trim().replace(/^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+/i, '');
  if (!/\d/.test(plain) || !/[a-z]{3}|\d-\d|\//i.test(plain)) return undefined;
  const zoned = /(gmt|utc|[ecmp][sd]t|\bz|\dz|[+-]\d{4}|[+-]\d\d:\d\d)\s*(\d{4})?$/i.test(plain);
  for (const candidate of zoned ? [plain] : [`${plain} GMT`, `${plain}Z`]) {
    const date = new Date(candidate);
    if (!Number.isNaN(date.getTime())) return date;
  }
  return undefined;
}

function timeOfFile(name: string): Date | undefined {
  return statSync(name, { throwIfNoEntry: false })?.mtime;
}
