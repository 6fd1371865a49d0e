/** `--url-query`: what is added to the query of http: URLs. */
import { readFileSync } from 'node:fs';
import { parse, type Url } from '@retriever/url';
import { Failure } from './failure.ts';

/**
 * One part in curl's notation, encoded: `CONTENT`, `=CONTENT`, `NAME=CONTENT`, `@FILE`, `NAME@FILE`; `+TEXT` is taken as it is.
 *
 * @throws Failure 26
 */
export function queryPart(given: string): string {
  if (given.startsWith('+')) return given.slice(1);
  const [, name, mark, rest] = /^([^=@]*)([=@])(.*)$/s.exec(given) ?? [];
  if (mark === undefined) return encoded(given);
  const content = encoded(mark === '@' ? contentOf(rest!) : rest!);
  return name === '' ? content : `${name}=${content}`;
}

/** The URL with these parts behind its query; a URL of another scheme as it is. @throws UrlSyntaxError */
export function withQuery(url: Url, parts: readonly string[]): Url {
  if (url.grammar !== 'http' || parts.length === 0) return url;
  const text = String(url);
  const end = url.fragment === undefined ? text.length : text.length - url.fragment.length - 1;
  const before = text.slice(0, end);
  const slash = url.path === undefined && url.search === undefined ? '/' : '';
  const mark = url.search === undefined ? '?' : url.search === '' ? '' : '&';
  return parse(`${before}${slash}${mark}${parts.join('&')}${text.slice(end)}`);
}

/** As forms have it: a space is a plus. */
function encoded(text: string): string {
  return encodeURIComponent(text)
    .replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

function contentOf(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new Failure(26, `cannot read ${file} for the query: ${(error as Error).message}`, error);
  }
}
