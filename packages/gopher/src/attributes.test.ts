/** Attributes as servers write them, and as none would. */
import { chunkSource, RetrievalError, type Entry } from '@retriever/driver';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { attributeEntries } from './attribute-entry.ts';
import { parseAsk, parseAttributes } from './index.ts';

const text = [
  '+INFO: 0Doc\t/doc\th.example\t70\t+',
  '+ADMIN:',
  ' Admin: Joe <joe@h.example>',
  ' Mod-Date: Wed Jul 28 17:02:01 1993 <19930728170201>',
  ' TTL: 180',
  '+VIEWS:',
  ' Text/plain: <10k>',
  ' application/postscript Es_ES: <100k>',
  ' image/gif',
  '+ABSTRACT:',
  ' First',
  '  indented',
  '+INFO: 1Dir\t/dir\t\t',
  '+ABSTRACT: on its line',
  '+ADMIN',
  ' Admin: no colon',
  '+KEYWORDS:',
  ' a b',
  '',
].join('\r\n');

test('reads items and what is known of them', () => {
  const [doc, dir, ...more] = parseAttributes(text);
  expect(more).toEqual([]);
  expect(doc).toMatchObject({
    info: { type: '0', host: 'h.example', port: '70', gopherPlus: '+' },
    admin: 'Joe <joe@h.example>',
    modified: new Date('1993-07-28T17:02:01Z'),
    views: [
      { mediaType: 'text/plain', size: '10k' },
      { mediaType: 'application/postscript', language: 'Es_ES', size: '100k' },
      { mediaType: 'image/gif' },
    ],
    abstract: 'First\n indented',
  });
  expect(doc?.blocks.map(({ name }) => name)).toEqual(['INFO', 'ADMIN', 'VIEWS', 'ABSTRACT']);
  expect(dir).toMatchObject({ info: { type: '1' }, admin: 'no colon', abstract: 'on its line', views: [] });
  expect(dir?.blocks.at(-1)).toEqual({ name: 'KEYWORDS', value: '', lines: ['a b'] });
  expect(dir).not.toHaveProperty('ask');
});

test.each([
  ['', 0],
  ['\r\n\r\n', 0],
  ['no attributes at all\r\n', 0],
  ['+ABSTRACT:\r\n without its item\r\n', 1],
  ['+INFO: \r\n', 1],
  ['+INFO:\r\n', 1],
  ['+info: 0a\tb\r\n+info: 0c\td', 2],
  ['+\r\n', 1],
  ['+INFO: 0a\t/a\th\t70\n+ABSTRACT:\n bare LF\n.\n', 1],
])('%j holds %d items', (given, count) => expect(parseAttributes(given)).toHaveLength(count));

test.each(['<19930230000000>', '<00000000000000>', '<1993>', '19930728170201', '<99999999999999>'])(
  'a date %s is none',
  (date) => expect(parseAttributes(`+ADMIN:\r\n Mod-Date: ${date}\r\n`)[0]).not.toHaveProperty('modified'),
);

