import { RetrievalError } from '@retriever/driver';
import { parse, type FileUrl } from '@retriever/url';
import { expect, test } from 'vitest';
import { pathOf } from './path.ts';

const path = (text: string): string => pathOf(parse(text) as FileUrl).toString('latin1');
const codeOf = (text: string): string | undefined => {
  try {
    path(text);
    return undefined;
  } catch (error) {
    return error instanceof RetrievalError ? error.code : String(error);
  }
};

test('takes an empty host, localhost and no host at all for this machine (RFC 1738 §3.10)', () => {
  expect(path('file:///etc/motd')).toBe('/etc/motd');
  expect(path('file://localhost/etc/motd')).toBe('/etc/motd');
  expect(path('file://LocalHost/etc/motd')).toBe('/etc/motd');
  expect(path('file:/etc/motd')).toBe('/etc/motd');
});

test('refuses any other host', () => {
  expect(codeOf('file://vms.host.edu/disk$user/my/notes/note12345.txt')).toBe('unsupported');
  expect(codeOf('file://127.0.0.1/etc/motd')).toBe('unsupported');
});

test('refuses an encoded slash and an encoded NUL, wherever they stand', () => {
  expect(codeOf('file:///etc%2Fmotd')).toBe('policy');
  expect(codeOf('file:///a%2f/b')).toBe('policy');
  expect(codeOf('file:///a/%2F')).toBe('policy');
  expect(codeOf('file:///etc/motd%00.txt')).toBe('policy');
});

test('decodes each segment to its octets', () => {
  expect(path('file:///a%20b/%FF%0A%25')).toBe('/a b/\xff\n%');
});

test('keeps the slash at the end, and the root', () => {
  expect(path('file:///etc/')).toBe('/etc/');
  expect(path('file:///')).toBe('/');
});
