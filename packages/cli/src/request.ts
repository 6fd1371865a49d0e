/** What the settings ask of a retrieval. */
import { readFileSync } from 'node:fs';
import type { RetrieveOptions } from '@retriever/client';
import type { ByteRange } from '@retriever/driver';
import type { Url } from '@retriever/url';
import { Failure, UsageError } from './failure.ts';
import { queryPart } from './url-query.ts';
import type { Settings } from './settings.ts';
import { savedEtag } from './etag-file.ts';
import { timeConditionOf, type TimeCondition } from './time-condition.ts';

/** The settings' part that is the same for all URLs, read and checked once. */
export interface RequestPlan {
  readonly range: ByteRange | undefined;
  readonly timeCondition: TimeCondition | undefined;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** What is added to the query of http: URLs, encoded. */
  readonly query: readonly string[];
  readonly credentials: RetrieveOptions['credentials'];
}

/** @throws UsageError */
export function planRequests(settings: Settings, warn: (text: string) => void): RequestPlan {
  const { range, timeCondition, user, urls, etagSave, etagCompare } = settings;
  if ((etagSave ?? etagCompare) !== undefined && urls.length > 1) {
    throw new UsageError('--etag-save and --etag-compare are for one URL');
  }
  const condition = timeCondition === undefined ? undefined : timeConditionOf(timeCondition);
  if (timeCondition !== undefined && !condition) {
    warn(`-z ${timeCondition} is neither a date nor a file: there is no condition`);
  }
  return {
    range: range === undefined || range.includes(',') ? undefined : byteRange(range),
    timeCondition: condition,
    headers: headersOf(settings, warn),
    query: settings.urlQuery.map(queryPart),
    credentials: user === undefined ? undefined : credentialsOf(user),
  };
}

/** The options of one retrieval. */
export function requestFor(url: Url, settings: Settings, plan: RequestPlan): RetrieveOptions {
  const { range, timeCondition, headers, credentials } = plan;
  const older = timeCondition?.wanted === 'older' ? timeCondition.time.toUTCString() : undefined;
  return {
    metadataOnly: settings.head,
    range,
    ...(timeCondition?.wanted === 'newer' && { ifModifiedSince: timeCondition.time }),
    headers: older === undefined || !isHttp(url) ? headers : [...headers, ['If-Unmodified-Since', older]],
    compressed: settings.compressed,
    // An error page is a page; what -f makes of it is decided when its header is there to be shown.
    keepRefusal: isHttp(url),
    keepReference: !settings.location,
    credentials,
  };
}

export function isHttp(url: Url): boolean {
  return url.grammar === 'http';
}

/** `0-99`, `100-`, `-500`; a single number means from there on, as in curl. @throws UsageError */
export function byteRange(text: string): ByteRange {
  const [, first, last] = /^(\d{0,15})-?(\d{0,15})$/.exec(text.trim()) ?? [];
  if (first === undefined || (first === '' && !last)) {
    throw new UsageError(`--range wants 0-99, 100- or -500, not ${JSON.stringify(text)} (one range only)`);
  }
  if (first === '') return { suffix: Number(last) };
  if (!last) return { start: Number(first) };
  if (Number(last) < Number(first)) throw new UsageError(`--range ${text} ends before it begins`);
  return { start: Number(first), end: Number(last) };
}

function headersOf(
  { headers, userAgent, referer, cookie, range, etagCompare, etagSave }: Settings,
  warn: (text: string) => void,
): (readonly [string, string])[] {
  const fields: (readonly [string, string])[] = [];
  // Several ranges are HTTP's own; the parts come as they are sent.
  if (range?.includes(',')) fields.push(['Range', `bytes=${range}`]);
  if (userAgent !== undefined) fields.push(['User-Agent', userAgent]);
  if (referer !== undefined) fields.push(['Referer', referer]);
  if (cookie?.includes('=')) fields.push(['Cookie', cookie]);
  // curl reads a file of that name.
  else if (cookie !== undefined) warn(`--cookie wants NAME=VALUE; no file of cookies is read`);
  if (etagCompare !== undefined) fields.push(['If-None-Match', savedEtag(etagCompare, etagSave !== undefined)]);
  for (const line of headers.flatMap(linesOf)) {
    const field = line === '' ? undefined : headerField(line, warn);
    const taken = fields.findIndex(([name]) => name.toLowerCase() === field?.[0].toLowerCase());
    // -H says more than -A, -e and -b.
    if (field && taken >= 0 && taken < fields.length) fields.splice(taken, 1);
    if (field) fields.push(field);
  }
  return fields;
}

/** `@FILE` holds one field a line; `@-` is stdin. */
function linesOf(header: string): string[] {
  if (!header.startsWith('@')) return [header];
  try {
    const text = readFileSync(header === '@-' ? 0 : header.slice(1), 'latin1');
    return text.split(/\r?\n/).filter((line) => line.trim() !== '');
  } catch (error) {
    throw new Failure(26, `cannot read the header fields of ${header.slice(1)}: ${(error as Error).message}`, error);
  }
}

/** Fields that the http driver sends by itself: an empty value takes them away. */
const removable = new Set([
  'accept',
  'accept-encoding',
  'authorization',
  'host',
  'if-modified-since',
  'if-range',
  'range',
  'user-agent',
]);
/** Fields of the connection, which is not the caller's: curl lets them be set, the http driver does not. */
const ofConnection = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** `Name: value`; `Name:` removes a field; `Name;` sends an empty one. Undefined for one that is not sent. */
function headerField(line: string, warn: (text: string) => void): readonly [string, string] | undefined {
  if (/[\r\n\0]/.test(line)) throw new UsageError('--header: a field holds no CR, LF or NUL');
  const [, name, mark, value = ''] = /^([^\s:;]+)[ \t]*([:;])[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
  if (name === undefined) {
    warn(`--header wants 'Name: value'; ${JSON.stringify(line)} is not sent`);
    return undefined;
  }
  const key = name.toLowerCase();
  if (ofConnection.has(key)) {
    if (value !== '') warn(`the field ${name} belongs to the connection and is not sent`);
    return undefined;
  }
  return value === '' && mark === ':' && !removable.has(key) ? undefined : [name, value];
}

function credentialsOf(user: string): { user: string; password?: string } {
  const colon = user.indexOf(':');
  return colon < 0 ? { user } : { user: user.slice(0, colon), password: user.slice(colon + 1) };
}
