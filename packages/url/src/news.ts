/**
 * USENET news, RFC 1738 §3.6, and `snews:`:
 *
 *     newsurl   = "news:" grouppart
 *     grouppart = "*" | group | article
 *     group     = alpha *[ alpha | digit | "-" | "." | "+" | "_" ]
 *     article   = 1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ] "@" host
 *
 * Departs from RFC 1738 §3.6: `//` begins a server, as RFC 5538 §4 has it, where the BNF would read an article.
 */
import { characterSet, isAlpha, production } from './characters.ts';
import type { Components, Grammar } from './grammar.ts';
import { isHost } from './host.ts';
import { decodeLogin, encodeLogin, formatLogin, readLogin, type ParsedLogin, type RawLogin } from './login.ts';
import { draft } from './parsed-url.ts';
import { decode, encode, type Octets } from './percent.ts';
import type { Reading } from './reading.ts';
import type { NewsUrl } from './url.ts';
import { UrlSyntaxError } from './violation.ts';

const ARTICLE_PLAIN = ';/?:&=';
const article = production('article', ARTICLE_PLAIN);
const articleHost = production('host', ';/?:&=@[]<>');
const group = {
  rule: 'group',
  admits: characterSet('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.+_'),
  looseEscapes: false,
};
/** What makes a text neither a group, nor one of RFC 5538's wildmats, nor an article. */
const NO_GROUP = characterSet(' "<>/;:=&@');

/** Raw input for `build.news`: one of group and article, or a host. */
export interface RawNews extends Partial<RawLogin> {
  readonly scheme?: 'news' | 'snews';
  readonly group?: Octets;
  readonly article?: string;
  readonly fragment?: Octets;
}

function decodeComponents(url: NewsUrl): NewsUrl['octets'] {
  return {
    ...decodeLogin(url),
    ...(url.group !== undefined && { group: decode(url.group) }),
    ...(url.article !== undefined && { article: decode(url.article) }),
  };
}

function finish(reading: Reading, login: ParsedLogin | undefined, part: GroupPart): NewsUrl {
  const url = draft<NewsUrl>('news', reading, login, decodeComponents);
  if (part.group !== undefined) url.group = part.group;
  if (part.article !== undefined) url.article = part.article;
  return url;
}

interface GroupPart {
  readonly group?: string;
  readonly article?: string;
}

function parse(reading: Reading): NewsUrl {
  const { text, start, end } = reading;
  if (!text.startsWith('//', start)) return finish(reading, undefined, readGroupPart(reading, start));
  reading.tolerate('newsurl', start, 'a news URL names no server (RFC 5538 lets it)');
  const login = readLogin(reading, 'login');
  return finish(reading, login, login.end + 1 >= end ? {} : readGroupPart(reading, login.end + 1));
}

function readGroupPart(reading: Reading, start: number): GroupPart {
  const { text, end } = reading;
  const at = text.lastIndexOf('@', end - 1);
  if (at >= start) return { article: readArticle(reading, start, at, at + 1) };
  // No newsgroup has an "@": an encoded one can only be a message-id's.
  const escape = text.lastIndexOf('%40', end - 3);
  if (escape < start) return { group: readGroup(reading, start, end, true) };
  return { article: readArticle(reading, start, escape, escape + 3) };
}

function readArticle(reading: Reading, start: number, at: number, host: number): string {
  const { text, end } = reading;
  if (at === start) reading.fail('article', start, 'nothing stands before "@" in the message-id');
  if (host === end) reading.fail('article', end, 'nothing stands after "@" in the message-id');
  reading.component(article, start, at);
  if (host > at + 1) reading.tolerate('article', at, 'the "@" of a message-id must not be encoded');
  if (!isHost(text.slice(host, end))) {
    // Message-ids are compared, never connected to: their domain may be anything.
    reading.tolerate('host', host, 'the message-id does not end with a host');
    reading.component(articleHost, host, end);
  }
  return text.slice(start, end);
}

/** Reads `group`, or `*` where the scheme has it; a wildmat of RFC 5538 §4 is a tolerated departure. */
export function readGroup(reading: Reading, start: number, end: number, all: boolean): string {
  const { text } = reading;
  if (start === end) reading.fail('group', start, 'the newsgroup name is empty');
  if (all && end === start + 1 && text[start] === '*') return '*';
  for (let at = start; at < end; at++) {
    if (NO_GROUP[text.charCodeAt(at)] === 1) reading.fail('group', at, 'neither a newsgroup name nor a message-id');
  }
  const first = text.charCodeAt(start);
  if (group.admits[first] === 1 && !isAlpha(first)) {
    reading.tolerate('group', start, 'a newsgroup name does not begin with a letter');
  }
  const escape = text.indexOf('%', start);
  if (escape >= 0 && escape < end) reading.tolerate('group', escape, 'a newsgroup name has no escapes');
  return reading.component(group, start, end);
}

function format(url: Components<NewsUrl>): string {
  const part = url.group ?? url.article;
  if (url.host === undefined) return part ?? '';
  return `${formatLogin(url)}/${part ?? ''}`;
}

/** Encodes raw input as components. */
export function encodeNews(raw: RawNews): Components<NewsUrl> {
  const { host, group: groupName, article: id } = raw;
  if (groupName !== undefined && id !== undefined) {
    throw new UrlSyntaxError('grouppart', 0, 'a news URL names a group or an article, not both');
  }
  return {
    grammar: 'news',
    scheme: raw.scheme ?? 'news',
    ...(host !== undefined && encodeLogin({ ...raw, host })),
    ...(groupName !== undefined && { group: encodeGroup(groupName) }),
    ...(id !== undefined && { article: encodeArticle(id) }),
  };
}

export function encodeGroup(name: Octets): string {
  const text = encode(name);
  if (text === '') throw new UrlSyntaxError('group', 0, 'the newsgroup name is empty');
  return text;
}

function encodeArticle(id: string): string {
  const bare = id.startsWith('<') && id.endsWith('>') ? id.slice(1, -1) : id;
  const at = bare.lastIndexOf('@');
  if (at < 1 || at === bare.length - 1) throw new UrlSyntaxError('article', 0, 'a message-id has an "@" inside');
  return `${encode(bare.slice(0, at), ARTICLE_PLAIN)}@${encode(bare.slice(at + 1))}`;
}

export const news: Grammar<NewsUrl> = { schemes: ['news', 'snews'], parse, format };
