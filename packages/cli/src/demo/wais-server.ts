/**
 * A WAIS server small enough to read: one database of documents at hand, answered as freeWAIS-sf answers (RFC 1625). It reads
 * and writes the protocol with code of its own, so that a mistake of the driver's is not made twice.
 */

/** A document in all its types, the first first. */
export interface WaisDocument {
  readonly headline: string;
  readonly types: Readonly<Record<string, Uint8Array>>;
}

export interface WaisLibrary {
  readonly database: string;
  readonly documents: readonly WaisDocument[];
  /** What the database says of itself. */
  readonly description: string;
}

/** The answer to one message, headers included in both; undefined where freeWAIS-sf would close the connection. */
export function waisAnswer(message: Buffer, library: WaisLibrary): Buffer | undefined {
  const octets = message.subarray(headerOctets);
  const length = octets.readUInt16BE(0) + 2;
  if (octets[2] === 20) return framed(initResponse(values(octets.subarray(3, length))));
  // What it does not know it answers with nothing.
  if (octets[2] !== 22) return framed(Buffer.alloc(0));
  const fields = values(octets.subarray(13, length));
  const user = values(octets.subarray(length));
  if (String(fields.get(18) ?? '') !== library.database) return framed(searchResponse([], [noDatabase]));
  const words = user.get(99);
  return framed(words ? searched(values(words), library) : retrieved(terms(user.get(21) ?? Buffer.alloc(0)), library));
}

/** Splits what came into whole messages and the rest. */
export function waisMessages(octets: Buffer): { readonly messages: readonly Buffer[]; readonly rest: Buffer } {
  const messages: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = at + headerOctets + Number(octets.toString('latin1', at, at + 10));
    if (octets.length < at + headerOctets || !(end <= octets.length)) return { messages, rest: octets.subarray(at) };
    messages.push(octets.subarray(at, end));
    at = end;
  }
}

const headerOctets = 25;
const noDatabase = 'S1The following database is not available';

