/** Refusals as real servers send them, and answers that only look like one. */
import { expect, test } from 'vitest';
import type { Framing } from './item-types.ts';
import { maxRefusalBytes, refusalIn } from './refusal.ts';

const judge = (text: string, framing: Framing, ended = true): unknown =>
  refusalIn(Buffer.from(text, 'latin1'), ended, framing);

const refusals: [server: string, framing: Framing, answer: string, text: string][] = [
  [
    'pygopherd, a menu',
    'menu',
    "3'/x' does not exist (no handler found)\t\terror.host\t1\r\n",
    "'/x' does not exist (no handler found)",
  ],
  ['pygopherd, a text', 'text', "3'/x' does not exist\t\terror.host\t1\r\n", "'/x' does not exist"],
  ['pygopherd, an image', 'octets', "3'/x' does not exist\t\terror.host\t1\r\n", "'/x' does not exist"],
  ['UMN gopherd, a text', 'text', "0'/x' does not exist!!\t\terror.host\t1\r\n.\r\n", "'/x' does not exist!!"],
  ['UMN gopherd, a menu', 'menu', "0'/x' does not exist!!\t\terror.host\t1\r\n.\r\n", "'/x' does not exist!!"],
  [
    'gophernicus with its footer',
    'menu',
    '3Error: File or directory not found!\tTITLE\tnull.host\t1\r\ni___\tTITLE\tnull.host\t1\r\niGophered by…\tTITLE\tnull.host\t1\r\n.\r\n',
    'Error: File or directory not found!',
  ],
  [
    'geomyidae, a menu',
    'menu',
    "3Sorry, but the requested token '/x' could not be found.\tErr\tlocalhost\t70\r\n.\r\n\r\n",
    "Sorry, but the requested token '/x' could not be found.",
  ],
  ['geomyidae, a text', 'text', '3Sorry.\tErr\tlocalhost\t70\r\n.\r\n\r\n', 'Sorry.'],
  [
    'gophernicus, a selector without a slash',
    'menu',
    'Error: File or directory not found! (null)\r\n',
    'Error: File or directory not found! (null)',
  ],
  ['a bare type 3 line, a menu', 'menu', '3No such thing', 'No such thing'],
];

test.each(refusals)('%s (%s)', (_, framing, answer, text) => {
  expect(judge(answer, framing)).toEqual({ code: answer.startsWith('0') ? 0 : 3, text });
});

test.each(refusals)('%s (%s): known in time, wherever it is split', (_, framing, answer) => {
  for (let at = 0; at < answer.length; at += 1) expect(judge(answer.slice(0, at), framing, false)).toBe('more');
});

test.each([
  ['an empty answer', 'menu', ''],
  ['a menu with an error among its lines', 'menu', '3Careful\t\terror.host\t1\r\n0A\t/a\th\t70\r\n.\r\n'],
  ['a menu that begins otherwise', 'menu', 'iHello\t\t\t\r\n3Bad\t\terror.host\t1\r\n.\r\n'],
  ['a menu of one text', 'menu', '0About\t/about\th.example\t70\r\n.\r\n'],
  ['a text that begins with a 3', 'text', '3 little pigs\n'],
  ['a table that begins with a 3', 'text', '3\ta\tb\t4\n'],
  ['a text that has such a line and more', 'text', "3'/x' does not exist\t\terror.host\t1\r\nis what it says\r\n"],
  ['a text with an info line behind', 'text', '3x\t\terror.host\t1\r\nix\t\terror.host\t1\r\n'],
  ['an object that begins with a 0', 'octets', '0\x00\x01\x02'],
  ['gophernicus prose where a text was asked for', 'text', 'Error: File or directory not found!\r\n'],
  ['a menu line of type E', 'menu', 'Event\t/e\th\t70\r\n'],
  ['a number', 'text', '3.14159'],
] as [string, Framing, string][])('%s is an answer', (_, framing, answer) => {
  expect(judge(answer, framing)).toBeUndefined();
});

test('most answers are judged by their first octet', () => {
  expect(judge('i', 'menu', false)).toBeUndefined();
  expect(judge('G', 'octets', false)).toBeUndefined();
});

test('no answer is held back for ever', () => {
  expect(judge('3'.repeat(maxRefusalBytes + 1), 'menu', false)).toBeUndefined();
  expect(judge(`3x\t\terror.host\t1\r\n${'\r\n'.repeat(maxRefusalBytes)}`, 'text', false)).toBeUndefined();
});

test('the words of a refusal are bounded', () => {
  expect(judge(`3${'x'.repeat(3000)}\t\terror.host\t1\r\n`, 'menu')).toEqual({ code: 3, text: 'x'.repeat(512) });
});
