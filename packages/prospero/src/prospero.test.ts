import { RetrievalError, type Reference } from '@retriever/driver';
import { driverConformance, testAccess } from '@retriever/driver/testing';
import { parse, type ProsperoUrl } from '@retriever/url';
import { describe, expect, test } from 'vitest';
import { ArdpServer } from '../testing/ardp-server.ts';
import { service, type Documents } from '../testing/documents.ts';
import { memoryNetwork } from '../testing/memory-network.ts';
import { replay } from '../testing/replay.ts';
import { udpPeer } from '../testing/udp-peer.ts';
import { visit } from '../testing/visit.ts';
import type { ProsperoOptions } from './options.ts';
import { prospero } from './prospero.ts';

const plain = ["INTRINSIC SIZE SEQUENCE 5' bytes'"];
const aftp = "INTRINSIC ACCESS-METHOD SEQUENCE AFTP INTERNET-D ftp.example ASCII '/pub/a b' BINARY";
const contents = "INTRINSIC ACCESS-METHOD SEQUENCE PROSPERO-CONTENTS '' '' '' ''";
const local = "INTRINSIC ACCESS-METHOD SEQUENCE LOCAL '' '' '' ''";
const link = (name: string, hsoname: string, type = 'L', host = 'LOCALHOST'): string =>
  `LINK  ${type} DIRECTORY ${name} INTERNET-D ${host} ASCII '${hsoname}' 0`;

const serving = (documents: Documents): ArdpServer => new ArdpServer(service(documents));

async function failureAt(documents: Documents, path: string, options?: ProsperoOptions): Promise<RetrievalError> {
  return visit(serving(documents), path, options).then(
    ({ retrieval }) => expect.unreachable(`a ${retrieval.kind}`),
    (error: unknown) => {
      expect(error).toBeInstanceOf(RetrievalError);
      return error as RetrievalError;
    },
  );
}

async function targets(methods: readonly string[]): Promise<string[]> {
  const attributes = methods.map((method) => `INTRINSIC ACCESS-METHOD SEQUENCE ${method}`);
  const { retrieval } = await visit(serving({ x: { attributes } }), '/x');
  expect(retrieval.kind).toBe('reference');
  const { target, alternatives = [] } = retrieval as Reference;
  return [target, ...alternatives];
}

describe('a URL (RFC 1738 §3.11)', () => {
  test('names an object by all between the first "/" and the first ";", decoded', async () => {
    const { said } = await visit(serving({ "/a;b'c ü": { links: [] } }), "//a%3Bb'c%20%FC;OBJECT-VERSION=3");
    expect(said[0]).toContain(
      "GET-OBJECT-INFO #ALL ASCII '/a;b''c \u00fc' 3\nDIRECTORY ASCII '/a;b''c \u00fc' 3\nLIST",
    );
  });

  test('may have the field ID, which selects the object', async () => {
    const { said } = await visit(serving({ x: { links: [] } }), '/x;ID=REMOTE%2055');
    expect(said[0]).toContain(
      '\nSELECT OBJECT FIELD ID REMOTE 55\nDIRECTORY ASCII x\nSELECT OBJECT FIELD ID REMOTE 55\nLIST',
    );
  });

  test.each([
    ['prospero://h/x;SIZE=3', 'unsupported'],
    ['prospero://h/x;OBJECT-VERSION=new', 'unsupported'],
    ['prospero://h/', 'unsupported'],
    ['prospero://h', 'unsupported'],
    ['prospero://user@h/x', 'unsupported'],
    ['prospero://h/x%00y', 'policy'],
    ['prospero://h/x%0ADELETE-LINK%20y', 'policy'],
    ['prospero://h/x%0D', 'policy'],
    ['prospero://h/x;ID=a%0Ab', 'policy'],
  ])('%s is refused before a datagram is sent', async (text, code) => {
    const network = memoryNetwork(() => undefined);
    const retrieving = prospero().retrieve({ url: parse(text) as ProsperoUrl }, network.access);
    await expect(retrieving).rejects.toMatchObject({ name: 'RetrievalError', code });
    expect(network.sent).toEqual([]);
  });
});

