/**
 * Attributes of items (Gopher+ 1993, §2.5): what `!` and `$` are answered with.
 *
 *     +INFO: type name TAB selector TAB host TAB port [ TAB "+" ] CR LF      ; begins an item
 *     +NAME: [ value ] CR LF                                                 ; begins another block of it
 *     *( SP line CR LF )
 */
import { ascii, RetrievalError, textOf } from '@retriever/driver';
import { parseAsk, type AskForm } from './ask-form.ts';
import { gopherView, type GopherView } from './gopher-plus.ts';
import { menuLine, type MenuLine } from './menu-line.ts';

/** One block as the server sent it. */
export interface AttributeBlock {
  /** In upper case, without the plus sign: `ADMIN`. */
  readonly name: string;
  /** What stands on the line of the name. */
  readonly value: string;
  /** The lines after it, without the blank that each begins with. */
  readonly lines: readonly string[];
}

/** The attributes of one item. */
export interface GopherAttributes {
  /** The line of a menu that stands for the item; absent when the server sent no +INFO. */
  readonly info?: MenuLine;
  /** Who answers for it: `Name <address>`. */
  readonly admin?: string;
  /** Gopher+ names no time zone; read as UTC. */
  readonly modified?: Date;
  readonly views: readonly GopherView[];
  readonly abstract?: string;
  readonly ask?: AskForm;
  /** All blocks, these and others, in the server's order. */
  readonly blocks: readonly AttributeBlock[];
}

/** Bounds on the attributes of one item. */
const maxItemBytes = 1024 * 1024;
const maxBlocks = 1000;

/**
 * Reads the answer to `!` or `$`, without its header: one element for each item.
 *
 * @example
 * parseAttributes('+INFO: 0Doc\t/doc\th\t70\t+\r\n+ABSTRACT:\r\n About it\r\n')[0]?.abstract; // 'About it'
 */
export function parseAttributes(text: string | Uint8Array): GopherAttributes[] {
  const octets = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const collector = new AttributeCollector();
  const items: (GopherAttributes | undefined)[] = [];
  for (let at = 0; at < octets.length;) {
    const end = octets.indexOf(0x0a, at);
    const line = octets.subarray(at, end === -1 ? octets.length : end);
    items.push(collector.push(line.at(-1) === 0x0d ? line.subarray(0, -1) : line));
    at += line.length + 1;
  }
  items.push(collector.end());
  return items.filter((item) => item !== undefined);
}

interface OpenBlock extends AttributeBlock {
  readonly lines: string[];
}

/** Puts items together from lines, whoever delivers them. */
export class AttributeCollector {
  #info: MenuLine | undefined;
  #blocks: OpenBlock[] = [];
  #bytes = 0;
  /** Lines that belong to no block. */
  strays = 0;

  /**
   * Takes a line, without its line end. Returns the item before it, when the line begins another.
   *
   * @throws RetrievalError `limit` when one item's attributes have no end.
   */
  push(line: Uint8Array): GopherAttributes | undefined {
    this.#bytes += line.length + 1;
    if (this.#bytes > maxItemBytes)
      throw new RetrievalError('limit', `the attributes of one item are longer than ${maxItemBytes} octets`);
    if (isInfo(line)) {
      const item = this.end();
      this.#bytes = line.length;
      this.#info = menuLine(line.subarray(INFO.length + leadingBlanks(line.subarray(INFO.length))));
      this.#blocks.push({ name: 'INFO', value: textOf(line.subarray(INFO.length)).trim(), lines: [] });
      return item;
    }
    const text = textOf(line);
    if (text.startsWith('+')) this.#begin(text);
    // A lone dot is no line of a block, those begin with a blank.
    else if (text.trim() !== '' && text !== '.') this.#continue(text);
    return undefined;
  }

  /** The last item; undefined when there is none. */
  end(): GopherAttributes | undefined {
    if (this.#blocks.length === 0) return undefined;
    const item = attributesOf(this.#info, this.#blocks);
    this.#info = undefined;
    this.#blocks = [];
    return item;
  }

  #begin(text: string): void {
    if (this.#blocks.length >= maxBlocks)
      throw new RetrievalError('limit', `one item has more than ${maxBlocks} attributes`);
    // Some leave the colon out.
    const [, name = '', value = ''] = /^\+([^:\s]*):?\s*(.*)$/.exec(text) ?? [];
    this.#blocks.push({ name: name.toUpperCase(), value: value.trim(), lines: [] });
  }

  #continue(text: string): void {
    const block = this.#blocks.at(-1);
    if (block) block.lines.push(text.startsWith(' ') ? text.slice(1) : text);
    if (!block || !text.startsWith(' ')) this.strays += 1;
  }
}

const INFO = ascii('+INFO:');

function isInfo(line: Uint8Array): boolean {
  return line.length > INFO.length && textOf(line.subarray(0, INFO.length)).toUpperCase() === '+INFO:';
}

/** One blank stands before the item type. */
function leadingBlanks(octets: Uint8Array): number {
  const first = octets.findIndex((octet) => octet !== 0x20);
  return first === -1 ? octets.length : first;
}

function attributesOf(info: MenuLine | undefined, blocks: readonly AttributeBlock[]): GopherAttributes {
  const linesOf = (name: string): string[] | undefined => {
    const found = blocks.filter((block) => block.name === name);
    return found.length === 0 ? undefined : found.flatMap((block) => textLines(block));
  };
  const adminLines = linesOf('ADMIN') ?? [];
  const admin = fieldOf(adminLines, 'admin');
  const modified = dateOf(fieldOf(adminLines, 'mod-date') ?? '');
  const abstract = linesOf('ABSTRACT')?.join('\n');
  const ask = linesOf('ASK');
  return {
    ...(info && { info }),
    ...(admin !== undefined && { admin }),
    ...(modified && { modified }),
    views: (linesOf('VIEWS') ?? []).flatMap((line) => viewOf(line) ?? []),
    ...(abstract !== undefined && { abstract }),
    ...(ask && { ask: parseAsk(ask.join('\n')) }),
    blocks,
  };
}

/** What a block says, wherever it begins. */
export function textLines({ value, lines }: AttributeBlock): readonly string[] {
  return value === '' ? lines : [value, ...lines];
}

function fieldOf(lines: readonly string[], name: string): string | undefined {
  const line = lines.find((candidate) => candidate.trimStart().toLowerCase().startsWith(`${name}:`));
  return line === undefined ? undefined : line.slice(line.indexOf(':') + 1).trim();
}

/** `Fri Nov 20 17:34:55 2026 <20261120173455>`: the digits are what counts. */
function dateOf(text: string): Date | undefined {
  const [, year, month, day, hour, minute, second] =
    /<(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)>/.exec(text)?.map(Number) ?? [];
  if (!year || !month || !day) return undefined;
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date : undefined;
}

/** A line of +VIEWS: ` Text/plain En_US: <.1k>`. */
function viewOf(line: string): GopherView | undefined {
  const colon = line.indexOf(':');
  const view = gopherView(colon === -1 ? line : line.slice(0, colon));
  const size = colon === -1 ? undefined : /<([^<>]+)>/.exec(line.slice(colon))?.[1]?.trim();
  return view && { ...view, ...(size !== undefined && { size }) };
}
