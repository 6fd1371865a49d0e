import { decode } from '@retriever/url';
import { describe, expect, test } from 'vitest';
import { concatenated, numberOf, Octets, tagged } from './tagged.ts';
import { readWpath, writeWpath } from './wpath.ts';

const latin1 = (octets: Uint8Array): string => Buffer.from(octets).toString('latin1');
const octets = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('the wpath (RFC 1738 §3.9)', () => {
  const libwww = '489/1=vm%3A8210;2=/srv/wais00/db/testdb;3=0%20489%20/srv/brass.txt;7=%00;';
  const docId = octets('\x01\x07vm:8210\x02\x15/srv/wais00/db/testdb\x03\x140 489 /srv/brass.txt\x07\x01\x00');

  test('is read and written in the spelling of libwww', () => {
    const path = readWpath(libwww);
    expect(path.length).toBe(489);
    expect(latin1(path.docId)).toBe(latin1(docId));
    expect(writeWpath({ docId, length: 489 })).toBe(libwww);
  });

  test('is read in the spelling of RFC 1738: the octets of the doc-id, escaped', () => {
    const rfc = Array.from(docId, (octet) => `%${octet.toString(16).padStart(2, '0')}`).join('');
    expect(readWpath(rfc)).toEqual({ docId: decode(rfc), length: 0 });
    expect(latin1(readWpath(rfc).docId)).toBe(latin1(docId));
  });

  test('has values of 128 octets and more, whose length takes two octets', () => {
    const long = concatenated([tagged(3, octets('\xe9'.repeat(200)))]);
    expect(latin1(long.subarray(0, 3))).toBe('\x03\x81\x48');
    expect(latin1(readWpath(writeWpath({ docId: long, length: 1 })).docId)).toBe(latin1(long));
  });

  test('keeps a value that holds what separates values', () => {
    expect(latin1(readWpath('1/3=a=b/c%3Bd%2f;').docId)).toBe('\x03\x08a=b/c;d/');
  });

  test('is written in the spelling of RFC 1738 when the doc-id would not come back octet for octet', () => {
    // A length of 1 in two octets.
    expect(writeWpath({ docId: octets('\x03\x80\x01a'), length: 5 })).toBe('%03%80%01a');
    expect(writeWpath({ docId: octets('no tags'), length: 5 })).toBe('no%20tags');
  });
});

describe('tagged values', () => {
  test('are not BER: 81 05 is 133, 200 takes one octet, C8', () => {
    expect(latin1(tagged(133, 200))).toBe('\x81\x05\x01\xc8');
    expect(new Octets(octets('\x81\x05\x01\xc8')).tagged()).toEqual({ tag: 133, value: octets('\xc8') });
    expect(numberOf(octets('\xff\xff\xff\xff'), 'it')).toBe(4_294_967_295);
    expect(latin1(tagged(6, 100_000))).toBe('\x06\x03\x01\x86\xa0');
  });

  test.each(['', '\x81', '\x01', '\x01\x02a', '\x80\x80\x80\x80\x01\x00'])(
    'end within what they are in: %j',
    (broken) => {
      expect(() => new Octets(octets(broken)).tagged()).toThrow(expect.objectContaining({ code: 'protocol' }));
    },
  );
});
