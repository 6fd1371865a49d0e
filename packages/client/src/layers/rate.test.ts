import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBody, type BodySink, type Content } from '@retriever/driver';
import { describe, expect, test } from 'vitest';
import { clientOf, failure } from '../../testing/fake-driver.ts';
import type { Layer } from '../layer.ts';
import { minimumRate } from './minimum-rate.ts';
import { throttle } from './throttle.ts';

async function bodyThrough(layer: Layer, pump: (sink: BodySink) => Promise<void>, signal?: AbortSignal) {
  const cancelled = Promise.withResolvers<never>();
  cancelled.promise.catch(() => undefined);
  const body = createBody({
    pump: (sink) => Promise.race([pump(sink), cancelled.promise]),
    cancel: (reason) => cancelled.reject(reason),
  });
  const client = clientOf(async () => ({ kind: 'content', body, metadata: {} }), { layers: [layer] });
  return ((await client.retrieve('gopher://h/', { signal })) as Content).body;
}

describe('throttle', () => {
  test('a body takes as long as its octets at the rate, and comes in small pieces', async () => {
    const body = await bodyThrough(throttle({ bytesPerSecond: 10_000 }), async (sink) => sink(new Uint8Array(4000)));
    const pieces: number[] = [];
    const start = performance.now();
    await body.pipeTo((chunk) => void pieces.push(chunk.length));
    expect(performance.now() - start).toBeGreaterThan(390);
    expect(pieces).toEqual([1250, 1250, 1250, 250]);
  });

  test('an abort or a cancel ends the waiting', async () => {
    const giveUp = new AbortController();
    const all = async (sink: BodySink): Promise<void> => sink(new Uint8Array(100));
    const one = await bodyThrough(throttle({ bytesPerSecond: 1 }), all, giveUp.signal);
    const failed = failure(one.pipeTo(() => giveUp.abort()));
    expect(await failed).toMatchObject({ name: 'AbortError' });
    const other = await bodyThrough(throttle({ bytesPerSecond: 1 }), all);
    const stopped = failure(other.pipeTo(() => void other.cancel(new Error('enough'))));
    expect(await stopped).toMatchObject({ message: 'enough' });
  });
});

describe('minimumRate', () => {
  const layer = minimumRate({ bytesPerSecond: 10, time: 1000 });

  test('gives up a body that trickles', async () => {
    const body = await bodyThrough(layer, async (sink) => {
      for (let octets = 0; octets < 30; octets += 1) {
        await sink(Uint8Array.of(1));
        await sleep(300);
      }
    });
    expect(await failure(body.pipeTo(() => undefined))).toMatchObject({ code: 'timeout', url: 'gopher://h/' });
  });

  test('lets one through that is fast enough, or whose reader is slow', async () => {
    const fast = await bodyThrough(layer, async (sink) => {
      await sink(new Uint8Array(30));
      await sleep(1200);
    });
    await fast.pipeTo(() => undefined);
    const slowReader = await bodyThrough(layer, async (sink) => sink(new Uint8Array(1)));
    await slowReader.pipeTo(() => sleep(2200));
  });
});
