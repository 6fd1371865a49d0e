import { expect, test } from 'vitest';
import parseVectors from '../../../test/vectors/parse.json' with { type: 'json' };
import { canParse, equals, normalize, parse } from './index.ts';

test.each([
  ['HTTP://Host.Dom:80/a/./%62%7e', 'http://host.dom/a/b%7E'],
  ['http://h', 'http://h/'],
  ['http://h?q', 'http://h/?q'],
  ['http://h/a/../b/.', 'http://h/b/'],
  ['http://h/%2e%2e/a', 'http://h/%2E%2E/a'],
  ['http://h/%2f%3F', 'http://h/%2F%3F'],
  ['http://h/%%34%31', 'http://h/%%34%31'],
  ['http://h/~a b', 'http://h/%7Ea%20b'],
  ['https://h:443/', 'https://h/'],
  ['https://h:80/', 'https://h:80/'],
  ['http://[FE80::A%25Eth0]/', 'http://[fe80::a%25Eth0]/'],
  ['ftp://U:P@H:21/../a/./b', 'ftp://U:P@h/../a/./b'],
  ['ftp://h', 'ftp://h'],
  ['ftp://h/a;type=A', 'ftp://h/a;type=a'],
  ['ftp://h/a;b', 'ftp://h/a;b'],
  ['gopher://h', 'gopher://h/1'],
  ['gopher://h:70/%31a/../b%2fc', 'gopher://h/1a/../b%2Fc'],
  ['telnet://H:23', 'telnet://h/'],
  ['file://localhost/a', 'file:///a'],
  ['file:/a', 'file:///a'],
  ['news:A@B', 'news:A@B'],
  ['foo://H:1/%41', 'foo://h:1/A'],
  ['foo:H/%41', 'foo:H/A'],
  ['wais://h:210/d/T/%31=%3b', 'wais://h/d/T/1=%3B'],
])('normalizes %s', (text, expected) => expect(normalize(parse(text)).toString()).toBe(expected));

test('normalizing twice changes nothing, and octets never change', () => {
  for (const { text } of Object.values(parseVectors).flat()) {
    if (!canParse(text)) continue;
    const once = normalize(parse(text));
    expect(normalize(once).toString()).toBe(once.toString());
    if (once.grammar !== 'http' && once.grammar !== 'generic') expect(once.octets).toEqual(parse(text).octets);
  }
});

test('equals compares normal forms', () => {
  expect(equals(parse('gopher://h'), parse('gopher://H:70/1'))).toBe(true);
  expect(equals(parse('http://h/a%2Fb'), parse('http://h/a/b'))).toBe(false);
});
