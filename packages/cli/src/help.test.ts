import { expect, test } from 'vitest';
import { helpText } from './help.ts';
import { options } from './options.ts';

test('help names every option that has a text, in lines that fit', () => {
  const help = helpText();
  for (const { long, help: text } of options) if (text !== undefined) expect(help).toContain(`--${long}`);
  expect(Math.max(...help.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
});
