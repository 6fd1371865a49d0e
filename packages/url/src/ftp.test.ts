import { expect, test } from 'vitest';
import { testParseVectors } from '../../../test/vectors/parse-vectors.ts';
import { parse } from './index.ts';

testParseVectors('ftp');

const octets = (text: string): Uint8Array => new TextEncoder().encode(text);

test('a slash in a segment is data, and an empty segment is one (§3.2.2)', () => {
  const cwd = ['ftp://h/%2Fetc/motd', 'ftp://h/etc/motd', 'ftp://h//etc/motd'].map((text) => {
    const url = parse(text);
    return url.grammar === 'ftp' ? url.octets.directories : undefined;
  });
  expect(cwd).toEqual([[octets('/etc')], [octets('etc')], [octets(''), octets('etc')]]);
});

test('an empty user differs from none, and an empty password too (§3.1)', () => {
  expect(parse('ftp://@host.com/')).toHaveProperty('user', '');
  expect(parse('ftp://@host.com/')).not.toHaveProperty('password');
  expect(parse('ftp://host.com/')).not.toHaveProperty('user');
  expect(parse('ftp://foo:@host.com/')).toHaveProperty('password', '');
});

test('components are own properties, octets are decoded once and on demand', () => {
  const url = parse('ftp://host.dom/%2Fetc/motd');
  expect(Object.keys(url)).toEqual(['grammar', 'scheme', 'violations', 'host', 'directories', 'name']);
  expect(url.octets).toBe(url.octets);
});

test('messages never hold the password', () => {
  for (const text of ['ftp://u:SECRET/x@h', 'ftp://u:SECRET%zz@h/', 'ftp://u:SECRET@h:x/', 'ftp://u:SECRET@[x]/']) {
    expect(() => parse(text)).toThrow(expect.objectContaining({ message: expect.not.stringContaining('SECRET') }));
  }
});
