import { parse } from '@retriever/url';
import { expect, test } from 'vitest';
import { byteRange, planRequests, requestFor } from './request.ts';
import { defaultSettings, type Settings } from './settings.ts';

const planned = (settings: Partial<Settings>, warnings: string[] = []) =>
  planRequests({ ...defaultSettings(), ...settings }, (text) => warnings.push(text));

test('-r has three forms', () => {
  expect(byteRange('0-99')).toEqual({ start: 0, end: 99 });
  expect(byteRange('100-')).toEqual({ start: 100 });
  expect(byteRange('100')).toEqual({ start: 100 });
  expect(byteRange('-500')).toEqual({ suffix: 500 });
  for (const text of ['', '-', 'a-b', '9-1', '1-2-3']) expect(() => byteRange(text)).toThrow('--range');
  expect(planned({ range: '0-1,5-6' }).headers).toEqual([['Range', 'bytes=0-1,5-6']]);
});

test('-H overrides, removes and keeps to what is ours to set', () => {
  const warnings: string[] = [];
  const headers = ['User-Agent: b', 'accept:', 'X-None:', 'X-Empty;', 'Connection: close', 'Expect:'];
  expect(planned({ userAgent: 'a', headers }, warnings).headers).toEqual([
    ['User-Agent', 'b'],
    ['accept', ''],
    ['X-Empty', ''],
  ]);
  expect(warnings).toEqual(['the field Connection belongs to the connection and is not sent']);
  expect(() => planned({ headers: ['a: b\r\nc: d'] })).toThrow('--header');
});

test('what is no field is not sent', () => {
  const warnings: string[] = [];
  expect(planned({ headers: ['no colon', ': x', ''] }, warnings).headers).toEqual([]);
  expect(warnings.length).toBe(2);
});

test('-b takes pairs; the name of a file is not read', () => {
  const warnings: string[] = [];
  expect(planned({ cookie: 'a=b; c=d' }, warnings).headers).toEqual([['Cookie', 'a=b; c=d']]);
  expect(warnings).toEqual([]);
  expect(planned({ cookie: 'cookies.txt' }, warnings).headers).toEqual([]);
  expect(warnings.length).toBe(1);
});

test('a condition that cannot be read is none, with a warning', () => {
  const warnings: string[] = [];
  expect(planned({ timeCondition: 'nonsense' }, warnings).timeCondition).toBeUndefined();
  expect(warnings.length).toBe(1);
});

test('-u splits at the first colon', () => {
  expect(planned({ user: 'joe:a:b' }).credentials).toEqual({ user: 'joe', password: 'a:b' });
});

test('error pages are wanted over HTTP only', () => {
  const settings = defaultSettings();
  const plan = planned({});
  expect(requestFor(parse('http://h/'), settings, plan)).toMatchObject({ keepRefusal: true, keepReference: true });
  expect(requestFor(parse('ftp://h/'), { ...settings, location: true }, plan)).toMatchObject({
    keepRefusal: false,
    keepReference: false,
  });
});
