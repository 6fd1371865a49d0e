/** Exact octets of every form of RFC 1738 §3.4. */
import { latin1Of, RetrievalError } from '@retriever/driver';
import { build, parse, type GopherUrl } from '@retriever/url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gopherRequest, lacksWords, requestLine } from './request.ts';

const sent = (url: string): string => latin1Of(requestLine(gopherRequest(parse(url) as GopherUrl)));
const failure = (url: string): unknown => {
  try {
    return sent(url);
  } catch (error) {
    return error;
  }
};

test.each([
  ['no path: type 1 and the empty selector (§3.4.1)', 'gopher://h', '\r\n'],
  ['a lone slash means the same (§3.4.1)', 'gopher://h/', '\r\n'],
  ['a type and no selector (§3.4.1)', 'gopher://h/1', '\r\n'],
  ['a selector that repeats the type (§3.4.1)', 'gopher://h/00/about', '0/about\r\n'],
  ['a selector that does not', 'gopher://h/0/about', '/about\r\n'],
  ['slashes and dot segments stay as they are', 'gopher://h/0/a/../b/./%2e%2e', '/a/../b/./..\r\n'],
  ['octets outside US-ASCII', 'gopher://h/0/caf%E9%C3%A9', '/caf\xe9\xc3\xa9\r\n'],
  ['no character is reserved (§3.4.1)', 'gopher://h/0a;b/c?d:e@f&g=h', 'a;b/c?d:e@f&g=h\r\n'],
  ['a fragment is not sent', 'gopher://h/0/about#top', '/about\r\n'],
  ['a search (§3.4.2)', 'gopher://h/7/find%09some%20words', '/find\tsome words\r\n'],
  ['an empty search (§3.4.2)', 'gopher://h/7/find%09', '/find\t\r\n'],
  ['a search of another type', 'gopher://h/1/cgi%09x', '/cgi\tx\r\n'],
  ['a Gopher+ item with an empty search (§3.4.3, §3.4.4)', 'gopher://h/0/doc%09%09+', '/doc\t\t+\r\n'],
  ['a Gopher+ search (§3.4.3)', 'gopher://h/7/find%09words%09+', '/find\twords\t+\r\n'],
  ['an empty Gopher+ string (§3.4.3)', 'gopher://h/0/doc%09%09', '/doc\t\t\r\n'],
  ['a Gopher+ form, which is the +ASK attribute (§3.4.5)', 'gopher://h/0/doc%09%09?', '/doc\t\t!+ASK\r\n'],
  ['all attributes (§3.4.6)', 'gopher://h/0/doc%09%09!', '/doc\t\t!\r\n'],
  ['all attributes of a directory (§3.4.6)', 'gopher://h/1/dir%09%09$', '/dir\t\t$\r\n'],
  ['an attribute (§3.4.7)', 'gopher://h/0/doc%09%09!+ABSTRACT', '/doc\t\t!+ABSTRACT\r\n'],
  ['several attributes (§3.4.7)', 'gopher://h/0/doc%09%09!+ABSTRACT%20+SMELL', '/doc\t\t!+ABSTRACT +SMELL\r\n'],
  [
    'an alternate view (§3.4.8)',
    'gopher://h/0/doc%09%09+application/postscript%20Es_ES',
    '/doc\t\t+application/postscript Es_ES\r\n',
  ],
  ['the TAB of a Gopher+ string (§3.4.9)', 'gopher://h/0/doc%09%09+%091', '/doc\t\t+\t1\r\n'],
  ['type 7: words after a question mark', 'gopher://h/7/find?a%20b?c', '/find\ta b?c\r\n'],
  ['type 7: an encoded question mark belongs to the selector', 'gopher://h/7/find%3Fa', '/find?a\r\n'],
  ['type 7: %09 wins over a question mark', 'gopher://h/7/find?a%09b', '/find?a\tb\r\n'],
  ['type 7, its letter encoded', 'gopher://h/%37/find?a', '/find\ta\r\n'],
  ['another type: a question mark belongs to the selector', 'gopher://h/1/find?a', '/find?a\r\n'],
  ['type 7 without words', 'gopher://h/7/find', '/find\r\n'],
])('sends %s', (_, url, octets) => {
  expect(sent(url)).toBe(octets);
});

test('knows a search engine without words', () => {
  const lacking = (url: string): boolean => lacksWords(gopherRequest(parse(url) as GopherUrl));
  expect(lacking('gopher://h/7/find')).toBe(true);
  expect(lacking('gopher://h/7/find%09')).toBe(true);
  expect(lacking('gopher://h/7/find?')).toBe(true);
  expect(lacking('gopher://h/7/find?x')).toBe(false);
  expect(lacking('gopher://h/1/find')).toBe(false);
});

describe('refuses (RFC 1738 §6)', () => {
  test.each([
    ['LF in the selector', 'gopher://h/0/a%0Ab'],
    ['CR in the selector', 'gopher://h/0/a%0Db'],
    ['NUL in the selector', 'gopher://h/0/a%00b'],
    ['LF in the search', 'gopher://h/7/a%09b%0Ac'],
    ['LF in the search after a question mark', 'gopher://h/7/a?b%0Ac'],
    ['CR LF in the Gopher+ string', 'gopher://h/0/a%09%09+%0D%0Ax'],
    // RFC 1738 §3.4.9 has such a URL. It takes a caller who means it.
    ['an ASK block', 'gopher://h/0/a%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0A'],
    ['what RFC 1738 §6 warns of', 'gopher://h/0a%0d%0aHELO%20localhost%0d%0a'],
  ])('%s', (_, url) => {
    const error = failure(url);
    expect(error).toBeInstanceOf(RetrievalError);
    expect(error).toMatchObject({ code: 'policy' });
  });

  test('a TAB that a hand-made URL hides in a field', () => {
    const url = parse('gopher://h/0/a') as GopherUrl;
    const selector = Uint8Array.of(0x61, 0x09, 0x62);
    const made = { ...url, octets: { selector } } as unknown as GopherUrl;
    expect(() => gopherRequest(made)).toThrow(/TAB/);
    const search = { ...url, octets: { selector: Uint8Array.of(0x61), search: selector } } as unknown as GopherUrl;
    expect(() => gopherRequest(search)).toThrow(/TAB/);
  });
});

test('any octets either reach the wire as they are or are refused', () => {
  const octets = fc.uint8Array({ maxLength: 24 });
  fc.assert(
    fc.property(octets, fc.option(octets), (selector, search) => {
      fc.pre(!selector.includes(9) && !search?.includes(9));
      const url = build.gopher({ host: 'h', gophertype: '0', selector, ...(search && { search }) });
      const smuggles = [...selector, ...(search ?? [])].some((octet) => octet === 0 || octet === 10 || octet === 13);
      if (smuggles) expect(failure(url.toString())).toBeInstanceOf(RetrievalError);
      else
        expect(sent(url.toString())).toBe(`${latin1Of(selector)}${search === null ? '' : `\t${latin1Of(search)}`}\r\n`);
    }),
  );
});
