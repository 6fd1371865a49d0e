import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAddrSpec, splitAddresses } from './addr-spec.ts';

describe('addresses of RFC 822', () => {
  test.each([
    'Jones@Host.Net',
    'Alfred.Neuman@BBN-TENEXA',
    'a@b',
    '"Al Neuman"@BBN-TENEXA',
    'Sam.Irving@Reg.Organization',
    String.raw`"Full\ Name"@Domain`,
    '":sysmail"@Some-Group.Some-Org',
    'gorby%kremvax@example.com',
    'user%host.bitnet@relay.example',
    'john.doe/admd=x/c=us@gateway',
    'NetInfo@[10.0.0.1]',
    'a@[1.2].net',
    '"".a@b',
    '""@b',
    String.raw`"not\@me"@example.org`,
    "a+b=c!d#e$f&g'h*i-j?k^l_m`n{o|p}q~r@x",
    'a@b[1]'.replace('b[1]', '[IPv6:2001:db8::1]'),
    'dörte@sörensen.example',
    '用户@例子.example',
  ])('%s', (address) => expect(isAddrSpec(address)).toBe(true));
});

describe('none', () => {
  test.each([
    '',
    'a',
    '@',
    'a@',
    '@b',
    'a@b@c',
    'a..b@c',
    '.a@b',
    'a.@b',
    'a@b.',
    'a@.b',
    'a@b..c',
    'a b@c',
    'a@b c',
    'a @b',
    'Joe <a@b>',
    '<a@b>',
    'a(comment)@b',
    '@relay,@other:a@b',
    'group: a@b;',
    'a,b@c',
    'a;b@c',
    'a:b@c',
    String.raw`a\b@c`,
    '"a@b',
    '"a"b"@c',
    '"a"b@c',
    'a@[b',
    'a@[[b]]',
    'a\u0000@b',
    'a@b\n',
    'a@b\r\nBcc: c@d',
    '"a\nb"@c',
    'a\u0085@b',
    'a@b\u007f',
  ])('%j', (address) => expect(isAddrSpec(address)).toBe(false));
});

test('a hostile address takes no time', () => {
  const started = performance.now();
  for (const text of ['a.'.repeat(50_000), `"${'\\a'.repeat(50_000)}`, `a@${'[x].'.repeat(20_000)}`]) {
    expect(isAddrSpec(text)).toBe(false);
  }
  expect(performance.now() - started).toBeLessThan(500);
});

test('a list is split at its commas, but not in quoted strings and domain literals (RFC 6068 §2)', () => {
  expect(splitAddresses('a@b,c@d')).toEqual(['a@b', 'c@d']);
  expect(splitAddresses('a@b, c@d')).toEqual(['a@b', 'c@d']);
  expect(splitAddresses('"a,b"@c,d@[1,2],e@f')).toEqual(['"a,b"@c', 'd@[1,2]', 'e@f']);
  expect(splitAddresses(String.raw`"a\",b"@c,d@e`)).toEqual([String.raw`"a\",b"@c`, 'd@e']);
  expect(splitAddresses('a@b,')).toEqual(['a@b', '']);
});

test('what is accepted has one line and comes whole out of a list', () => {
  const character = fc.constantFrom(...Array.from('ab."@[]\\,;:<>() %é\u0000\r\n'));
  const text = fc.array(character, { maxLength: 12 }).map((list) => list.join(''));
  fc.assert(
    fc.property(text, text, (local, domain) => {
      const address = `${local}@${domain}`;
      if (!isAddrSpec(address)) return;
      // oxlint-disable-next-line no-control-regex -- these must not be in it
      expect(address).not.toMatch(/[\u0000-\u001f]/);
      expect(splitAddresses(`${address},x@y`)).toEqual([address, 'x@y']);
    }),
    { numRuns: 20_000 },
  );
});
