import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BlockFile } from './block-file.ts';
import { HeldOctets } from './held-octets.ts';

const filled = (letter: string, length: number): Buffer => Buffer.alloc(length, letter);

function taken(held: HeldOctets): Buffer {
  const pieces: Uint8Array[] = [];
  for (let octets = held.take(); octets; octets = held.take()) pieces.push(octets);
  return Buffer.concat(pieces);
}

test('many hold octets of any amount in one file, and each gets its own back in order', () => {
  const file = new BlockFile();
  const open = (): number => readdirSync('/dev/fd').length;
  const before = open();
  const held = Array.from({ length: 20 }, () => new HeldOctets(file));
  const letters = 'abcdefghijklmnopqrst'.split('');
  for (const length of [10, 70_000, 500_000]) {
    for (const [at, letter] of letters.entries()) held[at]!.add(filled(letter, length));
  }
  expect(open()).toBe(before + 1);
  for (const [at, letter] of letters.entries()) {
    expect(taken(held[at]!).equals(filled(letter, 570_010))).toBe(true);
    expect(held[at]!.isEmpty).toBe(true);
  }
});

test('what is added while others are taken comes behind them, and blocks are used again', () => {
  const held = new HeldOctets(new BlockFile());
  held.add(filled('a', 300_000));
  const first = held.take()!;
  held.add(filled('b', 300_000));
  expect(Buffer.concat([first, taken(held)]).equals(Buffer.concat([filled('a', 300_000), filled('b', 300_000)]))).toBe(
    true,
  );
  held.add(filled('c', 5));
  held.add(filled('d', 300_000));
  held.close();
  expect(held.take()).toBeUndefined();
  held.add(filled('e', 100_000));
  expect(taken(held).equals(filled('e', 100_000))).toBe(true);
});
