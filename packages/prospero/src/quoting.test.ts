import { RetrievalError } from '@retriever/driver';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quoted, readLines } from './quoting.ts';

const wordsOf = (text: string): (readonly string[])[] => [...readLines(text)].map(({ words }) => words);

describe('a line', () => {
  test.each([
    ['LINK  L  x\n', [['LINK', 'L', 'x']]],
    ["a' b' c", [['a b', 'c']]],
    ["it'''s +1, ok' '' 16' bytes'", [["it's +1, ok", '', '16 bytes']]],
    ["DATA Hello' there\n'\nNEXT\n", [['DATA', 'Hello there\n'], ['NEXT']]],
    ['\n\n \t\nA\r\nB', [['A'], ['B']]],
    ["'\0'", [['\0']]],
    ["''''", [["'"]]],
  ])('%j is read as %j', (text, words) => expect(wordsOf(text)).toEqual(words));

  test('with a quotation that does not end is refused', () => {
    expect(() => wordsOf("A 'b ''c\n")).toThrow(RetrievalError);
  });

  test('of any words is read back as it was written', () => {
    const word = fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)) });
    fc.assert(
      fc.property(fc.array(fc.array(word, { minLength: 1 })), (lines) => {
        const text = lines.map((words) => `${words.map(quoted).join('  ')}\n`).join('');
        expect(wordsOf(text)).toEqual(lines);
      }),
    );
  });
});
