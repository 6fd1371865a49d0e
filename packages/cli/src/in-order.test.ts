import { setImmediate as soon } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { InOrder, type Outlet } from './in-order.ts';

function recorder(): { outlet: Outlet; text: () => string } {
  const chunks: string[] = [];
  const write = async (chunk: Uint8Array): Promise<void> => {
    chunks.push(Buffer.from(chunk).toString());
    await soon();
  };
  return { outlet: { isTerminal: false, write }, text: () => chunks.join('') };
}

const octets = (text: string): Buffer => Buffer.from(text);

test('what is written into lanes at once comes out lane by lane', async () => {
  const { outlet, text } = recorder();
  const order = new InOrder(outlet);
  const [a, b, c] = [order.lane(), order.lane(), order.lane()];
  await c.write(octets('c1'));
  await b.write(octets('b1'));
  await a.write(octets('a1'));
  const ends = [c.end(), b.write(octets('b2'))];
  await a.write(octets('a2'));
  expect(text()).toBe('a1a2');
  await Promise.all([...ends.slice(1), a.end(), b.end(), ...ends]);
  expect(text()).toBe('a1a2b1b2c1');
});

test('a lane goes straight to the outlet when those before it are over', async () => {
  const { outlet, text } = recorder();
  const order = new InOrder(outlet);
  await order.lane().end();
  const lane = order.lane();
  const written = lane.write(octets('x'));
  expect(text()).toBe('x');
  await written;
});

test('from its turn on a lane is as fast as its outlet', async () => {
  const { outlet, text } = recorder();
  const order = new InOrder(outlet);
  const [a, b] = [order.lane(), order.lane()];
  for (const digit of '123') await b.write(octets(digit));
  await a.end();
  await soon();
  await b.write(octets('4'));
  await b.write(octets('5'));
  expect(text()).toBe('12345');
});

test('more than memory shall hold waits on disk, and comes out the same', async () => {
  const { outlet, text } = recorder();
  const order = new InOrder(outlet);
  const [a, b] = [order.lane(), order.lane()];
  const part = (at: number): string => String(at % 10).repeat(30_000);
  const chunk = Buffer.alloc(30_000);
  for (let at = 0; at < 20; at += 1) {
    chunk.write(part(at));
    // The chunk is the reader's again as soon as the call is over.
    await b.write(chunk);
  }
  await a.end();
  await b.end();
  expect(text()).toBe(Array.from({ length: 20 }, (_, at) => part(at)).join(''));
});

test('a lane that is dropped lets the next one go on', async () => {
  const { outlet, text } = recorder();
  const order = new InOrder(outlet);
  const [a, b, c] = [order.lane(), order.lane(), order.lane()];
  await b.write(octets('b'));
  await c.write(octets('c'));
  b.drop();
  await a.end();
  await c.end();
  expect(text()).toBe('c');
});

test('a lane whose outlet fails says so at its end, and the next one finds out by itself', async () => {
  const order = new InOrder({
    isTerminal: false,
    write: () => {
      throw new Error('full');
    },
  });
  const [a, b, c] = [order.lane(), order.lane(), order.lane()];
  await b.write(octets('b'));
  await c.write(octets('c'));
  await a.end();
  await expect(b.end()).rejects.toThrow('full');
  await expect(c.end()).rejects.toThrow('full');
});
