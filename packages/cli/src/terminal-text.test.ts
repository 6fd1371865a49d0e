import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineForTerminal, TerminalTextDecoder, textForTerminal } from './terminal-text.ts';

test('a line shows every control', () => {
  expect(lineForTerminal('a\u001b[2J\u0007\r\n\t\u009b\u202e\u007fb')).toBe(
    String.raw`a\e[2J\x07\r\n\t\x9b\u202e\x7fb`,
  );
});

test('a text keeps line ends and tabs, and shows a lone CR, which could hide what stands before it', () => {
  expect(textForTerminal('a\r\nb\tc\rd\n')).toBe('a\nb\tc\\rd\n');
});

test('text that comes in chunks, cut anywhere, is the same', () => {
  const text = 'é\r\n\u001b[1m\u009b\r\ufeffx\r';
  const octets = Buffer.from(text);
  fc.assert(
    fc.property(fc.array(fc.nat(octets.length), { maxLength: 5 }), (cuts) => {
      const decoder = new TerminalTextDecoder();
      const ends = [...cuts.toSorted((a, b) => a - b), octets.length];
      let start = 0;
      let shown = '';
      for (const end of ends) {
        shown += decoder.decode(octets.subarray(start, end));
        start = end;
      }
      expect(shown + decoder.end()).toBe(textForTerminal(text));
    }),
  );
});
