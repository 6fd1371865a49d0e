import { writeFileSync } from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { netrcEntry, netrcFor, parseNetrc } from './netrc.ts';

test('an entry is a machine with what belongs to it, on one line or several', () => {
  expect(parseNetrc('machine H.example login joe password p\nmachine b\n\tlogin ann\n\taccount a1\n')).toEqual([
    { host: 'h.example', login: 'joe', password: 'p' },
    { host: 'b', login: 'ann', account: 'a1' },
  ]);
});

test('quotes hold spaces and escapes, and may hold keywords', () => {
  expect(parseNetrc(String.raw`machine h login "machine" password "a \"b\" \\ c\td#"`)).toEqual([
    { host: 'h', login: 'machine', password: 'a "b" \\ c\td#' },
  ]);
});

test('macros and comments are skipped', () => {
  const text =
    '# machine no\nmachine h # login no\nlogin joe\nmacdef init\nmachine fake\nlogin x\n\npassword pa#ss\nmacdef last\nmachine no';
  expect(parseNetrc(text)).toEqual([{ host: 'h', login: 'joe', password: 'pa#ss' }]);
});

test('macdef is a macro at the beginning of a line alone, and keywords may be in upper case, as with curl', () => {
  expect(parseNetrc('MACHINE h Login macdef\n PASSWORD macdef!x\n  macdef init\nlogin x')).toEqual([
    { host: 'h', login: 'macdef', password: 'macdef!x' },
  ]);
});

test('words of nobody, and values before any machine, change nothing', () => {
  expect(parseNetrc('login lost\r\nport 21 machine h\r\nlogin joe')).toEqual([{ host: 'h', login: 'joe' }]);
  expect(parseNetrc('')).toEqual([]);
});

test('what is broken is told without a word of the file', () => {
  for (const text of ['machine h password "secret', 'machine h password'])
    expect(() => parseNetrc(text)).toThrow(/^the netrc file (has a quotation mark|ends where a value)/);
});

test('the first entry that fits is taken: host and user, then default', () => {
  const entries = parseNetrc('machine h login a password 1 machine h login b password 2 default login any password 3');
  const passwordFor = (host: string, user?: string) => netrcEntry(entries, host, user)?.password;
  expect([passwordFor('H'), passwordFor('h', 'b'), passwordFor('other'), passwordFor('h', 'c')]).toEqual([
    '1',
    '2',
    '3',
    undefined,
  ]);
});

test('a file that is named must be there, ~/.netrc need not', () => {
  const home = mkdtempSync(join(tmpdir(), 'retriever-netrc-'));
  const before = process.env['HOME'];
  process.env['HOME'] = home;
  try {
    expect(netrcFor({ netrc: 'required', netrcFile: undefined })).toEqual([]);
    expect(() => netrcFor({ netrc: 'required', netrcFile: join(home, 'none') })).toThrow('cannot read');
    writeFileSync(join(home, '.netrc'), 'default login x', { mode: 0o666 });
    expect(netrcFor({ netrc: 'optional', netrcFile: undefined })).toEqual([{ host: undefined, login: 'x' }]);
    expect(netrcFor({ netrc: 'no', netrcFile: join(home, 'none') })).toEqual([]);
  } finally {
    process.env['HOME'] = before;
    rmSync(home, { recursive: true });
  }
});
