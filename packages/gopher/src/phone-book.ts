/**
 * Type 2: a CSO phone book, which speaks the ns protocol and not gopher (RFC 1436 §3.8; RFC 2378). A menu gives it a port of
 * its own, 105 by custom.
 */
import {
  commandLine,
  createBody,
  LineReader,
  RetrievalError,
  textOf,
  type Access,
  type BodySource,
  type Endpoint,
  type Entry,
  type Listing,
  type Reply,
} from '@retriever/driver';
import { emptyListing } from './listing.ts';
import { bounded, type MenuLimits } from './menu.ts';
import { PhoneBookCollector, type PhoneBookCommand } from './phone-book-entry.ts';
import { phoneBookLine, type PhoneBookLine } from './phone-book-line.ts';
import type { GopherRequest } from './request.ts';

/** Where the phone book is asked from. */
export interface PhoneBookContext {
  readonly endpoint: Endpoint;
  readonly access: Access;
  readonly limits: MenuLimits;
  readonly metadataOnly: boolean;
  readonly note: (text: string) => void;
}

/** Lines that are looked at before a first entry or the end must have come. */
const maxHeadLines = 64;

const hint =
  'the fields of the phone book; to look somebody up put the words after %09 or ?, as in gopher://host:105/2%09words';

/**
 * Looks words up, or lists the fields that there are to look up when the URL has no words.
 *
 * The words go out as they are: `smith`, `name=smith phone=244*`, `smith return email`. Each match is an entry of kind
 * `other` with a fact for each field.
 *
 * @throws RetrievalError `not-found` when nobody matches (501), `refused` when too many do (502) or the server will not.
 */
export async function phoneBook(request: GopherRequest, context: PhoneBookContext): Promise<Listing> {
  const { endpoint, access, limits, metadataOnly, note } = context;
  const words = wordsOf(request);
  const command: PhoneBookCommand = words ? 'query' : 'fields';
  const line = words ? commandLine('query ', words) : commandLine('fields');
  if (!words) note(hint);
  const source = await access.connectForBody(endpoint);
  const answer = new PhoneBookAnswer(source, limits);
  try {
    access.report({ type: 'sent', text: textOf(line.subarray(0, -2)) });
    source.socket.write(line);
    await answer.begin();
    if (metadataOnly) await answer.close();
  } catch (error) {
    source.destroy();
    throw error;
  }
  const metadata = { mediaType: 'text/plain' };
  if (metadataOnly) return emptyListing(metadata);
  return {
    kind: 'listing',
    entries: { [Symbol.asyncIterator]: () => answer.entries(command, limits.maxMenuEntries) },
    body: createBody({
      async pump(sink) {
        for await (const octets of answer.octets()) await sink(octets);
      },
      cancel: () => source.destroy(),
    }),
    metadata,
  };
}

/** A selector that is a path comes from a menu's author and is no word. */
function wordsOf({ selector, search }: GopherRequest): Uint8Array | undefined {
  const words = search ?? selector;
  if (words.every((octet) => octet === 0x20)) return undefined;
  return search === undefined && words[0] === 0x2f ? undefined : words;
}

/** The answer to one command. */
class PhoneBookAnswer {
  readonly #source: BodySource;
  readonly #lines: LineReader;
  /** Lines read to learn whether there is anything. */
  #head: Uint8Array[] = [];
  #ended = false;
  #taken = false;

  constructor(source: BodySource, { maxMenuLineBytes, maxMenuBytes }: MenuLimits) {
    this.#source = source;
    this.#lines = new LineReader(bounded(source, maxMenuBytes), { maxLineBytes: maxMenuLineBytes });
  }

  /** Reads until it is known whether there are entries. */
  async begin(): Promise<void> {
    while (this.#head.length < maxHeadLines) {
      const octets = await this.#lines.requireLine();
      this.#head.push(octets);
      const line = understood(octets);
      if (line.last && line.code >= 300) throw refusal(line, this.#head);
      if (line.last || Math.floor(line.code / 100) === 2) return;
    }
  }

  async *entries(command: PhoneBookCommand, maxEntries: number): AsyncGenerator<Entry> {
    const collector = new PhoneBookCollector(command);
    let count = 0;
    for await (const octets of this.#read()) {
      const entry = collector.push(understood(octets));
      if (!entry) continue;
      if ((count += 1) > maxEntries)
        throw new RetrievalError('limit', `the phone book sent more than ${maxEntries} entries`);
      yield entry;
    }
  }

  /** The answer in the server's words. */
  async *octets(): AsyncGenerator<Uint8Array> {
    for await (const octets of this.#read()) yield Buffer.concat([octets, lineEnd]);
  }

  /** Says good-bye and hangs up. */
  async close(): Promise<void> {
    if (!this.#source.socket.destroyed)
      await new Promise<void>((resolve) => this.#source.socket.write('quit\r\n', () => resolve()));
    this.#source.destroy();
  }

  /** The lines, the last one included, which proves that the answer is complete. */
  async *#read(): AsyncGenerator<Uint8Array> {
    if (this.#taken) throw new TypeError('the answer is read already: use the entries or the body, not both');
    this.#taken = true;
    try {
      while (!this.#ended) {
        const octets = this.#head.shift() ?? (await this.#lines.requireLine());
        const line = understood(octets);
        this.#ended = line.last;
        yield octets;
        // The server may find in the middle that it cannot go on.
        if (line.last && line.code >= 300) throw refusal(line, [octets]);
      }
      await this.close();
    } finally {
      this.#source.destroy();
    }
  }
}

const lineEnd = Uint8Array.of(0x0d, 0x0a);

function understood(octets: Uint8Array): PhoneBookLine {
  const text = textOf(octets);
  const line = phoneBookLine(text);
  if (line) return line;
  throw new RetrievalError('protocol', `no answer of a CSO phone book (RFC 2378): ${text.slice(0, 80)}`);
}

/** Codes of RFC 2378 §2.1 and its appendix: 4yz are temporary. */
function refusal({ code, text }: PhoneBookLine, lines: readonly Uint8Array[]): RetrievalError {
  const words = lines.map((octets) => understood(octets).text);
  const reply: Reply = { code, text: words.join('\n') };
  const message = `the server says: ${text}`;
  if (code === 501) return new RetrievalError('not-found', message, { reply });
  if (code === 506 || code < 400) return new RetrievalError('credentials', message, { reply });
  return new RetrievalError('refused', message, { reply, temporary: code < 500 });
}
