import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OctetSource } from './access.ts';
import { LineReader } from './line-reader.ts';
import { chunkSource } from './octet-source.ts';
import { latin1Of } from './octet-text.ts';

const octets = (latin1: string): Uint8Array => Uint8Array.from(Buffer.from(latin1, 'latin1'));

/** All lines of a text sent in pieces of a size. */
async function linesOf(text: string, size = text.length || 1, maxLineBytes?: number): Promise<string[]> {
  const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, n) =>
    octets(text.slice(n * size, (n + 1) * size)),
  );
  const reader = new LineReader(chunkSource(chunks), { maxLineBytes });
  const lines: string[] = [];
  for (let line = await reader.line(); line; line = await reader.line()) lines.push(latin1Of(line));
  return lines;
}

test.each([
  ['CR LF', 'a\r\nb\r\n', ['a', 'b']],
  ['bare LF', 'a\nb\n', ['a', 'b']],
  ['both', 'a\nb\r\nc', ['a', 'b', 'c']],
  ['a last line without an end', 'a\r\nb', ['a', 'b']],
  ['empty lines', '\r\n\n\r\n', ['', '', '']],
  ['a CR inside a line', 'a\rb\r\n', ['a\rb']],
  ['CR CR LF', 'a\r\r\n', ['a\r']],
  ['NUL and octets above 0x7F', '\x00\xff\r\n', ['\x00\xff']],
  ['nothing', '', []],
])('%s', async (_, text, lines) => {
  expect(await linesOf(text)).toEqual(lines);
  expect(await linesOf(text, 1)).toEqual(lines);
});

test('lines do not depend on how they are split', async () => {
  const text = fc.stringMatching(/^[ab\r\n]{0,60}$/);
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (whole, size) => {
      expect(await linesOf(whole, size)).toEqual(await linesOf(whole));
    }),
  );
});

test('lines joined again are the text', async () => {
  const lines = fc.array(fc.stringMatching(/^[a-z.\r]{0,8}$/).filter((line) => !line.endsWith('\r')));
  await fc.assert(
    fc.asyncProperty(lines, fc.integer({ min: 1, max: 9 }), async (all, size) => {
      expect(await linesOf(all.map((line) => `${line}\r\n`).join(''), size)).toEqual(all);
    }),
  );
});

test('a line at hand needs no waiting, and one that has yet to come is not at hand', async () => {
  const reader = new LineReader(chunkSource([octets('a\r\n\r\nb'), octets('c\r\n')]));
  expect(reader.lineAtHand()).toBeUndefined();
  expect(await reader.line()).toEqual(octets('a'));
  expect(reader.lineAtHand()).toHaveLength(0);
  expect(reader.lineAtHand()).toBeUndefined();
  expect(await reader.line()).toEqual(octets('bc'));
});

describe('the longest line', () => {
  test.each([1, 3, 100])('may be exactly so long, in pieces of %d', async (size) => {
    for (const end of ['\r\n', '\n', '']) {
      expect(await linesOf(`${'x'.repeat(10)}${end}`, size, 10)).toEqual(['x'.repeat(10)]);
      await expect(linesOf(`${'x'.repeat(11)}${end}`, size, 10)).rejects.toMatchObject({ code: 'limit' });
    }
  });

  test('is enforced before a line end ever comes', async () => {
    let served = 0;
    const flood: OctetSource = { read: async () => ((served += 1), octets('x'.repeat(100))) };
    const reader = new LineReader(flood, { maxLineBytes: 1000 });
    await expect(reader.line()).rejects.toMatchObject({ code: 'limit' });
    expect(served).toBeLessThan(12);
  });
});

test('requireLine fails where a reply was due', async () => {
  const reader = new LineReader(chunkSource([octets('ok\r\n')]));
  expect(latin1Of(await reader.requireLine())).toBe('ok');
  await expect(reader.requireLine()).rejects.toMatchObject({ code: 'incomplete' });
});

test('takeRest hands over what was read ahead, once', async () => {
  const reader = new LineReader(chunkSource([octets('head\r\nbo'), octets('dy\r\n')]));
  await reader.line();
  expect(latin1Of(reader.takeRest())).toBe('bo');
  expect(reader.takeRest()).toHaveLength(0);
  expect(latin1Of((await reader.line()) ?? new Uint8Array())).toBe('dy');
});

test('a failing source fails the line', async () => {
  const reader = new LineReader({ read: () => Promise.reject(new Error('reset')) });
  await expect(reader.line()).rejects.toThrow('reset');
});
