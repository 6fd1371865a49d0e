/**
 * Relative references, RFC 1808 as RFC 3986 §5 refines it, for the schemes that RFC 1738 §2.3 calls hierarchical.
 */
import { parse } from './parse.ts';
import type { FtpUrl, GenericUrl, HttpUrl, FileUrl, Url } from './url.ts';
import { UrlSyntaxError } from './violation.ts';

/** The parts of a hierarchical URL or a reference as RFC 3986 §3 names them; `undefined` means absent. */
interface Parts {
  readonly authority: string | undefined;
  readonly path: string;
  readonly query: string | undefined;
  readonly fragment: string | undefined;
}

type HierarchicalUrl = FtpUrl | HttpUrl | FileUrl | GenericUrl;

const SCHEME = /^[a-z\d+.-]+:/i;

/**
 * Resolves a reference against a base.
 *
 * Dot segments are folded here and never in `parse`; `%2e%2e` is data, and so is a backslash. In ftp and file URLs `?`
 * is data too (RFC 1738 §5, `fsegment`). A base that is not hierarchical takes only absolute references and fragments.
 *
 * @throws UrlSyntaxError when base or result is no URL, or the base takes no relative reference (rule `relative`).
 *
 * @example
 * ```ts
 * resolve('http://a/b/c/d;p?q', '../g').toString(); // 'http://a/b/g'
 * ```
 */
export function resolve(base: string | Url, reference: string): Url {
  const from = typeof base === 'string' ? parse(base) : base;
  const text = reference.trim();
  const scheme = SCHEME.exec(text)?.[0].slice(0, -1).toLowerCase();
  if (scheme !== undefined && !(isRelativeIn(from, scheme) && !text.startsWith('//', scheme.length + 1))) {
    return parse(text);
  }
  if (isHierarchical(from))
    return parse(resolveParts(from, scheme === undefined ? text : text.slice(scheme.length + 1)));
  if (text !== '' && !text.startsWith('#')) {
    throw new UrlSyntaxError('relative', 0, `a ${from.scheme} URL is not hierarchical, so nothing is relative to it`);
  }
  return parse(withoutFragment(from) + text);
}

/** RFC 3986 §5.2.2's loophole for `http:g`, which by itself is no URL of RFC 1738. */
function isRelativeIn(base: Url, scheme: string): boolean {
  return base.scheme === scheme && base.grammar !== 'generic' && isHierarchical(base);
}

function isHierarchical(url: Url): url is HierarchicalUrl {
  if (url.grammar === 'generic') return url.schemePart.startsWith('//');
  return url.grammar === 'ftp' || url.grammar === 'http' || url.grammar === 'file';
}

function withoutFragment(url: Url): string {
  const text = url.toString();
  return url.fragment === undefined ? text : text.slice(0, text.length - url.fragment.length - 1);
}

/** RFC 3986 §5.2.2. */
function resolveParts(base: HierarchicalUrl, text: string): string {
  const queries = base.grammar === 'http' || base.grammar === 'generic';
  const from = split(withoutFragment(base).slice(base.scheme.length + 1), queries);
  return `${base.scheme}:${join(merge(from, split(text, queries)))}`;
}

function merge(base: Parts, reference: Parts): Parts {
  const { authority, path, query, fragment } = reference;
  if (authority !== undefined) return { ...reference, path: removeDotSegments(path) };
  if (path === '') return { ...base, query: query ?? base.query, fragment };
  const absolute = path.startsWith('/') ? path : mergePaths(base, path);
  return { authority: base.authority, path: removeDotSegments(absolute), query, fragment };
}

/** RFC 3986 §5.2.3. */
function mergePaths(base: Parts, path: string): string {
  if (base.path === '') return `/${path}`;
  return base.path.slice(0, base.path.lastIndexOf('/') + 1) + path;
}

/** RFC 3986 appendix B, by hand. */
function split(text: string, queries: boolean): Parts {
  const [beforeHash, fragment] = cut(text, '#');
  const [hierarchy, query] = queries ? cut(beforeHash, '?') : [beforeHash, undefined];
  if (!hierarchy.startsWith('//')) return { authority: undefined, path: hierarchy, query, fragment };
  const slash = hierarchy.indexOf('/', 2);
  const end = slash < 0 ? hierarchy.length : slash;
  return { authority: hierarchy.slice(2, end), path: hierarchy.slice(end), query, fragment };
}

function cut(text: string, delimiter: string): [string, string | undefined] {
  const at = text.indexOf(delimiter);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** RFC 3986 §5.3. */
function join({ authority, path, query, fragment }: Parts): string {
  return (
    (authority === undefined ? '' : `//${authority}`) +
    path +
    (query === undefined ? '' : `?${query}`) +
    (fragment === undefined ? '' : `#${fragment}`)
  );
}

/** RFC 3986 §5.2.4, for a path that is empty or begins with a slash. */
export function removeDotSegments(path: string): string {
  if (!path.includes('/.')) return path;
  const output: string[] = [];
  const segments = path.split('/').slice(1);
  for (const segment of segments) {
    if (segment === '..') output.pop();
    else if (segment !== '.') output.push(segment);
  }
  const last = segments.at(-1);
  if (last === '.' || last === '..') output.push('');
  return `/${output.join('/')}`;
}
