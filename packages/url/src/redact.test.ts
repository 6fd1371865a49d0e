import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse, redact, redactText } from './index.ts';

test.each([
  ['ftp://foo:secret@host.com/', 'ftp://foo:***@host.com/'],
  ['ftp://foo:@host.com/', 'ftp://foo:***@host.com/'],
  ['ftp://foo@host.com/', 'ftp://foo@host.com/'],
  ['ftp://foo:a b@c d@host.com/', 'ftp://foo:***@host.com/'],
  ['ftp://foo:12 34@host.com/', 'ftp://foo:***@host.com/'],
  ['http://gw/?ftp://a:b@c/', 'http://gw/?ftp://a:***@c/'],
  ['<URL:ftp://foo:secret@host.com/>', 'ftp://foo:***@host.com/'],
  ['mailto:a:b@c', 'mailto:a:b@c'],
  ['joe:secret@host/x', 'joe:***@host/x'],
  ['joe:se:cr@et@host/x@y', 'joe:***@host/x@y'],
  ['x-scheme://foo:secret@host/', 'x-scheme://foo:***@host/'],
  ['urn:isbn:0', 'urn:isbn:0'],
])('redacts %s', (text, expected) => expect(redact(parse(text))).toBe(expected));

test.each([
  ['cannot read ftp://foo:p/w@host.com:x/', 'cannot read ftp://foo:***@host.com:x/'],
  ['ftp://foo:p?w#x@host/', 'ftp://foo:***@host/'],
  ['ftp:/foo:secret@host', 'ftp:/foo:***@host'],
  ['http:\\\\foo:secret@host', 'http:\\\\foo:***@host'],
  ['//foo:secret@host', '//foo:***@host'],
  ['http://a:80/x@y', 'http://a:80/x@y'],
  ['up at ftp://h:21 now, mail a@b', 'up at ftp://h:21 now, mail a@b'],
  ['ftp://a:b@c/ ftp://d:e@f/', 'ftp://a:***@c/ ftp://d:***@f/'],
  ['no URL', 'no URL'],
  ['', ''],
])('redacts the text %s', (text, expected) => expect(redactText(text)).toBe(expected));

test('no password shows, whatever else is wrong with the URL', () => {
  const delimiters = fc.stringMatching(/^[a-z/?#:;&=%[\]]{0,8}SECRET[a-z/?#:;&=%[\]]{0,8}$/);
  const ats = fc.stringMatching(/^[a-z?@:;&=%[\]]{0,8}SECRET[a-z?@:;&=%[\]]{0,8}$/);
  fc.assert(
    fc.property(fc.oneof(delimiters, ats), (password) => {
      const once = redactText(`ftp://user:${password}@host.dom/x`);
      expect(once).not.toContain('SECRET');
      expect(redactText(once)).toBe(once);
    }),
    { numRuns: 2000 },
  );
});
