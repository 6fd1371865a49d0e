/**
 * News by NNTP, RFC 1738 §3.7, and `nntps:`:
 *
 *     nntpurl = "nntp://" hostport "/" group [ "/" digits ]
 *
 * Tolerated: the ranges of RFC 5538 §3, `range = article-number [ "-" [ article-number ] ]`.
 */
import type { Components, Grammar } from './grammar.ts';
import { decodeLogin, encodeLogin, formatLogin, readLogin, type ParsedLogin, type RawLogin } from './login.ts';
import { encodeGroup, readGroup } from './news.ts';
import { draft } from './parsed-url.ts';
import { decode, type Octets } from './percent.ts';
import type { Reading } from './reading.ts';
import type { NntpUrl } from './url.ts';

/** Raw input for `build.nntp`; numbers of articles are integers or their digits. */
export interface RawNntp extends RawLogin {
  readonly scheme?: 'nntp' | 'nntps';
  readonly group?: Octets;
  readonly article?: string | number;
  readonly range?: { readonly low: string | number; readonly high?: string | number };
  readonly fragment?: Octets;
}

function decodeComponents(url: NntpUrl): NntpUrl['octets'] {
  return { ...decodeLogin(url), ...(url.group !== undefined && { group: decode(url.group) }) };
}

function finish(reading: Reading, login: ParsedLogin, group: string | undefined, articles: Articles): NntpUrl {
  const url = draft<NntpUrl>('nntp', reading, login, decodeComponents);
  if (group !== undefined) url.group = group;
  if (articles.article !== undefined) url.article = articles.article;
  if (articles.range !== undefined) url.range = articles.range;
  return url;
}

type Articles = Pick<NntpUrl, 'article' | 'range'>;

function parse(reading: Reading): NntpUrl {
  const { end } = reading;
  const login = readLogin(reading, 'hostport');
  const start = login.end + 1;
  if (start >= end) {
    reading.tolerate('nntpurl', login.end, 'the newsgroup name is missing');
    return finish(reading, login, undefined, {});
  }
  const slash = reading.find('/', start);
  if (slash === end) return finish(reading, login, readGroup(reading, start, end, false), {});
  return finish(reading, login, readGroup(reading, start, slash, false), readArticles(reading, slash + 1));
}

function readArticles(reading: Reading, start: number): Articles {
  const text = reading.text.slice(start, reading.end);
  if (text === '') {
    reading.tolerate('nntpurl', start, 'the article number is missing');
    return {};
  }
  const [, low = '', dash, high = ''] = /^(\d+)(-?)(\d*)$/.exec(text) ?? [];
  if (low === '') reading.fail('digits', start, 'the article number is not a number');
  if (dash === '') return { article: low };
  reading.tolerate('nntpurl', start, 'a range is no article number (RFC 5538 has it)');
  return { range: high === '' ? { low } : { low, high } };
}

function format(url: Components<NntpUrl>): string {
  const { range } = url;
  const article = range === undefined ? url.article : `${range.low}-${range.high ?? ''}`;
  return `${formatLogin(url)}/${url.group ?? ''}${article === undefined ? '' : `/${article}`}`;
}

/** Encodes raw input as components. */
export function encodeNntp(raw: RawNntp): Components<NntpUrl> {
  const { group, article, range } = raw;
  return {
    grammar: 'nntp',
    scheme: raw.scheme ?? 'nntp',
    ...encodeLogin(raw),
    ...(group !== undefined && { group: encodeGroup(group) }),
    ...(article !== undefined && { article: `${article}` }),
    ...(range !== undefined && { range: encodeRange(range) }),
  };
}

function encodeRange({ low, high }: NonNullable<RawNntp['range']>): NonNullable<NntpUrl['range']> {
  return high === undefined ? { low: `${low}` } : { low: `${low}`, high: `${high}` };
}

export const nntp: Grammar<NntpUrl> = { schemes: ['nntp', 'nntps'], parse, format };
