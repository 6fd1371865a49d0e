import { expect, test } from 'vitest';
import { readCommandLine } from './command-line.ts';
import { options } from './options.ts';

const settingsOf = (...args: string[]) => readCommandLine(args).settings;

test('the first argument that is no option may name the command', () => {
  expect(readCommandLine(['-v', 'ls', 'http://h/'])).toMatchObject({
    command: 'ls',
    settings: { urls: ['http://h/'], verbose: true },
  });
  expect(readCommandLine(['http://h/', 'ls'])).toMatchObject({
    command: 'get',
    settings: { urls: ['http://h/', 'ls'] },
  });
  expect(readCommandLine(['-o', 'ls', 'get', 'u'])).toMatchObject({ command: 'get', settings: { urls: ['u'] } });
});

test('short options stick together, and the last may hold its value, as with curl', () => {
  expect(settingsOf('-sSLofile', 'u')).toMatchObject({
    silent: true,
    showError: true,
    location: true,
    destinations: [{ to: 'file', name: 'file' }],
  });
  expect(settingsOf('-#Or0-9', 'u')).toMatchObject({
    meter: 'bar',
    range: '0-9',
    destinations: [{ to: 'remote-name' }],
  });
});

test('long options take values in the next argument or after =', () => {
  expect(settingsOf('--max-time', '1.5', '--max-filesize=2K')).toMatchObject({ maxTime: 1.5, maxFilesize: 2048 });
});

test('long options may be shortened where that is clear, and negated where they are flags', () => {
  expect(settingsOf('--loc').location).toBe(true);
  expect(settingsOf('-L', '--no-location').location).toBe(false);
  expect(settingsOf('--no-progress-meter').meter).toBe('none');
  expect(() => settingsOf('--max')).toThrow('ambiguous: --max-redirs, --max-time, --max-filesize');
});

test('destinations keep their order', () => {
  expect(settingsOf('-o', 'a', '-O', '--output=c').destinations).toEqual([
    { to: 'file', name: 'a' },
    { to: 'remote-name' },
    { to: 'file', name: 'c' },
  ]);
});

test('-- ends the options, a single dash is an argument', () => {
  expect(settingsOf('--', '-v', '-').urls).toEqual(['-v', '-']);
  expect(settingsOf('-').urls).toEqual(['-']);
});

test.for([
  [['--nonsense'], 'option --nonsense is unknown'],
  [['-5'], 'option -5 is unknown'],
  [['-o'], 'option -o wants a value'],
  [['--silent=yes'], 'option --silent takes no value'],
  [['--no-output', 'x'], 'option --no-output is unknown'],
  [['--max-time', 'soon'], '--max-time wants seconds'],
  [['--max-redirs', '-2'], '--max-redirs wants a whole number'],
  [['--max-filesize', '1x'], '--max-filesize wants octets'],
  [['--ftp-method', 'best'], '--ftp-method wants multicwd, singlecwd or nocwd'],
  [['-C', 'x'], '--continue-at wants a whole number'],
  [['-T', 'f'], 'retriever retrieves'],
  [['-XPOST'], 'retriever retrieves'],
] as const)('%j is refused', ([args, message]) => {
  expect(() => readCommandLine(args)).toThrow(message);
});

test('no two options have the same spelling', () => {
  const spellings = options.flatMap(({ long, short }) => (short === undefined ? [long] : [long, short]));
  expect(spellings.length).toBe(new Set(spellings).size);
});
