import { expect, test } from 'vitest';
import { timeConditionOf } from './time-condition.ts';

test.for([
  ['Wed, 09 Apr 2003 10:26:59 GMT', '2003-04-09T10:26:59.000Z'],
  ['09 Apr 2003', '2003-04-09T00:00:00.000Z'],
  ['2003-04-09 10:26:59', '2003-04-09T10:26:59.000Z'],
  ['2003-04-09T10:26:59+0200', '2003-04-09T08:26:59.000Z'],
  ['20030409', '2003-04-09T00:00:00.000Z'],
  ['20030409 10:26:59', '2003-04-09T10:26:59.000Z'],
  ['dec 12 12:00:00 1999 GMT', '1999-12-12T12:00:00.000Z'],
  ['04/09/2003', '2003-04-09T00:00:00.000Z'],
] as const)('%s is %s, GMT without a zone', ([text, time]) => {
  expect(timeConditionOf(text)).toEqual({ time: new Date(time), wanted: 'newer' });
});

test('a dash turns it round', () => {
  expect(timeConditionOf('-2003-04-09')).toEqual({ time: new Date('2003-04-09T00:00:00Z'), wanted: 'older' });
});

test('what is neither a date nor a file is no condition', () => {
  expect(timeConditionOf('no such file')).toBeUndefined();
});