describe('access methods', () => {
  test.each([
    ["AFTP INTERNET-D FTP.EXAMPLE ASCII '/pub/a' TEXT", 'ftp://ftp.example/pub/a;type=a'],
    ['AFTP INTERNET-D ftp.example(2121) ASCII pub', 'ftp://ftp.example:2121/pub'],
    ["FTP INTERNET-D ftp.example ASCII '/etc/motd' BINARY", 'ftp://ftp.example/%2Fetc/motd;type=i'],
    ["GOPHER INTERNET-D g.example(71) ASCII '0/a b'", 'gopher://g.example:71/00/a%20b'],
    ["GOPHER INTERNET-D g.example ASCII '9/x' BINARY", 'gopher://g.example/99/x'],
    ["TELNET INTERNET-D t.example(2323) ASCII '' log' in as guest'", 'telnet://t.example:2323/'],
    ["WAIS INTERNET-D x ASCII 'WAIS-GW/w.example(8000)/TEXT/db/1%2F2'", 'wais://w.example:8000/db/TEXT/1%2F2'],
    ["PROSPERO-CONTENTS INTERNET-D other.example ASCII '/y'", 'prospero://other.example//y'],
    ['GOPHER', 'gopher://127.0.0.1/xx'],
  ])('%s is %s', async (method, url) => expect(await targets([method])).toEqual([url]));

  test('are alternatives in the server’s order', async () => {
    const methods = ['GOPHER INTERNET-D g ASCII 0x', 'LOCAL', 'AFTP INTERNET-D f ASCII x BINARY'];
    expect(await targets(methods)).toEqual(['gopher://g/00x', 'ftp://f/x;type=i']);
  });

  test.each([
    'LOCAL',
    "AFTP INTERNET-D 'a/b' ASCII x",
    'AFTP INTERNET-D h(99999) ASCII x',
    "AFTP INTERNET-D h ASCII 'x\ny'",
  ])('%s leads nowhere', async (method) => {
    const attributes = [`INTRINSIC ACCESS-METHOD SEQUENCE ${method}`];
    expect((await failureAt({ x: { attributes } }, '/x')).code).toBe('unsupported');
  });

  test('where there is only PROSPERO-CONTENTS, its octets are the content', async () => {
    const file = { attributes: [...plain, contents, local], contents: "it's\n" };
    const { retrieval } = await visit(serving({ x: file }), '/x');
    expect(retrieval.kind === 'content' && (await retrieval.body.text())).toBe("it's\n");
    expect((await failureAt({ x: file }, '/x', { contents: 'never' })).code).toBe('unsupported');
  });

  test('contents of another length than the object’s are no content', async () => {
    const file = { attributes: [...plain, contents], contents: 'cut' };
    expect((await failureAt({ x: file }, '/x')).code).toBe('incomplete');
  });

  test('contents come last, or first if wanted', async () => {
    const file = { attributes: [...plain, contents, aftp], contents: '12345' };
    expect((await visit(serving({ x: file }), '/x')).retrieval.kind).toBe('reference');
    expect((await visit(serving({ x: file }), '/x', { contents: 'first' })).retrieval.kind).toBe('content');
  });
});

