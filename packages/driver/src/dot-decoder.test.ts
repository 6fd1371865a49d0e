import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DotDecoder, type DotDecoderOptions } from './dot-decoder.ts';
import { latin1Of } from './octet-text.ts';

const octets = (latin1: string): Uint8Array => Uint8Array.from(Buffer.from(latin1, 'latin1'));

interface Decoded {
  readonly text: string;
  readonly ended: boolean;
  readonly terminated: boolean;
  readonly rest: string;
}

/** Decodes a text sent in pieces, up to the lone dot or the end. */
function decoded(endsAt: DotDecoderOptions['endsAt'], wire: string, size = wire.length || 1): Decoded {
  const decoder = new DotDecoder({ endsAt });
  let text = '';
  let at = 0;
  for (; at < wire.length && !decoder.ended; at += size) {
    for (const part of decoder.decode(octets(wire.slice(at, at + size)))) text += latin1Of(part);
  }
  const { ended, terminated } = decoder;
  if (!ended) for (const part of decoder.end()) text += latin1Of(part);
  return { text, ended, terminated, rest: latin1Of(decoder.rest) + wire.slice(at) };
}

describe('until the lone dot (RFC 3977 §3.1.1)', () => {
  test.each([
    ['a text', 'a\r\nb\r\n.\r\n', 'a\r\nb\r\n'],
    ['nothing', '.\r\n', ''],
    ['stuffed dots', '..\r\n..a\r\n...\r\n.\r\n', '.\r\n.a\r\n..\r\n'],
    ['a dot that was not stuffed', '.a\r\n.\r\n', '.a\r\n'],
    ['a dot inside a line', 'a.\r\n.\r\n', 'a.\r\n'],
    ['a dot, a CR and more', '.\ra\r\n.\r\n', '.\ra\r\n'],
    ['bare LF', 'a\n..b\n.\n', 'a\n.b\n'],
    ['empty lines', '\r\n\n.\r\n', '\r\n\n'],
  ])('%s', (_, wire, text) => {
    for (const size of [wire.length, 1, 2, 3]) {
      expect(decoded('line', wire, size)).toMatchObject({ text, ended: true, terminated: true, rest: '' });
    }
  });

  test('what follows belongs to the next reply', () => {
    for (const size of [100, 1, 4]) {
      expect(decoded('line', 'a\r\n.\r\n.\r\n205 bye\r\n', size)).toMatchObject({
        text: 'a\r\n',
        rest: '.\r\n205 bye\r\n',
      });
    }
  });

  test.each(['a\r\n', 'a\r\n.', 'a\r\n.\r', 'a', '', '..\r\n', 'a\r\n.b'])('%j is not ended', (wire) => {
    for (const size of [wire.length || 1, 1]) {
      expect(decoded('line', wire, size)).toMatchObject({ ended: false, text: wire.replace(/^\.\./, '.') });
    }
  });
});

describe('until the end of the connection (RFC 1436 §3.8 as found)', () => {
  test.each([
    ['the terminator', 'a\r\n.\r\n', 'a\r\n', true],
    ['its line end missing', 'a\r\n.', 'a\r\n', true],
    ['its LF missing', 'a\r\n.\r', 'a\r\n', true],
    ['no terminator', 'a\r\n', 'a\r\n', false],
    ['no line end at all', 'a', 'a', false],
    ['a lone dot in the middle', 'a\n.\nb\n.\n', 'a\n.\nb\n', true],
    ['a lone dot in the middle and no terminator', 'a\r\n.\r\nb', 'a\r\n.\r\nb', false],
    ['two lone dots', '.\r\n.\r\n', '.\r\n', true],
    ['a lone dot and a blank line', 'a\r\n.\r\n\r\n', 'a\r\n.\r\n\r\n', false],
    ['a lone dot and a line with a dot', '.\n.a\n', '.\n.a\n', false],
    ['a lone dot and a stuffed line', '.\r\n..a\r\n.\r\n', '.\r\n.a\r\n', true],
    ['a dot behind a text without a line end (UMN gopherd)', 'a.\r\n', 'a.\r\n', false],
    ['nothing', '', '', false],
  ])('%s', (_, wire, text, terminated) => {
    for (const size of [wire.length || 1, 1, 2, 3]) {
      expect(decoded('eof', wire, size)).toMatchObject({ text, terminated, ended: false });
    }
  });
});

const lines = fc
  .stringMatching(/^[.a\r\n]{0,40}$/)
  .map((text) => (text === '' || text.endsWith('\n') ? text : `${text}\r\n`));

test.each(['line', 'eof'] as const)('any text comes back as it was, however it is cut (%s)', (endsAt) => {
  fc.assert(
    fc.property(lines, fc.integer({ min: 1, max: 7 }), (text, size) => {
      expect(decoded(endsAt, `${stuffedLines(text)}.\r\n`, size).text).toBe(text);
    }),
  );
});

test('text without terminator does not depend on how it is cut', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[.a\r\n]{0,40}$/), fc.integer({ min: 1, max: 7 }), (wire, size) => {
      expect(decoded('eof', wire, size)).toEqual(decoded('eof', wire));
    }),
  );
});

/** RFC 3977 §3.1.1, how a server stuffs. Lines end at LF only: a lone CR ends none, unlike in JavaScript's regular expressions. */
function stuffedLines(text: string): string {
  return text
    .split('\n')
    .map((line) => (line.startsWith('.') ? `.${line}` : line))
    .join('\n');
}

test('a text without dots at line starts is handed on uncopied', () => {
  const chunk = octets('a\r\nb.\r\nc');
  const parts = [...new DotDecoder({ endsAt: 'line' }).decode(chunk)];
  expect(parts).toHaveLength(1);
  expect(parts[0]?.buffer).toBe(chunk.buffer);
  expect(parts[0]).toHaveLength(chunk.length);
});

test('a line of any length passes', () => {
  const long = 'x'.repeat(200_000);
  expect(decoded('line', `${long}\r\n.\r\n`, 1000)).toMatchObject({ text: `${long}\r\n`, ended: true });
});
