/**
 * What freeWAIS-sf 2.2.10 and 2.0.65 said to freeWAIS's own client and to a probe, said again. The driver is made to want what
 * the recorded client wanted; unless it asks for it octet for octet as that one did, it gets no answer.
 */
import { RetrievalError } from '@retriever/driver';
import { encode } from '@retriever/url';
import { describe, expect, test } from 'vitest';
import { capture, replay, requestsFrom, type Capture } from '../testing/capture.ts';
import { recordedRequest, type RecordedRequest } from '../testing/recorded-request.ts';
import { visit, type Visit } from '../testing/visit.ts';
import type { WaisOptions } from './index.ts';
import { writeWpath } from './wpath.ts';

/**
 * The driver sends what the recorded client did not: it asks for less than the agreed size of replies where that one asked for
 * too much (25, 31), puts in what that one left out (32), asks for one document at a time (36), or for the description besides.
 */
const asksOtherwise = ', asked for otherwise';

/** What comes of each wish of the recorded client. */
const outcomes: Readonly<Record<string, readonly string[]>> = {
  '01-init-search3-retrieve': ['3 documents', '489 octets'],
  '02-search0-nocat': ['0 documents'],
  '03-search0-catalog': ['1 documents'],
  '04-help-empty': ['2 documents', '502 octets', '2344 octets'],
  '05-help-question': ['2 documents'],
  '06-long-chunks': ['1 documents', '51159 octets', '51159 octets'],
  '10-range-errors': ['159 octets', 'range: SF Request out of range'],
  '11-docid-unknown-file': ['not-found: SF Missing DocID in request'],
  '12-docid-malformed-local': ['not-found: SF Missing DocID in request'],
  '13-docid-garbage': ['not-found: SF Missing DocID in request'],
  '14-docid-forbidden': ['not-found: SF Missing DocID in request'],
  '14b-docid-only-23': ['100 octets'],
  '14c-docid-fullpath-23': ['100 octets'],
  '15-bad-db-search': ['not-found: S1 The following database is not available: /srv/wais00/db/nosuchdb'],
  '16-bad-db-retrieve': ['incomplete: closed the connection where a reply was due'],
  '17-gif': ['1 documents', '16975 octets'],
  '18-noinit': ['1 documents'],
  '19-smallmax': ['2 documents'],
  '20-multitype': ['1 documents', '70 octets', '100 octets'],
  '21-nodb': ['1 documents'],
  '23-unknown-apdu': ['3 documents'],
  '24-misc-docs': ['3 documents', '1 documents', '1 documents', '1 documents', '4 documents'],
  '25-small-buffer-retrieve': [
    '1 documents',
    'incomplete: closed the connection where a reply was due, asked for otherwise',
    '1500 octets',
  ],
  '28-relevance-feedback': ['1 documents'],
  '29-html': ['1 documents', '104 octets'],
  '30-oneline': ['370 documents', '53 octets', '53 octets', '53 octets'],
  '31-huge': [
    '1 documents',
    'incomplete: closed the connection where a reply was due, asked for otherwise',
    '99000 octets',
    '1000 octets',
  ],
  '32-optional-omitted': [
    'incomplete: closed the connection where a reply was due, asked for otherwise',
    'incomplete: closed the connection where a reply was due, asked for otherwise',
    '50 octets',
  ],
  '33-wrong-db': ['50 octets'],
  '34-absolute-db': ['1 documents'],
  '35-type-mismatch': ['1 documents', '20 octets', '20 octets', '20 octets'],
  '36-multi-doc': ['3 documents', 'incomplete: closed the connection where a reply was due, asked for otherwise'],
  '37-maxdocs0': ['0 documents'],
  '39-stopword': ['9 documents', '4 documents'],
  '40-long-query': ['1 documents'],
  '41-latin1': ['1 documents', '1 documents'],
  '42-pipelined': ['incomplete: closed the connection where a reply was due'],
  '43-access-denied': ['refused: T2 Unautorized access to database: '],
  '46-url-type': ['1 documents', '104 octets', '4 documents', '3 documents', '2 documents', '3 documents'],
  '47-wais-next': ['3 documents', 'protocol: 107 octets came where 100 were asked for'],
  '48-unknown-length-8210': [
    '1 documents',
    '51159 octets',
    '51159 octets',
    '2 documents, asked for otherwise',
    '502 octets',
  ],
  '48-unknown-length-8212': [
    '1 documents',
    '51159 octets',
    '51159 octets',
    '2 documents, asked for otherwise',
    '533 octets',
  ],
  '49-init-variants': ['1 documents'],
  '49d-init-twice': ['1 documents', '1 documents'],
  '50-urlmap': ['2 documents', '1 documents', '1 documents', '2 documents, asked for otherwise'],
  'v2065-01-search': ['3 documents', '478 octets'],
  'v2065-02-0hits': ['0 documents', '1 documents', '2 documents, asked for otherwise'],
  'v2065-03-baddb-search': ['not-found: S1 The following database is not available: /srv/wais00/db20/nosuchdb'],
  'v2065-04-baddb-retrieve': ['not-found: S1 The following database is not available: nosuchdb'],
  'v2065-06-badid': ['not-found: SF Missing DocID in request'],
  'v2065-07-noinit': ['1 documents'],
  'waissearch-0hits': ['0 documents'],
  'waissearch-3hits': ['3 documents', '489 octets'],
  'waissearch-baddb': ['not-found: S1 The following database is not available: /srv/wais00/db/nosuchdb'],
  'waissearch-long': ['1 documents', '51159 octets'],
};