describe('directories', () => {
  test('without links are empty listings', async () => {
    expect((await visit(serving({ x: { links: [] } }), '/x')).entries).toEqual([]);
  });

  test('hold links of other servers; a server that calls itself LOCALHOST means itself', async () => {
    const network = memoryNetwork(() =>
      serving({ x: { links: [link('a', 'A'), link('b', 'B', 'L', 'other(1600)')] } }),
    );
    const url = parse('prospero://far.example:1600/x') as ProsperoUrl;
    const retrieval = await prospero().retrieve({ url }, network.access);
    const urls: (string | undefined)[] = [];
    if (retrieval.kind === 'listing') for await (const entry of retrieval.entries) urls.push(entry.url);
    expect(urls).toEqual(['prospero://far.example/A', 'prospero://other:1600/B']);
  });

  test('list a union link, or merge what it leads to, once each', async () => {
    const documents = (port = 0): Documents => {
      const here = `127.0.0.1(${port})`;
      return {
        top: { links: [link('a', 'A', 'L', here), link('u', 'more', 'U', here), link('gone', 'gone', 'U', here)] },
        more: { links: [link('a', 'other', 'L', here), link('b', 'B', 'L', here), link('t', 'top', 'U', here)] },
      };
    };
    const listed = await visit(serving(documents(1)), '/top');
    expect(listed.entries.map(({ name, facts }) => [name, facts?.['union']])).toEqual([
      ['a', undefined],
      ['u', true],
      ['gone', true],
    ]);
    const network = memoryNetwork(() => serving(documents(1600)));
    const url = parse('prospero://127.0.0.1:1600/top') as ProsperoUrl;
    const merged = await prospero({ expandUnions: true }).retrieve({ url }, network.access);
    const names: string[] = [];
    if (merged.kind === 'listing') for await (const { name } of merged.entries) names.push(name);
    expect(names).toEqual(['a', 'gone', 'b']);
    expect(network.sent).toHaveLength(3);
  });

  test('unions are asked for only so often', async () => {
    let count = 0;
    const endless = new ArdpServer(() => `${link('u', `u${(count += 1)}`, 'U', 'h')}\n`);
    const network = memoryNetwork(() => endless);
    const driver = prospero({ expandUnions: true, maxUnions: 4 });
    await driver.retrieve({ url: parse('prospero://h/x') as ProsperoUrl }, network.access);
    expect(network.sent).toHaveLength(5);
  });
});

describe('FORWARDED', () => {
  test('is followed with the ID, to a host that the client dials', async () => {
    const network = memoryNetwork(({ host }) =>
      host === 'h' ? replay('forwarded-goi') : serving({ '/new/place': { links: [] } }),
    );
    const retrieval = await prospero().retrieve({ url: parse('prospero://h/x') as ProsperoUrl }, network.access);
    expect(retrieval.kind).toBe('listing');
    expect(network.endpoints[1]).toEqual({ host: 'other.example.org', port: 1526 });
    expect(Buffer.from(network.sent[2]!).toString('latin1')).toContain('SELECT OBJECT FIELD ID REMOTE 77\n');
  });

  test('in a circle, or on and on, ends', async () => {
    let count = 0;
    const on = memoryNetwork(() => new ArdpServer(() => `FORWARDED INTERNET-D h${(count += 1)} ASCII x 0\n`));
    const url = parse('prospero://h/x') as ProsperoUrl;
    await expect(prospero().retrieve({ url }, on.access)).rejects.toMatchObject({ code: 'limit' });
    expect(on.endpoints).toHaveLength(6);
    const round = memoryNetwork(() => new ArdpServer(() => 'FORWARDED INTERNET-D H ASCII x 0\n'));
    await expect(prospero().retrieve({ url }, round.access)).rejects.toMatchObject({ code: 'limit' });
    expect(round.endpoints).toHaveLength(1);
  });
});

describe('an answer', () => {
  test.each([
    ['FAILURE NOT-FOUND\n', 'not-found'],
    ['FAILURE NOT-AUTHORIZED\n', 'refused'],
    ["FAILURE AUTHENTICATION-REQUIRED Say' who'\n", 'credentials'],
    ['FAILURE constructor\n', 'refused'],
    ["ERROR Malformed' line'\n", 'refused'],
    ['VERSION-NOT-SUPPORTED TRY 1-5', 'unsupported'],
    ['', 'protocol'],
    ['WARNING MESSAGE Hello\nVERSION 5 x\n', 'protocol'],
    ["LINK  L FILE a INTERNET-D h ASCII 'b", 'protocol'],
    ['LINK  L FILE a\n', 'protocol'],
  ])('of %j is an error: %s', async (text, code) => {
    const error = await visit(new ArdpServer(() => text), '/x').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'RetrievalError', code });
  });
});

