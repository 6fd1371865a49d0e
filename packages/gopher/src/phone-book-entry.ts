/** The entries of a CSO phone book, put together from the lines of its answer (RFC 2378 §3). */
import { RetrievalError, type Entry } from '@retriever/driver';
import type { PhoneBookLine } from './phone-book-line.ts';

/** What is asked for: people, or what can be said of people. */
export type PhoneBookCommand = 'query' | 'fields';

const maxEntryBytes = 1024 * 1024;
const okay = 200;

/** Gathers lines into entries. */
export class PhoneBookCollector {
  readonly #command: PhoneBookCommand;
  #number: number | undefined;
  #fields = new Map<string, string>();
  #field = '';
  #length = 0;

  constructor(command: PhoneBookCommand) {
    this.#command = command;
  }

  /**
   * Takes a line. Returns the entry before it, when the line begins another or ends the answer.
   *
   * @throws RetrievalError `limit` when one entry has no end.
   */
  push(line: PhoneBookLine): Entry | undefined {
    if (line.last) return this.#end();
    // A field that is absent (508) or not for everybody (503) has words for people in place of a value.
    if (line.entry === undefined || line.code !== okay) return undefined;
    const finished = line.entry === this.#number ? undefined : this.#end();
    this.#number = line.entry;
    this.#add(line);
    return finished;
  }

  #add({ field = '', text }: PhoneBookLine): void {
    this.#length += field.length + text.length + 1;
    if (this.#length > maxEntryBytes)
      throw new RetrievalError('limit', `an entry of the phone book is longer than ${maxEntryBytes} characters`);
    if (field !== '') this.#field = field;
    const before = this.#fields.get(this.#field);
    this.#fields.set(this.#field, before === undefined ? text : `${before}\n${text}`);
  }

  #end(): Entry | undefined {
    const fields = this.#fields;
    const number = this.#number;
    this.#fields = new Map();
    this.#number = undefined;
    this.#length = 0;
    this.#field = '';
    if (number === undefined) return undefined;
    return this.#command === 'query' ? personEntry(fields) : fieldEntry(fields, number);
  }
}

/** Facts are the fields, the lines of one joined by LF. */
function personEntry(fields: ReadonlyMap<string, string>): Entry {
  const [first = ''] = fields.values();
  return entry(fields.get('name') ?? fields.get('alias') ?? first, Object.fromEntries(fields));
}

/** A field's properties come first, then its description. */
function fieldEntry(fields: ReadonlyMap<string, string>, number: number): Entry {
  const [[name, text] = ['', '']] = fields;
  const [properties = '', ...description] = text.split('\n');
  return entry(name, { field: number, properties, description: description.join('\n') });
}

function entry(text: string, facts: Record<string, string | number>): Entry {
  const name = text.split('\n', 1)[0] ?? '';
  return { name, rawName: new TextEncoder().encode(name), kind: 'other', facts };
}
