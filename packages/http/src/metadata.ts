/** What the header fields tell of the object. */
import { textOf, type Metadata } from '@retriever/driver';
import { suggestedName } from './content-disposition.ts';
import type { Head } from './exchange.ts';
import { field, parameter, type Fields } from './fields.ts';

/** Everything but size and range, which depend on the status. */
export function metadataOf({ code, reason, fields, heads }: Head): Metadata {
  const type = field(fields, 'content-type') ?? '';
  const disposition = field(fields, 'content-disposition');
  return {
    modified: dateOf(field(fields, 'last-modified')),
    mediaType: mediaTypeIn(type),
    charset: parameter(type, 'charset')?.toLowerCase() || undefined,
    etag: field(fields, 'etag'),
    suggestedName: disposition === undefined ? undefined : suggestedName(disposition),
    reply: { code, text: textOf(Buffer.from(reason, 'latin1')) },
    headers: fields,
    heads,
  };
}

/** RFC 9110 §8.6; undefined when absent or no number that can be counted to. */
export function contentLength(fields: Fields): number | undefined {
  const value = field(fields, 'content-length');
  const length = value !== undefined && /^\d+$/.test(value) ? Number(value) : NaN;
  return Number.isSafeInteger(length) ? length : undefined;
}

function mediaTypeIn(value: string): string | undefined {
  return /^[^\s;,/]+\/[^\s;,/]+/.exec(value)?.[0].toLowerCase();
}

/** The three forms of RFC 9110 §5.6.7; asctime's bears no zone and means GMT. */
function dateOf(value: string | undefined): Date | undefined {
  // Date.parse takes much more than these, and makes a date of almost any number.
  if (value === undefined || !/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(value)) return undefined;
  const time = Date.parse(/\b(?:GMT|UTC)$|[+-]\d{4}$/.test(value) ? value : `${value} GMT`);
  return Number.isNaN(time) ? undefined : new Date(time);
}