describe('a hostile server', () => {
  const listed = async (text: string): Promise<{ count: number; ms: number }> => {
    const network = memoryNetwork(() => new ArdpServer(() => text));
    const began = performance.now();
    const url = parse('prospero://h/x') as ProsperoUrl;
    const retrieval = await prospero().retrieve({ url }, network.access);
    let count = 0;
    if (retrieval.kind === 'listing') for await (const _ of retrieval.entries) count += 1;
    return { count, ms: performance.now() - began };
  };

  test.each([
    ['attributes of as many names', (at: number) => `ATTRIBUTE CACHED INTRINSIC N${at} SEQUENCE x\n`],
    ['access methods that stand for a long name', () => "ATTRIBUTE CACHED FIELD ACCESS-METHOD AFTP '' '' '' ''\n"],
  ])('cannot make a client work hard with %s', async (_, line) => {
    const name = '/'.repeat(2_000_000);
    const lines = Array.from({ length: 40_000 }, (_one, at) => line(at)).join('');
    const { count, ms } = await listed(`LINK  L EXTERNAL n INTERNET-D h ASCII '${name}' 0\n${lines}`);
    expect(count).toBe(1);
    expect(ms).toBeLessThan(5000);
  });

  test('names facts and methods like properties of objects in vain', async () => {
    const text =
      'LINK  L EXTERNAL n INTERNET-D h ASCII x 0\nATTRIBUTE CACHED FIELD ACCESS-METHOD constructor\n' +
      'ATTRIBUTE CACHED INTRINSIC __proto__ SEQUENCE x\nATTRIBUTE CACHED INTRINSIC toString SEQUENCE y\n';
    const { entries } = await visit(new ArdpServer(() => text), '/x');
    expect(entries[0]?.url).toBeUndefined();
    expect(Object.keys(entries[0]?.facts ?? {})).toEqual(['__proto__', 'tostring', 'target', 'access-methods']);
  });
});

describe('Archie', () => {
  test('answers as a directory; nothing but DIRECTORY and LIST is asked, since each command searches', async () => {
    const { entries, said } = await visit(replay('archie-match-v5'), '/ARCHIE/MATCH(95,95,95,0,S)/prospero');
    expect(said).toEqual([
      "VERSION 5 retriever\nAUTHENTICATE '' UNAUTHENTICATED anonymous\n" +
        "DIRECTORY ASCII 'ARCHIE/MATCH(95,95,95,0,S)/prospero'\nLIST ATTRIBUTES COMPONENTS\n",
    ]);
    expect(entries).toMatchObject([
      { name: 'prospero.tar.Z', url: 'ftp://ftp.funet.fi/pub/unix/prospero.tar.Z;type=i', size: 1234567 },
      {
        name: 'archie prospero.shar',
        url: 'ftp://plaza.aarnet.edu.au/usenet/comp%20sources/archie%20prospero.shar;type=i',
        modified: new Date('1992-01-01T00:00:00Z'),
      },
    ]);
  });
});

test('a gateway’s document, which cannot be listed, is asked about as an object', async () => {
  const name = 'GOPHER-GW/h(70)/0/0/about';
  const attributes = ["INTRINSIC ACCESS-METHOD SEQUENCE GOPHER INTERNET-D h(70) ASCII '0/about' TEXT"];
  const { retrieval, said } = await visit(serving({ [name]: { attributes } }), `/${name}`);
  expect(retrieval).toMatchObject({ kind: 'reference', target: 'gopher://h/00/about' });
  expect(said).toHaveLength(2);
});

describe('through real sockets', () => {
  test('an abort takes the request back at the server, and nothing stays open', async () => {
    const server = new ArdpServer(() => '', { mute: true });
    await using peer = await udpPeer(server);
    const controller = new AbortController();
    const access = testAccess({ signal: controller.signal });
    const url = parse(`prospero://127.0.0.1:${peer.port}/x`) as ProsperoUrl;
    setTimeout(() => controller.abort(), 30);
    await expect(prospero().retrieve({ url }, access)).rejects.toSatisfy((error) => error === controller.signal.reason);
    await expect.poll(() => server.cancelled).toBe(1);
  });

  for (const check of driverConformance({
    driver: prospero({ retransmitAfter: 10, maxSends: 2 }),
    url: () => 'prospero://127.0.0.1:9/x',
    kind: 'listing',
    hostileUrl: ({ port }) => `prospero://127.0.0.1:${port}/x%0D%0AQUIT`,
  }).filter(({ name }) => !name.startsWith('retrieves')))
    test(check.name, check.run);
});
