import { RetrievalError } from '@retriever/driver';
import { parse } from '@retriever/url';
import { expect, test } from 'vitest';
import { failureOf, unreachable } from './failure.ts';

const url = parse('ftp://u:secret@h/x');
const system = (code: string): Error => Object.assign(new Error(`connect ${code}`), { code });

test.each([
  ['ECONNREFUSED', 'unreachable'],
  ['ENOTFOUND', 'unreachable'],
  ['ECONNRESET', 'incomplete'],
  ['EPIPE', 'incomplete'],
  ['ETIMEDOUT', 'timeout'],
])('%s means %s', (code, meaning) => {
  const cause = system(code);
  expect(failureOf(cause, url)).toMatchObject({ code: meaning, cause, url: 'ftp://u:***@h/x' });
});

test.each([new TypeError('a bug'), 'a reason', undefined, null, system('ENOSPC'), system('constructor')])(
  'leaves %s alone',
  (error) => {
    expect(failureOf(error, url)).toBe(error);
  },
);

test('tells a RetrievalError its URL, once', () => {
  const error = new RetrievalError('refused', 'no');
  expect(failureOf(error, url)).toBe(error);
  expect(failureOf(error, parse('ftp://other/'))).toMatchObject({ url: 'ftp://u:***@h/x' });
});

test('a connection that fails is unreachable, or too slow', () => {
  expect(unreachable('h', 1, system('EACCES'))).toMatchObject({ code: 'unreachable' });
  expect(unreachable('h', 1, system('ETIMEDOUT'))).toMatchObject({ code: 'timeout' });
});
