import { expect, test } from 'vitest';
import { TypedLine } from './typed-line.ts';

interface Typed {
  shown: string;
  readonly lines: string[];
  readonly keys: string[];
  readonly line: TypedLine;
}

function typed(octets: string): Typed {
  const lines: string[] = [];
  const keys: string[] = [];
  const result = { shown: '', lines, keys };
  const line = new TypedLine({
    echo: (shown) => (result.shown += Buffer.from(shown).toString('latin1')),
    line: (text) => void lines.push(Buffer.from(text).toString('latin1')),
    interrupt: () => void keys.push('interrupt'),
    end: () => void keys.push('end'),
  });
  for (const octet of Buffer.from(octets, 'latin1')) line.type(octet);
  return Object.assign(result, { line });
}

test('a line is shown as it is typed and given whole', () => {
  expect(typed('one\rtwo\n')).toMatchObject({ shown: 'one\r\ntwo\r\n', lines: ['one', 'two'] });
});

test('backspace takes back one character, of UTF-8 all its octets, of a control both its columns', () => {
  expect(typed('a\xc3\xa9\x7fb\x08c\r')).toMatchObject({ shown: 'a\xc3\xa9\b \bb\b \bc\r\n', lines: ['ac'] });
  expect(typed('\x1b\x7f\r')).toMatchObject({ shown: '^[\b \b\b \b\r\n', lines: [''] });
  expect(typed('\x7f\x7f\r')).toMatchObject({ shown: '\r\n', lines: [''] });
});

test('Ctrl-U takes back all', () => {
  expect(typed('abc\x15d\r').lines).toEqual(['d']);
});

test('Ctrl-C drops the line and interrupts', () => {
  expect(typed('abc\x03d\r')).toMatchObject({ keys: ['interrupt'], lines: ['d'] });
});

test('Ctrl-D ends where the line is empty, and is nothing elsewhere', () => {
  expect(typed('\x04a\x04\r')).toMatchObject({ keys: ['end'], lines: ['a'] });
});

test('a line has an end: beyond 4096 characters the bell rings', () => {
  const { lines, shown } = typed(`${'x'.repeat(5000)}\r`);
  expect(lines[0]).toHaveLength(4096);
  expect(shown).toContain('\x07');
});

test('octets that are no UTF-8 pass too', () => {
  expect(typed('\x80\xbf\xbf\xbf\xbf\xff\r').lines).toEqual(['\x80\xbf\xbf\xbf\xbf\xff']);
});
