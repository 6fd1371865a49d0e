import { expect, test } from 'vitest';
import type { Meter } from './meter.ts';
import { SharedMeter } from './shared-meter.ts';

function recorded(transfers: number): { meter: SharedMeter; told: () => readonly unknown[] } {
  let told: readonly unknown[] = [];
  const change = (label: string, size: number | undefined): void => void (told = [label, size]);
  const meter = { begin: change, change, advance: () => undefined, end: () => undefined } as unknown as Meter;
  return { meter: new SharedMeter(meter, transfers), told: () => told };
}

test('tells how many transfers are done, and how much there is in all when the last has begun', () => {
  const { meter, told } = recorded(2);
  meter.begin();
  meter.gauge().begin('a', 100, 0);
  expect(told()).toEqual(['0 of 2 done', undefined]);
  meter.gauge().begin('b', 50, 0);
  expect(told()).toEqual(['0 of 2 done', 150]);
  meter.done(true);
  meter.done(false);
  expect(told()).toEqual(['2 of 2 done, 1 failed', 150]);
});

test('another attempt at a body counts once', () => {
  const { meter, told } = recorded(2);
  const gauge = meter.gauge();
  gauge.begin('a', 100, 0);
  gauge.begin('a', 60, 40);
  expect(told()).toEqual(['0 of 2 done', undefined]);
  meter.gauge().begin('b', 50, 0);
  expect(told()).toEqual(['0 of 2 done', 150]);
});

test('one body of unknown size makes all unknown', () => {
  const { meter, told } = recorded(2);
  meter.gauge().begin('a', undefined, 0);
  meter.gauge().begin('b', 50, 0);
  expect(told()).toEqual(['0 of 2 done', undefined]);
});
