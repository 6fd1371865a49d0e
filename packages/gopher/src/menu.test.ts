/** Menus as they arrive: split anywhere, ended in every way, too long in every way. */
import { chunkSource, type Entry, type OctetSource } from '@retriever/driver';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { menuEntries, type MenuLimits } from './menu.ts';

const server = { scheme: 'gopher', host: 'h', port: 70 } as const;
const generous: MenuLimits = { maxMenuLineBytes: 512, maxMenuEntries: 1000, maxMenuBytes: 100_000 };

async function entriesOf(
  source: OctetSource,
  limits: Partial<MenuLimits> = {},
): Promise<{ entries: Entry[]; notes: string[] }> {
  const entries: Entry[] = [];
  const notes: string[] = [];
  for await (const entry of menuEntries(source, server, { ...generous, ...limits }, (text) => notes.push(text))) {
    entries.push(entry);
  }
  return { entries, notes };
}

const namesOf = async (menu: string): Promise<string[]> =>
  (await entriesOf(chunkSource([octets(menu)]))).entries.map(({ name }) => name);

const octets = (latin1: string): Uint8Array => Uint8Array.from(Buffer.from(latin1, 'latin1'));

const menu = '1One\t/1\ta.example\t70\r\niinfo\t\t\t\r\n+Two\t/2\tb.example\t70\r\nhWeb\tURL:http://w/\ta\t70\r\n.\r\n';

test('reads the same from a menu split at every octet', async () => {
  const whole = await entriesOf(chunkSource([octets(menu)]));
  expect(whole.entries.map(({ name }) => name)).toEqual(['One', 'info', 'Two', 'Web']);
  expect(whole.entries[2]).toMatchObject({ kind: 'directory', url: 'gopher://b.example/1/2' });
  expect(whole.notes).toEqual([]);
  for (let at = 0; at <= menu.length; at += 1) {
    expect(await entriesOf(chunkSource([octets(menu.slice(0, at)), octets(menu.slice(at))]))).toEqual(whole);
  }
  expect(await entriesOf(chunkSource(Array.from(menu, (character) => octets(character))))).toEqual(whole);
});

test.each([
  ['the lone dot ends it', '0A\t/\r\n.\r\n', ['A']],
  ['no lone dot (pygopherd)', '0A\t/\r\n', ['A']],
  ['no line end at all', '0A\t/', ['A']],
  ['a lone dot without a line end', '0A\t/\r\n.', ['A']],
  ['bare LF', '0A\t/\n0B\t/\n.\n', ['A', 'B']],
  ['CR CR LF', '0A\t/\r\r\n.\r\r\n', ['A']],
  ['a lone dot in the middle', '0A\t/\r\n.\r\n0B\t/\r\n.\r\n', ['A', 'B']],
  ['a blank line after the lone dot (geomyidae)', '0A\t/\r\n.\r\n\r\n', ['A']],
  ['blank lines between', '0A\t/\r\n\r\n0B\t/\r\n.\r\n', ['A', 'B']],
  ['nothing but the lone dot', '.\r\n', []],
  ['nothing', '', []],
  ['a line that merely starts with a dot', '.A\t/\r\n0B\t/\r\n.\r\n', ['A', 'B']],
  ['a stuffed dot', '..A\t/\r\n.\r\n', ['A']],
])('%s', async (_, text, names) => {
  expect(await namesOf(text)).toEqual(names);
});

test('tells what was tolerated', async () => {
  const { notes } = await entriesOf(chunkSource([Buffer.from('stray\r\n.\r\n0A\t/\r\n')]));
  expect(notes).toEqual([
    expect.stringContaining('no TAB'),
    expect.stringContaining('middle of the menu'),
    expect.stringContaining('without a lone dot'),
  ]);
});

test('yields an entry before the next one is there', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let step = 0;
  const source: OctetSource = {
    async read() {
      step += 1;
      if (step === 1) return Buffer.from('0A\t/\r\n');
      await held;
      return undefined;
    },
  };
  const iterator = menuEntries(source, server, generous, () => undefined);
  expect((await iterator.next()).value).toMatchObject({ name: 'A' });
  release();
  expect((await iterator.next()).done).toBe(true);
});

/** A server that never stops. */
function flood(text: string): OctetSource {
  const chunk = Buffer.from(text);
  return { read: async () => chunk };
}

test.each([
  ['a line without end', 'x'.repeat(100)],
  ['lines without end', '0A\t/\r\n'.repeat(10)],
  ['blank lines without end', '\r\n'.repeat(100)],
  ['lone dots without end', '.\r\n'.repeat(100)],
])('fails on %s', async (_, text) => {
  await expect(entriesOf(flood(text))).rejects.toMatchObject({ code: 'limit' });
});

test('takes exactly as many entries as allowed', async () => {
  const source = (): OctetSource => chunkSource([Buffer.from('0A\t/\r\n0B\t/\r\n.\r\n')]);
  expect((await entriesOf(source(), { maxMenuEntries: 2 })).entries).toHaveLength(2);
  await expect(entriesOf(source(), { maxMenuEntries: 1 })).rejects.toMatchObject({ code: 'limit' });
});

test('takes a line exactly as long as allowed', async () => {
  const line = (length: number): OctetSource => chunkSource([Buffer.from(`i${'x'.repeat(length - 1)}\r\n.\r\n`)]);
  expect((await entriesOf(line(20), { maxMenuLineBytes: 20 })).entries).toHaveLength(1);
  await expect(entriesOf(line(21), { maxMenuLineBytes: 20 })).rejects.toMatchObject({ code: 'limit' });
});

test('a menu written and read again is the same, however it is cut', async () => {
  const text = fc.stringMatching(/^[a-z0-9 /.~%]{1,12}$/);
  const lines = fc.array(fc.tuple(fc.constantFrom('0', '1', '7', '9', 'i', 'g'), text, text), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(lines, fc.integer({ min: 1, max: 40 }), fc.boolean(), async (items, size, dotted) => {
      const wire = Buffer.from(
        items.map(([type, name, selector]) => `${type}${name}\t${selector}\th.example\t70\r\n`).join('') +
          (dotted ? '.\r\n' : ''),
      );
      const chunks = Array.from({ length: Math.ceil(wire.length / size) }, (_, n) =>
        wire.subarray(n * size, (n + 1) * size),
      );
      const { entries } = await entriesOf(chunkSource(chunks));
      expect(entries.map(({ name, facts }) => [facts?.['type'], name])).toEqual(
        items.map(([type, name]) => [type, name]),
      );
    }),
  );
});