/** Documents read to their end without knowing it. */
const unknownLength = new Set(['48-unknown-length-8210', '48-unknown-length-8212']);

interface Wish {
  readonly url: string;
  readonly options: WaisOptions;
  readonly range?: { readonly start: number };
}

/** Requests of consecutive ranges of one document are one wish. */
function wishesOf({ name, requests }: Capture): Wish[] {
  const wishes: Wish[] = [];
  let last: RecordedRequest | undefined;
  for (const request of requests.map((message) => recordedRequest(message))) {
    const goesOn = last?.kind === 'document' && last.end === request.start && last.docId.equals(request.docId);
    if (request.kind === 'search') wishes.push(searchWish(request));
    else if (request.kind === 'document' && request.end > request.start) {
      const [before] = goesOn && !wishes.at(-1)?.range ? wishes.splice(-1) : [];
      wishes.push(documentWish(request, before, !unknownLength.has(name)));
    }
    last = request;
  }
  return wishes;
}

const searchWish = ({ database, words, maxDocuments }: RecordedRequest): Wish => ({
  url: `/${encode(database)}?${encode(words).replaceAll('+', '%2B')}`,
  options: { maxDocuments },
});

function documentWish(request: RecordedRequest, before: Wish | undefined, isLengthKnown: boolean): Wish {
  const { database, type, docId, start, end } = request;
  const wpath = writeWpath({ docId, length: isLengthKnown ? end : 0 });
  return {
    url: `/${encode(database)}/${encode(type)}/${wpath}`,
    options: before?.options ?? { chunkBytes: end - start },
    ...(start > 0 && !before && isLengthKnown && { range: { start } }),
  };
}

async function outcomeOf(there: Visit, { url, range }: Wish): Promise<string> {
  try {
    const retrieval = await there.retrieve(url, { range });
    if (retrieval.kind === 'content') return `${(await retrieval.body.bytes()).length} octets`;
    if (retrieval.kind !== 'listing') return retrieval.kind;
    let count = 0;
    for await (const _ of retrieval.entries) count += 1;
    return `${count} documents`;
  } catch (error) {
    if (!(error instanceof RetrievalError)) throw error;
    return `${error.code}: ${error.reply?.text ?? error.message.replace(/;.*$/, '').replace('127.0.0.1 ', '')}`;
  }
}

describe('what was recorded with freeWAIS-sf', () => {
  for (const [name, expected] of Object.entries(outcomes)) {
    test(name, async () => {
      const recorded = capture(name);
      const got: string[] = [];
      for (const wish of wishesOf(recorded)) {
        const { script, strangers } = replay(recorded);
        await using there = await visit(script, wish.options);
        got.push((await outcomeOf(there, wish)) + (strangers.length > 0 ? asksOtherwise : ''));
      }
      expect(got).toEqual(expected);
    });
  }
});

async function replaying(
  name: string,
  play: (visit: Visit) => Promise<void>,
  options?: WaisOptions,
): Promise<Buffer[]> {
  const { script, strangers, requests } = replay(capture(name));
  await using there = await visit(script, { maxDocuments: 40, ...options });
  await play(there);
  expect(strangers.map((request) => request.toString('latin1'))).toEqual([]);
  return requests;
}

