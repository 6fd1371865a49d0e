import { expect, test } from 'vitest';
import { parseConfig } from './config-file.ts';

const parsed = (text: string) =>
  parseConfig(text, 'f').map(({ option, value }) => (value === undefined ? option : [option, value]));

test('an option stands on a line, with or without dashes, its value behind =, : or white space', () => {
  expect(parsed('location\n--silent\n-L\noutput = a\nurl: http://h/\nmax-time 5\n-o b\n--range=0-9\n\r\n')).toEqual([
    '--location',
    '--silent',
    '-L',
    ['--output', 'a'],
    ['--url', 'http://h/'],
    ['--max-time', '5'],
    ['-o', 'b'],
    '--range=0-9',
  ]);
});

test('quotes hold spaces, separators and escapes', () => {
  expect(parsed(String.raw`user-agent "a \"b\"\t\\ c" # why` + '\nheader = ":x=y"\nreferer = ""')).toEqual([
    ['--user-agent', 'a "b"\t\\ c'],
    ['--header', ':x=y'],
    ['--referer', ''],
  ]);
});

test('comments and empty lines are skipped; a # within a value is its own', () => {
  expect(parsed('# silent\n   # more\n\nurl = http://h/#top # note')).toEqual([['--url', 'http://h/#top']]);
  expect(parsed('\ufefflocation')).toEqual(['--location']);
});

test.for([
  ['ok\noutput = "a', 'f, line 2: a quotation mark has no partner'],
  ['output = a b', 'f, line 1: a value with spaces stands in quotes'],
  ['= a', 'f, line 1: there is no option'],
] as const)('%j is refused', ([text, message]) => {
  expect(() => parsed(text)).toThrow(message);
});