const framed = (body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${String(body.length).padStart(10, '0')}z2wais        0`), body]);

/** The client's own sizes, up to 100,000. */
function initResponse(asked: ReadonlyMap<number, Buffer>): Buffer {
  const size = (tag: number): Buffer => number(Math.min(numberIn(asked.get(tag)), 100_000));
  const fields = [
    value(3, '\x80'),
    value(4, '\x80'),
    value(5, size(5)),
    value(6, size(6)),
    value(9, 'a small WAIS server'),
  ];
  return pdu(21, Buffer.of(1), fields, value(99, Buffer.concat([value(100, '\0'), value(101, '\0')])));
}

function searchResponse(records: readonly Buffer[], diagnostics: readonly string[] = [], status = 0): Buffer {
  const fixed = Buffer.from([status, 0, 0, 0, 0, 0, records.length + diagnostics.length, 0, 0, 0]);
  return pdu(23, fixed, [value(27, '\0')], value(99, Buffer.concat([...records, ...diagnostics.map(diagnostic)])));
}

function diagnostic(text: string): Buffer {
  const octets = Buffer.from(`${text}\0`);
  return Buffer.concat([Buffer.of(0x1c, octets.length >> 8, octets.length & 255), octets, Buffer.of(0x1d)]);
}

function searched(query: ReadonlyMap<number, Buffer>, library: WaisLibrary): Buffer {
  const words = String(query.get(106) ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean);
  if (words.length === 0) return searchResponse(described(library), [], 1);
  const hits = library.documents.flatMap((document, at) => {
    const text = Object.values(document.types)
      .map((octets) => Buffer.from(octets).toString('latin1').toLowerCase())
      .join(' ');
    const score = words.filter((word) => text.includes(word)).length * 1000;
    return score > 0 ? [{ document, at, score }] : [];
  });
  const best = hits.toSorted((a, b) => b.score - a.score).slice(0, numberIn(query.get(114)));
  return searchResponse(
    best.map(({ document, at, score }) => header(String(at), document, score)),
    [],
    1,
  );
}

/** The description and the catalogue: what a database answers to no words at all. */
const described = (library: WaisLibrary): Buffer[] => [
  header('src', { headline: `Information on database: ${library.database}`, types: ownTypes('src', library)! }, 1000),
  header('cat', { headline: `Catalog for database: ${library.database}`, types: ownTypes('cat', library)! }, 1000),
];

function ownTypes(id: string, library: WaisLibrary): WaisDocument['types'] | undefined {
  if (id === 'src') return { WSRC: Buffer.from(library.description) };
  if (id === 'cat') return { TEXT: Buffer.from(library.documents.map(({ headline }) => `${headline}\n`).join('')) };
  return library.documents[Number(id)]?.types;
}

function header(id: string, { headline, types }: WaisDocument, score: number): Buffer {
  const [first = Buffer.alloc(0)] = Object.values(types).map((octets) => Buffer.from(octets));
  const lines = first.toString('latin1').split('\n').length - 1;
  return value(
    150,
    Buffer.concat([
      value(116, docId(id)),
      value(118, number(score)),
      value(120, number(first.length)),
      value(131, number(lines)),
      value(132, Buffer.concat(Object.keys(types).map((type) => value(133, type)))),
      value(123, Buffer.from(headline)),
    ]),
  );
}

const docId = (id: string): Buffer => Buffer.concat([value(2, 'demo'), value(3, id), value(7, '\0')]);

/** The range asked for; beyond the end, what there is and a diagnostic. */
function retrieved(query: ReadonlyMap<string, Buffer>, library: WaisLibrary): Buffer {
  const id = String(values(query.get('un') ?? Buffer.alloc(0)).get(3) ?? '');
  const types = ownTypes(id, library);
  if (!types) return searchResponse([], ['SFMissing DocID in request']);
  const octets = Buffer.from(types[String(query.get('wt'))] ?? Object.values(types)[0] ?? Buffer.alloc(0));
  const [start, end] = [Number(query.get('wbro')), Number(query.get('wbrl'))];
  const text = Buffer.concat([value(116, docId(id)), value(117, '\0'), value(127, octets.subarray(start, end))]);
  return searchResponse([value(153, text)], end > octets.length ? ['SFRequest out of range'] : []);
}

/** Terms by use and, for ranges, relation: `un`, `wt`, `wbro`, `wbrl`. */
function terms(query: Buffer): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>();
  let name = '';
  for (const [tag, octets] of pairs(query)) {
    if (tag === 44)
      name = String(octets).replace(/^(..) (..).*/, (_, use, relation) => (relation === 're' ? use : use + relation));
    if (tag === 45) found.set(name, octets);
  }
  return found;
}

function pdu(type: number, fixed: Buffer, fields: readonly Buffer[], user: Buffer): Buffer {
  const head = Buffer.concat([Buffer.of(type), fixed, ...fields]);
  return Buffer.concat([Buffer.of(head.length >> 8, head.length & 255), head, user]);
}

function value(tag: number, octets: Buffer | string): Buffer {
  const all = typeof octets === 'string' ? Buffer.from(octets, 'latin1') : octets;
  return Buffer.concat([base128(tag), base128(all.length), all]);
}

const base128 = (n: number): Buffer =>
  n < 128 ? Buffer.of(n) : Buffer.concat([marked(base128(n >> 7)), Buffer.of(n & 127)]);
const marked = (octets: Buffer): Buffer => Buffer.from(octets.map((octet) => octet | 128));
const number = (n: number): Buffer => (n < 256 ? Buffer.of(n) : Buffer.concat([number(n >> 8), Buffer.of(n & 255)]));
const numberIn = (octets?: Buffer): number =>
  octets && octets.length > 0 ? octets.readUIntBE(0, Math.min(octets.length, 6)) : 0;

const values = (octets: Buffer): ReadonlyMap<number, Buffer> => new Map(pairs(octets));

function* pairs(octets: Buffer): Generator<[tag: number, value: Buffer]> {
  for (let at = 0; at < octets.length;) {
    const read = (): number => {
      let n = 0;
      for (let octet = 128; octet >= 128;) {
        octet = octets[at++] ?? 0;
        n = n * 128 + (octet & 127);
      }
      return n;
    };
    const tag = read();
    const length = read();
    yield [tag, octets.subarray(at, at + length)];
    at += length;
  }
}
