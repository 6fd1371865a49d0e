/** Answers to forms: exactly the block of RFC 1738 §3.4.9, or nothing. */
import { latin1Of, RetrievalError } from '@retriever/driver';
import { build, parse, type GopherUrl } from '@retriever/url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { askBlock, isAskBlock, requireAskBlock } from './ask-block.ts';
import { askUrl } from './index.ts';
import { gopherRequest, requestLine } from './request.ts';

const octets = (text: string): Uint8Array => Buffer.from(text);
const sent = (url: string): string =>
  latin1Of(requestLine(gopherRequest(parse(url) as GopherUrl, { allowAskBlock: true })));

describe('askUrl', () => {
  test.each([
    ['an item', 'gopher://h/0form', 'form\t+\t1\r\n+-1\r\nAlice\r\n.\r\n'],
    ['the URL of its form', 'gopher://h/0form%09%09?', 'form\t+\t1\r\n+-1\r\nAlice\r\n.\r\n'],
    ['an item with a search', 'gopher://h/7form%09words', 'form\twords\t+\t1\r\n+-1\r\nAlice\r\n.\r\n'],
    ['another port, over TLS', 'gophers://h:7070/1form', 'form\t+\t1\r\n+-1\r\nAlice\r\n.\r\n'],
    ['the top menu', 'gopher://h', '\t+\t1\r\n+-1\r\nAlice\r\n.\r\n'],
  ])('%s', (_, url, line) => expect(sent(askUrl(url, ['Alice']))).toBe(line));

  test('is the form of the specification', () => {
    expect(askUrl('gopher://h/0s', ['one', 'two'])).toBe(
      'gopher://h/0s%09%09+%091%0D%0A+-1%0D%0Aone%0D%0Atwo%0D%0A.%0D%0A',
    );
    expect(askUrl('gophers://h:7070/0s', [], 'text/plain En_US')).toBe(
      'gophers://h:7070/0s%09%09+text/plain%20En_US%091%0D%0A+-1%0D%0A.%0D%0A',
    );
  });

  test('answers of each kind', () => {
    expect(askBlock(['', true, false, ['two', 'lines'], [], '.', '..', 'é'])).toBe(
      '+\t1\r\n+-1\r\n\r\n1\r\n0\r\n2\r\ntwo\r\nlines\r\n0\r\n..\r\n..\r\né\r\n.\r\n',
    );
  });

  test.each([['a\nb'], ['a\rb'], ['a\0b'], [['a\r\nb']]])('refuses %j', (answer) => {
    expect(() => askUrl('gopher://h/0s', [answer])).toThrow(TypeError);
  });

  test('refuses URLs without forms, and views of several lines', () => {
    expect(() => askUrl('http://h/', ['a'])).toThrow(TypeError);
    expect(() => askUrl('gopher://h/0s', ['a'], 'text/plain\r\n')).toThrow(TypeError);
  });

  test('whatever is answered goes out as answered', () => {
    const line = fc.string({ unit: 'grapheme' }).filter((text) => !/[\r\n\0]/.test(text) && text !== '.');
    fc.assert(
      fc.property(fc.array(line), (answers) => {
        expect(sent(askUrl('gopher://h/0s', answers))).toBe(
          latin1Of(octets(['s\t+\t1', '+-1', ...answers, '.', ''].join('\r\n'))),
        );
      }),
    );
  });
});

describe('a block', () => {
  test.each([
    ['of no answers', '+\t1\r\n+-1\r\n.\r\n'],
    ['of answers', '+\t1\r\n+-1\r\na\r\n\r\nb\r\n.\r\n'],
    ['with dots', '+\t1\r\n+-1\r\n..\r\n.a\r\n.\r\n'],
    ['for a view', '+text/plain En_US\t1\r\n+-1\r\na\r\n.\r\n'],
  ])('%s passes', (_, text) => {
    expect(isAskBlock(octets(text))).toBe(true);
    expect(() => requireAskBlock(octets(text))).not.toThrow();
  });

  test.each([
    ['more after its end', '+\t1\r\n+-1\r\na\r\n.\r\nQUIT\r\n'],
    ['an end before its end', '+\t1\r\n+-1\r\n.\r\na\r\n.\r\n'],
    ['no end', '+\t1\r\n+-1\r\na\r\n'],
    ['no line end', '+\t1\r\n+-1\r\na\r\n.'],
    ['a bare LF', '+\t1\r\n+-1\r\na\nb\r\n.\r\n'],
    ['a bare CR', '+\t1\r\n+-1\r\na\rb\r\n.\r\n'],
    ['a NUL', '+\t1\r\n+-1\r\na\0b\r\n.\r\n'],
    ['a NUL in the view', '+\0\t1\r\n+-1\r\na\r\n.\r\n'],
    ['no header', '+\t1\r\na\r\n.\r\n'],
    ['counted octets, which RFC 1738 does not have', '+\t1\r\n+5\r\nhello'],
    ['another data flag', '+\t2\r\n+-1\r\na\r\n.\r\n'],
    ['other line ends', '+\t1\n+-1\na\n.\n'],
    ['no plus sign', '!\t1\r\n+-1\r\na\r\n.\r\n'],
    ['a TAB in the view', '+a\tb\t1\r\n+-1\r\na\r\n.\r\n'],
    ['a view longer than any', `+${'a'.repeat(300)}\t1\r\n+-1\r\na\r\n.\r\n`],
  ])('with %s is refused', (_, gopherPlus) => {
    const url = build.gopher({ host: 'h', gophertype: '0', selector: 's', search: '', gopherPlus });
    const failure = (() => {
      try {
        return sent(url.toString());
      } catch (error) {
        return error;
      }
    })();
    expect(failure).toBeInstanceOf(RetrievalError);
    expect(failure).toMatchObject({ code: 'policy' });
  });

  test('line ends in the selector or the search are refused all the same', () => {
    for (const path of ['s%0D%0A%09%09', 's%09w%0A%09']) {
      expect(() => sent(`gopher://h/0${path}+%091%0D%0A+-1%0D%0Aa%0D%0A.%0D%0A`)).toThrow(RetrievalError);
    }
  });

  test('no octets but those of a block bring a line end to the wire', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 40 }),
        fc.constantFrom('', '+\t1\r\n', '+\t1\r\n+-1\r\n'),
        (tail, head) => {
          const gopherPlus = Buffer.concat([octets(head), tail]);
          const url = build.gopher({ host: 'h', gophertype: '0', selector: 's', search: '', gopherPlus });
          let line: string;
          try {
            line = sent(url.toString());
          } catch {
            return;
          }
          if (/[\r\n]/.test(line.slice(0, -2)))
            expect(line).toMatch(/^s\t\+[ -~]*\t1\r\n\+-1\r\n([^\r\n\0]*\r\n)*\.\r\n$/);
        },
      ),
    );
  });
});
