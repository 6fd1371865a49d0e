/** Properties: whatever a server sends, parsing neither throws nor takes long, and keeps what must be kept. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { articleDate } from './article-date.ts';
import { displayText } from './display-text.ts';
import { decodeWords } from './encoded-words.ts';
import { groupEntry } from './group-list.ts';
import { chunkSource } from '@retriever/driver';
import { readHead } from './head.ts';
import { fieldNamed, headerFields } from './header.ts';
import { overviewEntry, overviewLine } from './overview.ts';

const octets = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));
const fields = (text: string): unknown => headerFields(octets(text));
/** Text of what is special in headers, much more often than by chance. */
const spiced = fc
  .array(
    fc.oneof(
      fc.constantFrom('\r\n', '\n', '\r', ' ', '\t', ':', '=?', '?=', '?q?', '?b?', 'utf-8', '\0', '='),
      fc.string(),
    ),
  )
  .map((parts) => parts.join(''));
const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,20}$/);
const value = fc.stringMatching(/^[!-~][ -~]{0,60}[!-~]$/);

describe('header fields (RFC 5322 §2.2)', () => {
  test('folding, missing colons, bare LF, a lone continuation, a cut last line', () => {
    expect(fields('A: 1\r\n\t2\r\nno colon\r\nB:\r\n \r\nC : x\r\nD: 3\nE: cut')).toEqual([
      ['A', '1\t2'],
      ['B', ''],
      ['D', '3'],
    ]);
    expect(fields(' lone\r\nA: 1\r\n\r\nB: body\r\n')).toEqual([['A', '1']]);
    expect(fields('A: 1\r\nbroken\r\n continuation\r\n')).toEqual([['A', '1']]);
  });

  test('what was folded anywhere is unfolded to the same (property)', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value)), fc.boolean(), (list, crlf) => {
        const end = crlf ? '\r\n' : '\n';
        const text = list.map(([key, content]) => `${key}: ${content.replace(/ /g, `${end} `)}${end}`).join('');
        expect(fields(`${text}${end}X: body${end}`)).toEqual(list);
      }),
    );
  });

  test('the head is the same wherever the chunks break, and never beyond its bound (property)', async () => {
    const text = 'Subject: a\r\n b\r\nX: y\r\n\r\nSubject: body\r\n\r\n';
    for (let at = 0; at <= text.length; at += 1) {
      const head = await readHead(
        chunkSource([octets(text.slice(0, at)), octets(text.slice(at))].filter(({ length }) => length)),
        1000,
      );
      expect(head.fields).toEqual([
        ['Subject', 'a b'],
        ['X', 'y'],
      ]);
      expect(head.complete).toBe(true);
    }
    const endless = await readHead(chunkSource(Array<Uint8Array>(1000).fill(octets('X: yyyyyy\r\n'))), 100);
    expect(endless.complete).toBe(false);
    expect(endless.octets.length).toBe(10);
  });

  test('a quarter of a megabyte of anything takes no time', () => {
    for (const piece of ['A: b\r\n', ' x\r\n', ':\r\n', '=?', '\t', 'A', '=?utf-8?q?', '=?utf-8?q?a?= ', '1 Jan ']) {
      const text = piece.repeat(250_000 / piece.length);
      const start = performance.now();
      fields(`Subject: ${text}\r\n`);
      displayText(text);
      articleDate(text);
      overviewEntry(octets(`1\t${text}`), () => undefined);
      groupEntry(octets(text), new Map(), () => undefined);
      expect(performance.now() - start).toBeLessThan(2000);
    }
  });
});

