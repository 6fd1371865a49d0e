/** A server's answer, line by line (Prospero protocol, version 5). */
import { RetrievalError } from '@retriever/driver';
import { readAttribute, type Attribute } from './attributes.ts';
import { readLines, type Line } from './quoting.ts';

/** A link as it stands. Texts stand for octets. */
export interface Link {
  readonly isUnion: boolean;
  /** FILE, DIRECTORY, DIRECTORY+FILE, OBJECT, EXTERNAL, SYMBOLIC, FP, or NULL: it exists and may not be read. */
  readonly target: string;
  readonly name: string;
  /** `NAME` or `NAME(port)`; a virtual system's name with target SYMBOLIC. */
  readonly host: string;
  readonly hsoname: string;
  readonly version: number;
  readonly attributes: readonly Attribute[];
}

export interface Forward {
  readonly host: string;
  readonly hsoname: string;
  readonly version: number;
  readonly id?: readonly string[];
}

/** The line that ended the message. */
export interface Failure {
  /** NOT-FOUND and its like; ERROR; VERSION-NOT-SUPPORTED. */
  readonly code: string;
  readonly words: string;
}

export interface Answer {
  /** Attributes of the object that was asked about. */
  readonly attributes: readonly Attribute[];
  readonly links: readonly Link[];
  readonly forward: Forward | undefined;
  readonly failure: Failure | undefined;
  /** NONE-FOUND: success, and nothing there. */
  readonly noneFound: boolean;
}

export interface AnswerOptions {
  readonly maxLinks: number;
  /** Takes each line. */
  readonly report: (line: string) => void;
  /** Takes warnings, the server's and ours. */
  readonly note: (text: string) => void;
}

/**
 * Reads an answer. What it says of a link stands in the lines below it; before the first link, of the object.
 *
 * @throws RetrievalError `protocol` for a quotation that does not end or a line that is cut short, `limit` for more links than allowed.
 */
export function readAnswer(text: string, options: AnswerOptions): Answer {
  const reader = new AnswerReader(options);
  for (const line of readLines(text)) reader.take(line);
  return reader.answer();
}

class AnswerReader {
  readonly #options: AnswerOptions;
  readonly #attributes: Attribute[] = [];
  readonly #links: (Omit<Link, 'attributes'> & { readonly attributes: Attribute[] })[] = [];
  #forward: Forward | undefined;
  #failure: Failure | undefined;
  #noneFound = false;

  constructor(options: AnswerOptions) {
    this.#options = options;
  }

  answer(): Answer {
    return {
      attributes: this.#attributes,
      links: this.#links,
      forward: this.#forward,
      failure: this.#failure,
      noneFound: this.#noneFound,
    };
  }

  take(line: Line): void {
    this.#options.report(line.text);
    const [keyword = '', ...words] = line.words;
    switch (keyword) {
      case 'LINK':
        return this.#takeLink(words, line);
      case 'ATTRIBUTE':
        return this.#takeAttribute(line);
      case 'FORWARDED':
        this.#forward ??= readForward(words, line);
        return;
      case 'ID':
        // The older form, below FORWARDED too.
        if (this.#forward && words.length > 0) this.#forward = { ...this.#forward, id: words };
        return;
      case 'NONE-FOUND':
        this.#noneFound = true;
        return;
      case 'FAILURE':
        this.#failure ??= { code: words[0] ?? '', words: words.slice(1).join(' ') };
        return;
      case 'ERROR':
      case 'VERSION-NOT-SUPPORTED':
        this.#failure ??= { code: keyword, words: words.join(' ') };
        return;
      case 'WARNING':
        return this.#options.note(`the server warns: ${words.join(' ')}`);
      default:
        // As the original clients: what is not understood is passed over.
        if (!passedOver.has(keyword) && !keyword.startsWith('ATTRIBUTE>'))
          this.#options.note(`a line is not understood: ${line.text.slice(0, 200)}`);
    }
  }

  #takeLink(words: readonly string[], { text }: Line): void {
    const { maxLinks } = this.#options;
    if (this.#links.length === maxLinks)
      throw new RetrievalError('limit', `the listing has more than ${maxLinks} links`);
    const [type, target = '', name, , host = '', , hsoname = '', version = '0'] = words;
    if (name === undefined || (words.length < 8 && target !== 'NULL')) throw cutShort(text);
    this.#links.push({
      isUnion: type === 'U',
      target,
      name,
      host,
      hsoname,
      version: readVersion(version),
      attributes: [],
    });
  }

  #takeAttribute({ words }: Line): void {
    const attribute = readAttribute(words);
    if (attribute) (this.#links.at(-1)?.attributes ?? this.#attributes).push(attribute);
  }
}

/** What other commands answer, or what says nothing about this one. */
const passedOver: ReadonlySet<string> = new Set(['VERSION', 'SUCCESS', 'PARAMETER', 'UNRESOLVED']);

function readForward(words: readonly string[], { text }: Line): Forward {
  const [, host, , hsoname, version = '0'] = words;
  if (host === undefined || hsoname === undefined) throw cutShort(text);
  return { host, hsoname, version: readVersion(version) };
}

function readVersion(word: string): number {
  return /^\d{1,9}$/.test(word) ? Number(word) : 0;
}

function cutShort(text: string): RetrievalError {
  return new RetrievalError('protocol', `a line of the answer is cut short: ${text.slice(0, 200)}`);
}
