/** Forms of a URL that mean the same, RFC 1738 §2.1 and §2.2 and RFC 3986 §6.2. */
import { escapeAt } from './characters.ts';
import { format } from './format.ts';
import type { Components } from './grammar.ts';
import { parse } from './parse.ts';
import { encode, escape } from './percent.ts';
import { removeDotSegments } from './resolve.ts';
import { defaultPort } from './schemes.ts';
import type { Url } from './url.ts';

/** Unreserved in every RFC since 1738, save `.`: decoded, `%2E%2E` would become a dot segment. */
const PLAIN = /[A-Za-z0-9_-]/;
/** What RFC 1738 §2.2 wants encoded and no scheme gives a meaning. */
const UNSAFE = /[^!$&'()*+,./0-9:;=?@A-Z_a-z%-]/u;

/**
 * The normal form of a URL: lower-case host, no default port, escapes in upper case and only where needed, unsafe
 * characters encoded; for http also `/` as the empty path, and dot segments folded. What a server may tell apart stays.
 *
 * @example
 * ```ts
 * normalize(parse('HTTP://Host.Dom:80/a/./%62%7e')).toString(); // 'http://host.dom/a/b%7E'
 * ```
 */
export function normalize(url: Url): Url {
  return parse(format(normalizeComponents(url)), { maxLength: Number.POSITIVE_INFINITY });
}

/**
 * Whether two URLs have the same normal form.
 *
 * @example
 * ```ts
 * equals(parse('gopher://h'), parse('gopher://H:70/1')); // true
 * ```
 */
export function equals(a: Url, b: Url): boolean {
  return normalize(a).toString() === normalize(b).toString();
}

function normalizeComponents(url: Url): Components {
  const { violations: _, ...components } = recodeAll({ ...url }) as unknown as Url;
  const { host, port } = components as { host?: string; port?: number };
  const common = {
    ...components,
    ...(host !== undefined && { host: normalizeHost(host) }),
    ...(port !== undefined && { port: port === defaultPort(url.scheme) ? undefined : port }),
  } as Components;
  return normalizeByGrammar(common);
}

function normalizeByGrammar(url: Components): Components {
  switch (url.grammar) {
    case 'http':
      return { ...url, path: removeDotSegments(`/${url.path ?? ''}`).slice(1) };
    case 'gopher':
      // §3.4.1: an empty gopher-path means type 1 and an empty selector.
      return { ...url, gophertype: url.gophertype ?? '1', selector: url.selector ?? '' };
    case 'file':
      // §3.10: "localhost" and the empty string mean the same.
      return { ...url, host: url.host === undefined || url.host === 'localhost' ? '' : url.host };
    default:
      return url;
  }
}

/** Lower case, save an IPv6 zone, which is a name of the local system. */
function normalizeHost(host: string): string {
  const [address = '', ...zone] = host.split('%');
  return [address.toLowerCase(), ...zone].join('%');
}

/** Recodes every text in a component, a list of components or a list of named ones. */
function recodeAll<T>(value: T, key = ''): T {
  if (key === 'grammar' || key === 'scheme' || key === 'host' || key === 'violations') return value;
  if (typeof value === 'string') return recode(value) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => recodeAll(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, recodeAll(item, name)])) as T;
}

/** The same octets, each written in one way. */
function recode(text: string): string {
  let result = '';
  for (let at = 0; at < text.length;) {
    const octet = escapeAt(text, at);
    // After a lone "%" a decoded digit could complete an escape that is none.
    if (octet < 0 && text[at] === '%') return text;
    const character = String.fromCodePoint(text.codePointAt(at)!);
    if (octet >= 0) {
      const decoded = String.fromCharCode(octet);
      result += PLAIN.test(decoded) ? decoded : escape(octet);
      at += 3;
      continue;
    }
    result += UNSAFE.test(character) ? encode(character) : character;
    at += character.length;
  }
  return result;
}
