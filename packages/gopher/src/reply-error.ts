/**
 * The errors of Gopher+ (1993, §2.3). After a header that begins with `-` come lines: an error code and the administrator's
 * address first, then words for people.
 *
 *     1 Admin Name <address>
 *     '/doc' does not exist!!
 */
import { LineReader, RetrievalError, textOf, type OctetSource, type Reply } from '@retriever/driver';
import { menuEntry, type MenuServer } from './menu-entry.ts';
import { menuLine } from './menu-line.ts';
import type { ReplyHeader } from './reply-header.ts';

/** An error as the server told it. */
export interface GopherError {
  /** The administrator's address and the words. */
  readonly reply: Reply;
  /** The lines after the header, as octets: one may be the line of a menu. */
  readonly lines: readonly Uint8Array[];
}

/** How much of an error's text is read. */
const maxErrorBytes = 4096;
const maxErrorLines = 32;

/**
 * Reads the error's text, a bounded part of it. One that breaks off still is an error.
 *
 * @returns Undefined when the header was `-` with a count and no error code follows: a text may begin so.
 */
export async function replyError(source: OctetSource, header: ReplyHeader): Promise<GopherError | undefined> {
  const lines = await linesOf(source, header);
  const [first = '', ...rest] = lines.map((line) => textOf(line));
  const [, code, contact = ''] = /^\s*(\d{1,4})(?![^\s])\s*(.*)$/.exec(first) ?? [];
  if (code === undefined && header.ends === 'count') return undefined;
  if (code === undefined) return { reply: { code: 0, text: [first, ...rest].join('\n') }, lines };
  const text = [contact, ...rest].filter((line) => line !== '').join('\n');
  return { reply: { code: Number(code), text }, lines };
}

async function linesOf(source: OctetSource, { ends, count }: ReplyHeader): Promise<Uint8Array[]> {
  const lines: Uint8Array[] = [];
  const maxBytes = ends === 'count' ? Math.min(count, maxErrorBytes) : maxErrorBytes;
  const reader = new LineReader(atMost(maxBytes, source), { maxLineBytes: maxErrorBytes });
  try {
    while (lines.length < maxErrorLines) {
      const line = await reader.line();
      if (!line || (ends === 'dot' && textOf(line) === '.')) break;
      lines.push(line);
    }
  } catch (error) {
    // Without a word of it the connection's failure is what happened.
    if (lines.length === 0) throw error;
  }
  return lines;
}

function atMost(maxBytes: number, source: OctetSource): OctetSource {
  let left = maxBytes;
  return {
    async read() {
      const chunk = left > 0 ? await source.read() : undefined;
      const taken = chunk?.subarray(0, left);
      left -= taken?.length ?? 0;
      return taken;
    },
  };
}

/** Code 3, "item has moved": the URL of where it now lives, from the menu line after the code or among the words. */
export function movedTo({ reply, lines }: GopherError, server: MenuServer): string | undefined {
  if (reply.code !== 3) return undefined;
  const [first, ...rest] = lines;
  for (const line of first ? [afterCode(first), ...rest] : rest) {
    const item = menuLine(line);
    // Words for people have no fields.
    if (item.selector !== undefined && item.port !== undefined) return menuEntry(item, server).url;
  }
  return undefined;
}

/** What follows `3` and a blank. */
function afterCode(line: Uint8Array): Uint8Array {
  const start = line.findIndex((octet, at) => octet !== 0x20 && at > line.indexOf(0x33));
  return start === -1 ? line.subarray(line.length) : line.subarray(start);
}

/** What an error means to the caller; the administrator's address stays in the reply's text. */
export function refusalOf({ reply }: GopherError): RetrievalError {
  const words = reply.text.split('\n');
  const message = `the server says: ${(words.length > 1 ? words.slice(1) : words).join(' ')}`;
  if (reply.code === 1) return new RetrievalError('not-found', message, { reply });
  // 2: "Try again later". Any other is newer than the protocol's text, or a 3 that does not say where to.
  return new RetrievalError('refused', message, { reply, temporary: reply.code === 2 });
}
