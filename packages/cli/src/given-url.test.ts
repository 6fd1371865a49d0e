import { parse } from '@retriever/url';
import { expect, test } from 'vitest';
import { isBareHost, urlGiven, withTypecode } from './given-url.ts';

test.for(['example.com', 'example.com/a:b', 'localhost:8080/', '127.0.0.1:80', '[::1]:8080/x', 'host?x'])(
  '%s means http',
  (text) => {
    expect(isBareHost(text)).toBe(true);
    expect(urlGiven(text, { useAscii: false }).scheme).toBe('http');
  },
);

test.for([
  'http://h/',
  'news:80',
  'mailto:joe@h',
  'news:a@b',
  'telnet:23',
  'nfs:1/',
  'x-thing:abc',
  '<URL:ftp://h/>',
  'file:/etc',
  'a b',
])('%s is never guessed over (RFC 1738 §2.1)', (text) => {
  expect(isBareHost(text)).toBe(false);
});

test('-B gives ftp URLs of files a typecode', () => {
  expect(String(withTypecode(parse('ftp://h/f#x'), 'a'))).toBe('ftp://h/f;type=a#x');
  for (const text of ['ftp://h/f;type=i', 'ftp://h/dir/', 'http://h/f'])
    expect(String(withTypecode(parse(text), 'a'))).toBe(text);
});