describe('whatever comes', () => {
  const line = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom(
      '+INFO: 0a\tb\tc\t70\t+',
      '+ADMIN:',
      ' Admin: x',
      '+VIEWS:',
      ' Text/plain En_US: <.1k>',
      '+ASK:',
      ' Ask: x',
    ),
  );
  const anything = fc.array(line).map((lines) => Buffer.from(lines.join('\r\n')));

  test('is read, in the same way however it is split', async () => {
    const listed = async (chunks: Iterable<Uint8Array>): Promise<Entry[]> => {
      const entries: Entry[] = [];
      const item = { name: 'x', rawName: Buffer.from('x'), kind: 'file' } as const;
      const server = { scheme: 'gopher', host: 'h', port: 70 } as const;
      const limits = { maxMenuLineBytes: 1000, maxMenuEntries: 1000, maxMenuBytes: 100_000 };
      const listing = { names: [], item, server };
      for await (const entry of attributeEntries(chunkSource(chunks), listing, limits, () => undefined))
        entries.push({ ...entry, rawName: new Uint8Array(entry.rawName) });
      return entries;
    };
    await fc.assert(
      fc.asyncProperty(anything, async (octets) => {
        const whole = await listed([octets]);
        expect(whole).toHaveLength(parseAttributes(octets).length);
        expect(await listed(Array.from(octets, (octet) => Uint8Array.of(octet)))).toEqual(whole);
      }),
    );
  });

  test('every line of every block is kept', () => {
    const name = fc.stringMatching(/^[A-Z]{1,8}$/).filter((word) => word !== 'INFO');
    const lines = fc.array(fc.stringMatching(/^[!-~][ -~]{0,20}[!-~]$/));
    fc.assert(
      fc.property(fc.array(fc.record({ name, value: fc.constant(''), lines })), (blocks) => {
        const written = blocks.map((block) => `+${block.name}:\r\n${block.lines.map((one) => ` ${one}\r\n`).join('')}`);
        expect(parseAttributes(`+INFO: 0a\tb\tc\t70\r\n${written.join('')}`)[0]?.blocks.slice(1)).toEqual(blocks);
      }),
    );
  });

  test('an item without end is refused', () => {
    expect(() => parseAttributes(`+INFO: 0a\tb\r\n+X:\r\n${' x\r\n'.repeat(400_000)}`)).toThrow(RetrievalError);
    expect(() => parseAttributes('+X:\r\n'.repeat(2000))).toThrow(RetrievalError);
  });

  test('long lines of blanks and signs are read in no time', () => {
    for (const sign of [' ', ';', ':', '<', '\t', ' ;', '+', ': <']) {
      const long = sign.repeat(8000 / sign.length);
      parseAttributes(
        `+VIEWS:\r\n a${long}b\r\n${long}\r\n+ADMIN:\r\n Mod-Date:${long}x\r\n+ASK:\r\n Select:${long}x\r\n${long}`,
      );
    }
  });

  test('attributes named like properties of objects stay facts', async () => {
    const [item] = parseAttributes('+INFO: 0a\tb\th\t70\r\n+__PROTO__:\r\n x\r\n+CONSTRUCTOR:\r\n y\r\n');
    expect(item?.blocks.map(({ name }) => name)).toEqual(['INFO', '__PROTO__', 'CONSTRUCTOR']);
  });
});

describe('forms', () => {
  test.each([
    ['Ask: Your name?', { type: 'Ask', prompt: 'Your name?' }],
    ['Ask: Your name?\tNobody', { type: 'Ask', prompt: 'Your name?', default: 'Nobody' }],
    ['AskP: Password?', { type: 'AskP', prompt: 'Password?' }],
    ['AskL: Say more', { type: 'AskL', prompt: 'Say more' }],
    ['AskF: Save as?\tanswer.txt', { type: 'AskF', prompt: 'Save as?', default: 'answer.txt' }],
    ['ChooseF: Which file?', { type: 'ChooseF', prompt: 'Which file?' }],
    ['Choose: Colour?\tred\tgreen', { type: 'Choose', prompt: 'Colour?', choices: ['red', 'green'] }],
    ['Select: Sure?\t1', { type: 'Select', prompt: 'Sure?', default: true, choices: [] }],
    ['Select: Sure?:0', { type: 'Select', prompt: 'Sure?', default: false, choices: [] }],
    ['Select: Which?\ta\tb', { type: 'Select', prompt: 'Which?', choices: ['a', 'b'] }],
    ['Note: read this', { type: 'Note', prompt: 'read this' }],
    [' askp:tight', { type: 'AskP', prompt: 'tight' }],
    ['Telepathy: What do I think?', { type: 'Other', directive: 'Telepathy', prompt: 'What do I think?' }],
    ['constructor: x', { type: 'Other', directive: 'constructor', prompt: 'x' }],
    ['no directive', { type: 'Other', directive: '', prompt: 'no directive' }],
  ])('%j', (line, question) => expect(parseAsk(line).questions).toEqual([question]));

  test('questions keep their order, blank lines are none', () => {
    expect(parseAsk('Ask: a\r\n\r\nNote: b\nAskP: c').questions.map(({ type }) => type)).toEqual([
      'Ask',
      'Note',
      'AskP',
    ]);
    expect(parseAsk('').questions).toEqual([]);
  });
});
