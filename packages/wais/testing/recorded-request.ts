/** What a recorded client asked for, read without the driver's own code. */

export interface RecordedRequest {
  readonly kind: 'init' | 'search' | 'document' | 'other';
  readonly database: string;
  readonly words: Buffer;
  readonly maxDocuments: number;
  readonly docId: Buffer;
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

type Values = ReadonlyMap<string | number, Buffer>;

export function recordedRequest(message: Buffer): RecordedRequest {
  const type = message[27];
  const length = type === 22 || type === 20 ? message.readUInt16BE(25) : 0;
  const fields = type === 22 ? valuesIn(message.subarray(38, 27 + length)) : new Map<string | number, Buffer>();
  const user = valuesIn(message.subarray(27 + length));
  const search = user.get(99);
  const words = search && valuesIn(search);
  const terms = termsIn(user.get(21));
  const usual = message.toString('latin1', 10, 25) === 'z2wais        0';
  return {
    kind: usual ? kindOf(type, words, terms) : 'other',
    database: (fields.get(18) ?? Buffer.alloc(0)).toString('latin1'),
    words: words?.get(106) ?? Buffer.alloc(0),
    maxDocuments: words?.get(114)?.readUIntBE(0, words.get(114)?.length ?? 0) ?? 0,
    docId: terms.get('un') ?? Buffer.alloc(0),
    type: String(terms.get('wt') ?? ''),
    start: Number(terms.get('wbro') ?? Number.NaN),
    end: Number(terms.get('wbrl') ?? Number.NaN),
  };
}

/** `other`: relevance feedback, and documents without a type or a range of octets, which no client of ours asks for. */
function kindOf(type: number | undefined, words: Values | undefined, terms: Values): RecordedRequest['kind'] {
  if (type === 20) return 'init';
  if (words?.has(106) && !words.has(116)) return 'search';
  return ['un', 'wt', 'wbro', 'wbrl'].every((name) => terms.has(name)) ? 'document' : 'other';
}

function* pairsIn(octets: Buffer): Generator<[number, Buffer]> {
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (;;) {
      const octet = octets[at++]!;
      value = value * 128 + (octet % 128);
      if (octet < 128) return value;
    }
  };
  while (at < octets.length) {
    const tag = number();
    const length = number();
    yield [tag, octets.subarray(at, (at += length))];
  }
}

const valuesIn = (octets: Buffer): Values => new Map(pairsIn(octets));

/** Terms by their use, of ranges by the relation too: `un`, `wt`, `wbro`, `wbrl`. */
function termsIn(query: Buffer = Buffer.alloc(0)): Values {
  const terms = new Map<string, Buffer>();
  let name = '';
  for (const [tag, value] of pairsIn(query)) {
    if (tag === 44)
      name = String(value)
        .replace(/^(un|wt) re.*$/, '$1')
        .replace(/^(w.) (..) .*$/, '$1$2');
    if (tag === 45) terms.set(name, value);
  }
  return terms;
}
