/** Against a server of our own, which errs on demand. */
import { RetrievalError, type Entry } from '@retriever/driver';
import { describe, expect, test } from 'vitest';
import {
  allOctets,
  diagnostic,
  documentPath,
  framed,
  pixel,
  searchResponse,
  serving,
  value,
  type Faults,
} from '../testing/library-server.ts';
import { visit } from '../testing/visit.ts';
import type { WaisOptions } from './index.ts';

async function failureOf(promise: Promise<unknown>): Promise<RetrievalError> {
  const error = await promise.then(
    (value) => new Error(`it succeeded: ${String(value)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof RetrievalError)) throw error;
  return error;
}

/** What comes of a document when the server errs. */
async function failing(faults: Faults, path: string, options?: WaisOptions): Promise<RetrievalError> {
  await using there = await visit(serving(faults), options);
  return await failureOf(there.octets(path));
}

/** The entries of a search that is answered with this. */
async function found(reply: Buffer | undefined): Promise<{ entries: Entry[]; notes: string[] }> {
  await using there = await visit(serving({ alter: (usual, at) => (at === 0 ? usual : reply) }));
  return { entries: await there.entries('/db?apple'), notes: there.notes() };
}

const text = documentPath(0, 'TEXT', 10);
const binary = documentPath(2, 'BIN', 1000);

describe('a database', () => {
  test('is its description and its catalogue', async () => {
    await using there = await visit(serving());
    const entries = await there.entries('/db');
    expect(entries.map(({ name, url }) => [name, url])).toEqual([
      ['Information on database: db', `${there.base}/db/WSRC/41/2=demo;3=src;7=%00;`],
      ['Catalog for database: db', `${there.base}/db/TEXT/50/2=demo;3=cat;7=%00;`],
    ]);
    expect((await there.octets(entries[1]!.url!)).toString()).toBe(
      'A short text\nA picture of an apple\nOctets\nNothing\n',
    );
    expect(there.dialogue()).toEqual([
      '> Init for search, replies up to 100000 octets',
      '< InitResponse accepted, replies up to 100000 octets, a small WAIS server',
      '> Search "db" for nothing, 200 documents at most',
      '< SearchResponse with 2 records',
      '> Search "db" for a WSRC document, octets 0 to 41',
      '< SearchResponse with 41 octets of text',
      '> Search "db" for a TEXT document, octets 0 to 50',
      '< SearchResponse with 50 octets of text',
    ]);
  });

  test('that does not describe itself is to be searched', async () => {
    await using there = await visit(serving({ alter: (reply, at) => (at === 0 ? reply : searchResponse('')) }));
    expect(await there.entries('/db')).toMatchObject([{ name: 'db', kind: 'search', url: `${there.base}/db` }]);
  });

  test('is worth listing when its description is not to be had', async () => {
    const alter: Faults['alter'] = (reply, at) => (at < 2 ? reply : searchResponse(diagnostic('SFNo')));
    await using there = await visit(serving({ alter }));
    const listing = await there.listing('/db');
    expect(await listing.body.text()).toContain('Catalog for database: db\twais://');
    expect(there.notes()).toEqual([expect.stringContaining('not to be had')]);
  });

  test('that is not there is not found', async () => {
    await using there = await visit(serving());
    expect(await failureOf(there.entries('/nosuch'))).toMatchObject({ code: 'not-found', reply: { text: /S1/ } });
  });

  test.each(['/a%40host', '/a%1Fb', '/a%1Eb', '/a%00', '/a%0D%0A', '/db?a%0Ab', '/db/TE%00XT/1=2;'])(
    'with a name that means something else is refused before a packet leaves: %s',
    async (path) => {
      await using there = await visit(serving());
      expect(await failureOf(there.retrieve(path))).toMatchObject({ code: 'policy' });
      expect(there.peer.connections).toBe(0);
    },
  );
});

describe('a search', () => {
  test('is a listing with a URL for each document in each of its types', async () => {
    await using there = await visit(serving());
    const entries = await there.entries('/db?apple+described');
    expect(entries).toMatchObject([
      {
        name: 'A picture of an apple',
        kind: 'file',
        size: 30,
        mediaType: 'text/plain',
        facts: { score: 2000, lines: 1, types: 'TEXT,GIF' },
      },
      { name: 'A short text', size: 10, facts: { score: 1000 } },
    ]);
    const gif = await there.content(String(entries[0]?.facts?.['url.GIF']));
    expect(gif.metadata).toEqual({ mediaType: 'image/gif', size: pixel.length });
    expect(Buffer.from(await gif.body.bytes())).toEqual(pixel);
    expect(there.peer.connections).toBe(1);
  });

  test('has a line of text for each document', async () => {
    await using there = await visit(serving());
    const { body, metadata } = await there.listing('/db?pie');
    expect(await body.text()).toBe(`1000\t1\t10\tTEXT\tA short text\t${there.base}${text}\n`);
    expect(metadata.mediaType).toBe('text/plain');
  });

  test('asks for no more documents than wanted, and says when there may be more', async () => {
    await using there = await visit(serving(), { maxDocuments: 1 });
    expect(await there.entries('/db?apple')).toHaveLength(1);
    expect(there.notes()).toEqual([expect.stringContaining('there may be more')]);
  });

  test('of which only the metadata is wanted has no entries', async () => {
    await using there = await visit(serving());
    expect(await there.entries('/db?apple', { metadataOnly: true })).toEqual([]);
  });

  test.each([0, 1, 2, 255])('believes what is there, not the count: %i', async (count) => {
    const header = value(150, value(116, value(3, 'x')) + value(123, 'One'));
    expect((await found(searchResponse(header, count))).entries).toMatchObject([{ name: 'One' }]);
  });

  test('passes over tags that nobody knows', async () => {
    const header = value(150, value(500, 'new') + value(116, value(3, 'x')) + value(123, 'One') + value(13, ''));
    const { entries } = await found(searchResponse(value(160, 'abc') + header + value(20_000, 'x'.repeat(300))));
    expect(entries).toMatchObject([{ name: 'One' }]);
  });

  test('takes a doc-id that is not made of tagged values for what it is: octets', async () => {
    const header = value(150, value(116, '\xff/;=%?\0') + value(123, 'One'));
    const { entries } = await found(searchResponse(header));
    expect(entries[0]?.url).toMatch(/\/db\/TEXT\/%FF%2F%3B%3D%25%3F%00$/);
  });

  test('has no URL for a document without a doc-id', async () => {
    const { entries } = await found(searchResponse(value(150, value(123, 'One'))));
    expect(entries[0]).toMatchObject({ name: 'One', kind: 'other' });
    expect(entries[0]).not.toHaveProperty('url');
  });

  test('makes no link of a headline that would act on the reader', async () => {
    const types = value(132, value(133, 'URL'));
    const { entries } = await found(
      searchResponse(value(150, value(116, value(3, 'x')) + types + value(123, 'javascript:alert(1)'))),
    );
    expect(entries[0]).toMatchObject({
      kind: 'link',
      linkTarget: 'javascript:alert(1)',
      url: expect.stringMatching(/^wais:/),
    });
  });

  test('takes no more types of a document than anybody has, however many are named', async () => {
    const blocks = value(132, value(133, 'TEXT')).repeat(20_000);
    const header = value(150, value(116, value(3, 'x'.repeat(100_000))) + blocks);
    const { entries } = await found(searchResponse(header));
    expect(Object.keys(entries[0]?.facts ?? {})).toEqual(['types', 'url.TEXT']);
    expect(entries[0]?.facts?.['types']).toBe(Array(16).fill('TEXT').join(','));
  });

  test('with more records than anybody asked for is over the limit', async () => {
    expect(await failureOf(found(searchResponse(value(150, '').repeat(10_001))))).toMatchObject({ code: 'limit' });
  });

  test('shows diagnostics beside records as notes, and alone as an error', async () => {
    const header = value(150, value(116, value(3, 'x')) + value(123, 'One'));
    const { entries, notes } = await found(searchResponse(header + diagnostic('S1query syntax error'), 1));
    expect(entries).toHaveLength(1);
    expect(notes).toEqual(['beside the records: S1 query syntax error']);
    expect(await failureOf(found(searchResponse(diagnostic('S1query syntax error'))))).toMatchObject({
      code: 'refused',
    });
    expect(await failureOf(found(searchResponse(diagnostic('T2Unauthorized'))))).toMatchObject({
      code: 'refused',
      temporary: false,
      reply: { text: 'T2 Unauthorized' },
    });
  });

  test('keeps a headline from looking like another line of the listing', async () => {
    const header = value(150, value(116, value(3, 'x')) + value(123, 'One\n9999\tTwo'));
    await using there = await visit(serving({ alter: (reply, at) => (at === 0 ? reply : searchResponse(header)) }));
    const { body } = await there.listing('/db?x');
    expect((await body.text()).split('\n')).toHaveLength(2);
  });
});

describe('a document', () => {
  test.each([1, 7, 333, 500, 999, 1000, 5000])('comes whole in chunks of %i octets', async (chunkBytes) => {
    await using there = await visit(serving(), { chunkBytes });
    const { metadata, body } = await there.content(binary);
    expect(metadata).toEqual({ size: 1000, mediaType: 'application/octet-stream' });
    expect(Buffer.from(await body.bytes())).toEqual(allOctets);
    expect(there.access.idle.size).toBe(1);
  });

  test.each([250, 333, 1000, 1001])(
    'of unknown length ends where the server says, in chunks of %i octets',
    async (chunkBytes) => {
      await using there = await visit(serving(), { chunkBytes });
      expect(await there.octets('/db/BIN/%02%04demo%03%012%07%01%00')).toEqual(allOctets);
    },
  );

  test('may be empty', async () => {
    await using there = await visit(serving());
    expect(await there.octets(documentPath(3, 'TEXT', 0))).toHaveLength(0);
  });

  test('is asked for one request at a time', async () => {
    let open = 0;
    const most: number[] = [];
    const faults: Faults = {
      heed: () => void most.push((open += 1)),
      alter: (reply) => {
        open -= 1;
        return reply;
      },
    };
    await using there = await visit(serving(faults), { chunkBytes: 100 });
    await there.octets(binary);
    expect(Math.max(...most)).toBe(1);
    expect(most).toHaveLength(11);
  });

  test.each([
    [{ start: 10 }, 10, 999],
    [{ start: 10, end: 19 }, 10, 19],
    [{ start: 990, end: 5000 }, 990, 999],
    [{ suffix: 7 }, 993, 999],
  ])('has ranges: %j', async (range, start, end) => {
    await using there = await visit(serving(), { chunkBytes: 64 });
    const { metadata, body } = await there.content(binary, { range });
    expect(metadata).toMatchObject({ size: 1000, range: { start, end } });
    expect(Buffer.from(await body.bytes())).toEqual(allOctets.subarray(start, end + 1));
  });

  test('has no octets beyond its end', async () => {
    await using there = await visit(serving());
    expect(await failureOf(there.retrieve(binary, { range: { start: 1000 } }))).toMatchObject({ code: 'range' });
  });

  test('shows by one octet that it is there when only the metadata is wanted', async () => {
    await using there = await visit(serving());
    const { metadata, body } = await there.content(binary, { metadataOnly: true });
    expect(metadata).toEqual({ size: 1000, mediaType: 'application/octet-stream' });
    expect(await body.bytes()).toHaveLength(0);
    expect(there.dialogue().at(-2)).toContain('octets 0 to 1');
  });

  test('in the first of the types that libwww joins with commas', async () => {
    await using there = await visit(serving());
    expect((await there.octets('/db/TEXT,GIF/30/2=demo;3=1;7=%00;')).toString()).toBe(
      'an apple, described at length\n',
    );
  });

  test('is as long as the server says when the URL of another type says otherwise', async () => {
    await using there = await visit(serving());
    const { metadata, body } = await there.content(documentPath(1, 'GIF', 3000));
    expect(metadata.size).toBe(pixel.length);
    expect(Buffer.from(await body.bytes())).toEqual(pixel);
  });

  test('that is not there is not found', async () => {
    expect(await failing({}, documentPath(99, 'TEXT', 5))).toMatchObject({ code: 'not-found' });
  });

  test('whose database makes freeWAIS crash says so', async () => {
    const error = await failing({ alter: (reply, at) => (at === 0 ? reply : undefined) }, text);
    expect(error).toMatchObject({ code: 'incomplete', message: expect.stringContaining('database does not exist') });
  });

  test('without text or diagnostic is a breach of protocol', async () => {
    expect(await failing({ alter: (reply, at) => (at === 0 ? reply : searchResponse('')) }, text)).toMatchObject({
      code: 'protocol',
    });
  });

  test('is asked for half as much once where the reply would be too long', async () => {
    await using there = await visit(serving({ maxMessageBytes: 700 }), { chunkBytes: 1000 });
    expect(await there.octets(binary)).toEqual(allOctets);
    const asked = there.dialogue().flatMap((line) => /^> .*document, octets (.*)$/.exec(line)?.[1] ?? []);
    expect(asked).toEqual(['0 to 1000', '0 to 500', '500 to 1000']);
    expect(await failing({ maxMessageBytes: 300 }, binary, { chunkBytes: 1000 })).toMatchObject({ code: 'refused' });
  });

  test('is asked for in chunks that fit the agreed size', async () => {
    await using there = await visit(serving({ maxMessageBytes: 500 }), { messageBytes: 500 });
    expect(await there.octets(binary)).toEqual(allOctets);
    expect(there.dialogue()).not.toContain('< an empty reply');
  });

  test('that breaks off is incomplete', async () => {
    // The second chunk is refused, empty, short, too long.
    const chunks = [
      ['incomplete', searchResponse(diagnostic('SFMissing DocID in request'))],
      ['incomplete', searchResponse(value(153, value(127, '')))],
      ['incomplete', searchResponse(value(153, value(127, 'x'.repeat(99))))],
      ['protocol', searchResponse(value(153, value(127, 'x'.repeat(101))))],
      ['incomplete', searchResponse(value(153, value(127, 'x'.repeat(99))) + diagnostic('SFRequest out of range'))],
    ] as const;
    for (const [code, chunk] of chunks) {
      const alter: Faults['alter'] = (reply, at) => (at < 2 ? reply : chunk);
      expect((await failing({ alter }, binary, { chunkBytes: 100 })).code).toBe(code);
    }
  });

  test.each([
    '/db/TEXT',
    '/db/TEXT/',
    '/db/TEXT/12/no/docid',
    '/db/TEXT/99999999999999999999/1=a;',
    '/db/TEXT/1/999999999999=a;',
  ])('without a doc-id that can be read is asked of nobody: %s', async (path) => {
    await using there = await visit(serving());
    expect(await failureOf(there.retrieve(path))).toMatchObject({ code: 'unsupported' });
    expect(there.peer.connections).toBe(0);
  });

  test('longer than allowed is not begun, or goes no further', async () => {
    expect(await failing({}, binary, { maxDocumentBytes: 999 })).toMatchObject({ code: 'limit' });
    expect(await failing({}, documentPath(2, 'BIN', 0), { maxDocumentBytes: 300, chunkBytes: 100 })).toMatchObject({
      code: 'limit',
    });
  });

  test('cancelled between chunks leaves the session to the next', async () => {
    await using there = await visit(serving(), { chunkBytes: 100 });
    await (await there.content(binary)).body.cancel();
    await there.octets(text);
    expect(there.peer.connections).toBe(1);
  });
});

describe('a server', () => {
  test('that closed meanwhile is connected to again', async () => {
    let replies = 0;
    await using there = await visit(serving({ alter: (reply) => ((replies += 1) === 3 ? undefined : reply) }));
    await there.octets(text);
    await there.octets(text);
    expect(there.peer.connections).toBe(2);
  });

  test('that closes within its reply, after whatever octet, fails the retrieval', async () => {
    for (const path of [text, '/db?pie']) {
      let octets = 0;
      const count: Faults['alter'] = (reply) => {
        octets += reply.length;
        return reply;
      };
      await using whole = await visit(serving({ alter: count }));
      await whole.retrieve(path);
      for (let truncateAt = 0; truncateAt < octets; truncateAt++) {
        await using there = await visit(serving({ truncateAt }));
        expect((await failureOf(there.retrieve(path))).code, `after ${truncateAt} octets`).toBe('incomplete');
      }
    }
  }, 60_000);

  test('that knows no Init is asked all the same', async () => {
    await using there = await visit(serving({ alter: (reply, at) => (at === 0 ? framed('') : reply) }));
    expect((await there.octets(text)).toString()).toBe('apple pie\n');
  });

  test.each([
    ['Z39.50', '\xb5\x82\x01\x00\x80', /Z39\.50/],
    ['Z39.50 that closes', '\xbf\x30\x00', /Z39\.50/],
    ['HTTP', 'HTTP/1.0 400 Bad Request\r\n\r\n', /not a WAIS message/],
    ['FTP', '220 ready\r\n', /not a WAIS message/],
    ['an acknowledgement', '0000000000n2wais        0', /type "n"/],
    ['version 3 of the header', '0000000000z3wais        0', /version "3"/],
    ['compression', '0000000004z2wais      u 0', /compression "u"/],
    ['hexadecimal digits', '0000000004z2wais       h0', /encoding "h"/],
    ['another PDU', `0000000003z2wais        0\0\x01\x17`, /searchResponse where initResponse was due/],
    ['a length beyond the message', `0000000003z2wais        0\0\x09\x15`, /9 octets stands where 1 are left/],
    ['an endless number', '0000000009z2wais        0\0\x07\x15\x01\xff\xff\xff\xff\xff', /more than 4 octets/],
  ])('that speaks %s breaks the protocol', async (_, octets, message) => {
    await using there = await visit(async (connection) => {
      await connection.send(octets);
      await connection.closed();
    });
    expect(await failureOf(there.octets(text))).toMatchObject({
      code: 'protocol',
      message: expect.stringMatching(message),
    });
  });

  test('that announces too long a message is not listened to', async () => {
    await using there = await visit(async (connection) => {
      await connection.send('9999999999z2wais        0');
      await connection.closed();
    });
    expect(await failureOf(there.octets(text))).toMatchObject({ code: 'limit' });
  });

  test('that talks unasked is left', async () => {
    await using there = await visit(
      serving({ alter: (reply, at) => (at === 1 ? Buffer.concat([reply, framed('')]) : reply) }),
    );
    await there.octets(text);
    await there.octets(text);
    expect(there.peer.connections).toBe(2);
  });
});