describe('the three forms of RFC 1738 §3.9', () => {
  test('01: a search finds three documents, and the URL of the first leads to its octets on the same connection', async () => {
    const requests = await replaying('01-init-search3-retrieve', async (there) => {
      const entries = await there.entries('/testdb?zanzibar');
      expect(entries.map(({ name, size, mediaType, facts }) => [name, size, mediaType, facts])).toEqual([
        ['Brass instruments in marching bands', 489, 'text/plain', { score: 300, lines: 8, types: 'TEXT' }],
        ['Night trains across the plain', 478, 'text/plain', { score: 297, lines: 8, types: 'TEXT' }],
        ['Glass blowing in the old town', 482, 'text/plain', { score: 288, lines: 8, types: 'TEXT' }],
      ]);
      expect(entries[0]?.url).toBe(
        `${there.base}/testdb/TEXT/489/1=vm%3A8210;2=/srv/wais00/db/testdb;3=0%20489%20/srv/wais00/data/docs/brass.txt;` +
          '4=vm%3A8210;5=/srv/wais00/db/testdb;6=0%20489%20/srv/wais00/data/docs/brass.txt;7=%00;',
      );
      const { body, metadata } = await there.content(entries[0]!.url!);
      expect(metadata).toMatchObject({ size: 489, mediaType: 'text/plain' });
      expect(await body.text()).toMatch(/^Brass instruments[^]*beacon harbour\.\n$/);
      expect(there.peer.connections).toBe(1);
    });
    const { requests: recorded } = capture('01-init-search3-retrieve');
    expect(requests.slice(1)).toEqual(recorded.slice(1));
    // Options 80: search and nothing else. The sizes are the recorded ones; the names are our own.
    expect(requests[0]?.subarray(27, 44)).toEqual(recorded[0]?.subarray(27, 44));
  });

  test('04: a database describes itself', async () => {
    const requests = await replaying('04-help-empty', async (there) => {
      const listing = await there.listing('/testdb');
      const entries: unknown[] = [];
      for await (const { name, mediaType, facts } of listing.entries) entries.push([name, mediaType, facts?.['role']]);
      expect(entries).toEqual([
        ['Information on database: testdb', 'application/x-wais-source', 'description'],
        ['Catalog for database: testdb', 'text/plain', 'catalogue'],
      ]);
      expect(listing.metadata.mediaType).toBe('application/x-wais-source');
      expect(await listing.body.text()).toMatch(/^\s+\(:source[^]*:database-name "testdb"/);
    });
    expect(requests.slice(1)).toEqual(capture('04-help-empty').requests.slice(1, 3));
  });

  test('06: a document comes in chunks, one after another, to its exact length', () =>
    replaying('06-long-chunks', async (there) => {
      const [entry] = await there.entries('/testdb?leviathan');
      const octets = await there.octets(entry!.url!);
      expect(octets).toHaveLength(51_159);
      expect(octets.toString('latin1').split('\n').at(-2)).toMatch(/^line 006\d\d leviathan /);
    }));

  test('17: a GIF comes as it is', () =>
    replaying('17-gif', async (there) => {
      const [entry] = await there.entries('/testdb?bigpic');
      const { body, metadata } = await there.content(entry!.url!);
      const octets = Buffer.from(await body.bytes());
      expect(metadata).toEqual({ size: 16_975, mediaType: 'image/gif' });
      expect(octets.toString('latin1', 0, 6)).toBe('GIF87a');
      expect(octets.at(-1)).toBe(0x3b);
    }));
});

describe('pitfalls', () => {
  test('03: the catalogue in place of a result is marked', () =>
    replaying('03-search0-catalog', async (there) => {
      const [entry] = await there.entries('/testdb?xyzzyplugh');
      expect(entry?.facts).toMatchObject({ score: 0, noResult: true, role: 'catalogue' });
    }));

  test('05: a diagnostic beside records is a note', () =>
    replaying('05-help-question', async (there) => {
      expect(await there.entries('/testdb?%3F')).toHaveLength(2);
      expect(there.notes()).toEqual([expect.stringMatching(/^beside the records: S1 /)]);
    }));

  test('10: text with "out of range" beside it is the end of the document', () =>
    replaying(
      '10-range-errors',
      async (there) => {
        const { docId } = recordedRequest(capture('10-range-errors').requests[1]!);
        const url = `/testdb/TEXT/${writeWpath({ docId, length: 60_000 })}`;
        const { metadata, body } = await there.content(url, { range: { start: 51_000 } });
        expect(metadata).toMatchObject({ size: 51_159, range: { start: 51_000, end: 51_158 } });
        expect(await body.bytes()).toHaveLength(159);
        expect(there.notes()).toEqual(['the URL says that the document has 60000 octets; the server says 51159']);
      },
      { chunkBytes: 9000 },
    ));

  test('20: a document of two types has a URL for each', () =>
    replaying(
      '20-multitype',
      async (there) => {
        const [entry] = await there.entries('/multi?zanzibar');
        expect(entry?.facts?.['types']).toBe('TEXT,GIF');
        expect(entry?.url).toContain('/multi/TEXT/482/1=');
        expect(entry?.facts?.['url.GIF']).toContain('/multi/GIF/0/1=');
        const { body, metadata } = await there.content(String(entry?.facts?.['url.GIF']).replace('/0/', '/70/'));
        expect(metadata).toEqual({ size: 70, mediaType: 'image/gif' });
        expect(Buffer.from(await body.bytes()).toString('latin1')).toMatch(/^GIF87a[^]{64}$/);
      },
      { chunkBytes: 70 },
    ));

  test('22: Result 0 is no obstacle', () =>
    replaying(
      '49-init-variants',
      async (there) => {
        expect(await there.entries('/nocat?zanzibar')).toHaveLength(1);
        expect(there.notes()).toContain('127.0.0.1 did not accept Init; searching all the same');
      },
      { maxDocuments: 1 },
    ));

  test('21: without a database the list of databases is searched', () =>
    replaying('21-nodb', async (there) => {
      expect(await there.entries('/?testdb')).toMatchObject([
        { name: 'testdb.src', url: expect.stringContaining('//WSRC/502/1=') },
      ]);
    }));

  test('34: a slash in a database is escaped in the URLs of its documents', () =>
    replaying(
      '34-absolute-db',
      async (there) => {
        const [entry] = await there.entries('/%2Fsrv%2Fwais00%2Fdb%2Fnocat?zanzibar');
        expect(entry?.url).toContain('/%2Fsrv%2Fwais00%2Fdb%2Fnocat/TEXT/489/1=');
      },
      { maxDocuments: 1 },
    ));

  test('41: Latin-1 goes out and comes back as octets', () =>
    replaying('41-latin1', async (there) => {
      const [entry] = await there.entries('/testdb?na%EFve');
      expect(entry?.name).toMatch(/^Café c/);
      expect(Buffer.from(entry!.rawName).toString('latin1')).toMatch(/^Caf\xE9 c/);
    }));

  test('46: a document of type URL leads elsewhere', () =>
    replaying('46-url-type', async (there) => {
      const [entry] = await there.entries('/urls?wombat');
      expect(entry).toMatchObject({ kind: 'link', url: 'http://example.test/www/page.html' });
    }));

  test('48: a document of unknown length is read to its end', () =>
    replaying('48-unknown-length-8212', async (there) => {
      const { docId } = recordedRequest(capture('48-unknown-length-8212').requests[2]!);
      const rfc = `/testdb/TEXT/${encode(docId)}`;
      const { body, metadata } = await there.content(rfc);
      expect(metadata).toEqual({ mediaType: 'text/plain' });
      expect(await body.bytes()).toHaveLength(51_159);
    }));
});

describe('replies to other clients', () => {
  /** The reply to Init, then one that was recorded after some other request. */
  const answering = (
    name: string,
    at: number,
    init: Buffer | undefined = capture('01-init-search3-retrieve').replies[0],
  ) =>
    visit(async (connection) => {
      const answers = [init!, capture(name).replies[at]!];
      for await (const _ of requestsFrom(connection.socket)) await connection.send(answers.shift() ?? '');
    });

  test('26: documents have no types from a server that speaks version 1 of the message header', async () => {
    await using there = await answering('26-header-variants', 2);
    const [entry] = await there.entries('/nocat?zanzibar');
    expect(entry).toMatchObject({ mediaType: 'text/plain', url: expect.stringContaining('/nocat/TEXT/489/1=') });
    expect(entry?.facts).not.toHaveProperty('types');
  });

  test('27: hexadecimal digits are no message that was asked for', async () => {
    await using there = await answering('27-hex-encoding', 0);
    await expect(there.entries('/nocat?zanzibar')).rejects.toMatchObject({ code: 'protocol' });
  });

  test.each(['08-whole-no-chunk', 'v2065-05-nochunk'])(
    '%s: neither text nor a diagnostic, whatever the count',
    async (name) => {
      await using there = await answering(name, 1);
      await expect(there.content('/testdb/TEXT/1/3=x;')).rejects.toMatchObject({ code: 'protocol' });
    },
  );
});
