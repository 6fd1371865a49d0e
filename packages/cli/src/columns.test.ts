import { expect, test } from 'vitest';
import { columnsOf } from './columns.ts';

const modified = new Date('1994-12-20T10:11:12Z');

test('columns hold kind, size, date and name, as exact as the server told', () => {
  expect(
    columnsOf(
      [
        { name: 'a', kind: 'file', size: 1234, modified, precision: 'second' },
        { name: 'sub', kind: 'directory', modified, precision: 'day' },
        { name: 'l', kind: 'link', linkTarget: 'a' },
        { name: 'Telnet', kind: 'service', url: 'telnet://h/' },
      ],
      undefined,
    ),
  ).toEqual([
    'file     1234  1994-12-20 10:11  a',
    'dir            1994-12-20        sub/',
    'link                             l -> a',
    'service                          Telnet -> telnet://h/',
  ]);
});

test('what nothing is in is left out, what is too long is cut off', () => {
  expect(columnsOf([{ name: 'x'.repeat(30), kind: 'file' }], 20)).toEqual(['file  xxxxxxxxxxx...']);
});