describe('encoded-words (RFC 2047)', () => {
  test.each([
    ['=?utf-8?Q?caf=C3=A9?=', 'café'],
    ['=?UTF-8?b?Y2Fmw6k=?= =?utf-8?q?_au_lait?=', 'café au lait'],
    ['=?iso-8859-1*fr?q?caf=E9?= x', 'café x'],
    ['a =?utf-8?q?b?= c', 'a b c'],
    ['=?utf-8?q?a?= b =?utf-8?q?c?=', 'a b c'],
    ['=?utf-8?q?=E2=82?= =?utf-8?q?=AC?=', '€'],
    ['=?iso-8859-1?q?a?=\t=?utf-8?q?b?=', 'ab'],
    ['=?no-such-charset?q?a?=', '=?no-such-charset?q?a?='],
    ['=?utf-8?x?a?=', '=?utf-8?x?a?='],
    ['=?utf-8?b?***?=', '=?utf-8?b?***?='],
    ['=?utf-8?q?a b?=', '=?utf-8?q?a b?='],
    ['=?utf-8?q?a', '=?utf-8?q?a'],
    ['=??q?a?=', '=??q?a?='],
    ['=?utf-8?q?a=ZZ=4?=', 'a=ZZ=4'],
    ['=?utf-8?q??=', ''],
    ['=?utf-8?q?a?= =?x-none?q?b?= =?utf-8?q?c?=', 'a =?x-none?q?b?= c'],
  ])('%s', (text, shown) => {
    expect(decodeWords(text)).toBe(shown);
  });

  test('text without them stays, and no text makes it throw (property)', () => {
    fc.assert(fc.property(fc.string(), (text) => text.includes('=?') || decodeWords(text) === text));
    fc.assert(fc.property(spiced, (text) => typeof decodeWords(text) === 'string'));
  });

  test('every text can be encoded and comes back (property)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const whole = Buffer.from(text, 'utf8');
        const words = [whole.subarray(0, whole.length / 2), whole.subarray(whole.length / 2)].map(
          (half) => `=?utf-8?b?${half.toString('base64')}?=`,
        );
        expect(decodeWords(words.join(' '))).toBe(whole.toString('utf8'));
      }),
    );
  });

  test('what they hold cannot break a line or drive a terminal', () => {
    expect(displayText('=?utf-8?q?a=0D=0Ab=1B[2J=00?=')).toBe('a  b [2J ');
    fc.assert(fc.property(spiced, (text) => !/\p{Cc}/u.test(displayText(Buffer.from(text).toString('latin1')))));
  });
});

describe('dates (RFC 5322 §3.3, §4.3)', () => {
  test.each([
    ['Sat, 03 Feb 2001 04:05:06 +0000', '2001-02-03T04:05:06Z'],
    ['3 Feb 2001 04:05 GMT', '2001-02-03T04:05:00Z'],
    ['Tue, 5 Mar 2002 18:00:30 +0100 (CET)', '2002-03-05T17:00:30Z'],
    ['5 Mar 02 18:00:30 EST', '2002-03-05T23:00:30Z'],
    ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37Z'],
    ['6 Nov 94 08:49:37', '1994-11-06T08:49:37Z'],
    ['6 Nov 1994 08:49:37 -0530', '1994-11-06T14:19:37Z'],
    ['31 Dec 1998 23:59:60 +0000', '1999-01-01T00:00:00Z'],
  ])('%s', (text, iso) => {
    expect(articleDate(text)).toEqual(new Date(iso));
  });

  test.each([
    '',
    'yesterday',
    '31 Feb 2001 00:00:00 +0000',
    '1 Foo 2001 00:00:00',
    '1 Jan 2001 24:00:00',
    '1 Jan 2001 00:60:00',
    '0 Jan 2001 00:00',
  ])('%j is none', (text) => {
    expect(articleDate(text)).toBeUndefined();
  });

  test('every second of four centuries comes back (property)', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1900-01-01'), max: new Date('2300-01-01'), noInvalidDate: true }),
        (date) => {
          date.setUTCMilliseconds(0);
          expect(articleDate(date.toUTCString())).toEqual(date);
        },
      ),
    );
    fc.assert(fc.property(spiced, (text) => !Number.isNaN(articleDate(text)?.getTime())));
  });
});

describe('overview lines (RFC 3977 §8.3)', () => {
  test('a header makes the line that parses to the same (property)', () => {
    const header = fc.record({ Subject: value, From: value, 'Message-ID': value, References: value });
    fc.assert(
      fc.property(fc.nat(), header, (number, record) => {
        const list = headerFields(
          octets(
            Object.entries(record)
              .map(([key, content]) => `${key}: ${content}\r\n`)
              .join(''),
          ),
        );
        const line = overviewLine(`${number}`, list);
        expect(line.at(-1)).toBe(0x0a);
        const entry = overviewEntry(line.subarray(0, -2), () => undefined);
        expect(entry.facts).toMatchObject({
          number,
          'message-id': record['Message-ID'],
          references: record.References,
        });
        expect(Buffer.from(entry.rawName).toString('latin1')).toBe(fieldNamed(list, 'subject'));
      }),
    );
  });

  test('no line makes it throw (property)', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (line, numbered) => {
        const entry = overviewEntry(
          numbered ? octets(`1\t${Buffer.from(line).toString('latin1')}`) : line,
          () => undefined,
        );
        expect(entry.kind).toMatch(/^(file|error)$/);
        expect(groupEntry(line, new Map(), () => undefined).kind).toBe('directory');
      }),
    );
  });
});
