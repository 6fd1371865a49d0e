import { expect, test } from 'vitest';
import { Transfer } from './transfer.ts';
import { writeOut } from './write-out.ts';

function written(
  format: string,
  transfer: Transfer = new Transfer('http://h/', 0, false),
  warnings: string[] = [],
): string {
  return writeOut(format, transfer, (text) => warnings.push(text))
    .map(({ text }) => text)
    .join('');
}

test('text, escapes and percent signs', () => {
  expect(written(String.raw`a\tb\n%%{x}\q%`)).toBe('a\tb\n%{x}\\q%');
});

test('variables of a transfer that has not happened are empty or zero, as with curl', () => {
  expect(written('%{http_code} %{size_download} %{content_type}|%{num_redirects} %{time_total} %{method}')).toBe(
    '000 0 |0 0.000000 GET',
  );
});

test('an unknown variable is left out with a warning', () => {
  const warnings: string[] = [];
  expect(written('[%{nonsense}]', undefined, warnings)).toBe('[]');
  expect(warnings).toEqual(['unknown --write-out variable: "nonsense"']);
});

test('%{onerror} hides the rest of a success', () => {
  const transfer = new Transfer('http://h/', 0, false);
  expect(written('a%{onerror}b', transfer)).toBe('a');
  transfer.exitCode = 7;
  expect(written('a%{onerror}b', transfer)).toBe('ab');
});
