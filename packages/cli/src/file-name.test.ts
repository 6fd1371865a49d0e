import { parse } from '@retriever/url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileNameOf, safeFileName, suggestedFileName } from './file-name.ts';

test.for([
  ['http://h/a/b.txt?x=/y', 'b.txt'],
  ['http://h/100%', '100%'],
  ['http://h/a%2Fb', 'a_b'],
  ['http://h/%C3%A9', 'é'],
  ['ftp://joe:secret@h/pub/motd;type=a', 'motd'],
  ['ftp://h/..%2f..%2fetc%2fpasswd', '.._.._etc_passwd'],
  ['gopher://h/0/docs/about.txt', 'about.txt'],
  ['gopher://h/7find%09secret%20words', 'find'],
  ['file:///etc/hosts', 'hosts'],
  ['http://h/.bashrc', '.bashrc'],
  ['http://h/a%0D%0Ab', 'a__b'],
  ['http://h/NUL.txt', '_NUL.txt'],
] as const)('%s is saved as %s', ([url, name]) => {
  expect(fileNameOf(parse(url))).toBe(name);
});

test.for(['http://h/', 'http://h', 'ftp://h/pub/', 'gopher://h/', 'http://h/..', 'http://h/%2e', 'mailto:a@b'])(
  '%s has no name',
  (url) => {
    expect(() => fileNameOf(parse(url))).toThrow('no file name');
  },
);

test("a server's suggestion loses its directories", () => {
  expect(suggestedFileName('../../etc/passwd')).toBe('passwd');
  expect(suggestedFileName(String.raw`C:\Windows\x.dll`)).toBe('x.dll');
  expect(suggestedFileName('a/..')).toBeUndefined();
  expect(suggestedFileName(undefined)).toBeUndefined();
});

test('a long name keeps its suffix and whole characters', () => {
  const name = safeFileName(`${'é'.repeat(300)}.tar`)!;
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
  expect(name).toMatch(/^é+\.tar$/);
});

test('whatever is suggested, a name is one plain name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (suggestion) => {
      const name = safeFileName(suggestion);
      if (name === undefined) return;
      // oxlint-disable-next-line no-control-regex -- these are what must not be there
      expect(name).not.toMatch(/[\u0000-\u001f\u007f-\u009f/\\]|^\.{0,2}$/);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    }),
  );
});
