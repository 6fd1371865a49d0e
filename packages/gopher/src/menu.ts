/** A menu read line by line as it arrives, RFC 1436 §3.9. */
import { LineReader, RetrievalError, type Entry, type OctetSource } from '@retriever/driver';
import { menuEntry, type MenuServer } from './menu-entry.ts';
import { menuLine } from './menu-line.ts';

/** Bounds on what a server may send as a menu. */
export interface MenuLimits {
  /** The longest line, in octets. */
  readonly maxMenuLineBytes: number;
  /** The most lines that become entries. */
  readonly maxMenuEntries: number;
  /** The longest menu, in octets. */
  readonly maxMenuBytes: number;
}

/**
 * Whether a lone dot is due at the end: `perhaps` in plain gopher, `no` where a Gopher+ header told how the menu ends and
 * what it added is taken off already.
 */
export type MenuEnd = 'perhaps' | 'no';

const DOT = 0x2e;

/**
 * The entries of a menu, each as soon as its line is there.
 *
 * A lone dot ends the menu only as its last line, and may be missing, as many servers leave it out.
 *
 * @param note Told of each fault that was tolerated.
 * @throws RetrievalError `limit` when the server sends more than the limits allow.
 */
export async function* menuEntries(
  source: OctetSource,
  server: MenuServer,
  limits: MenuLimits,
  note: (text: string) => void,
  end: MenuEnd = 'perhaps',
): AsyncGenerator<Entry> {
  const lines = new LineReader(bounded(source, limits.maxMenuBytes), {
    maxLineBytes: limits.maxMenuLineBytes,
  });
  let previous: string | undefined;
  let ended = false;
  let count = 0;
  for (let line = await lines.line(); line; line = lines.lineAtHand() ?? (await lines.line())) {
    if (isBlank(line)) continue;
    if (ended) note('a lone dot stood in the middle of the menu');
    ended = line[0] === DOT && isBlank(line.subarray(1));
    if (ended) continue;
    if ((count += 1) > limits.maxMenuEntries)
      throw new RetrievalError('limit', `the menu has more than ${limits.maxMenuEntries} entries`);
    const item = menuLine(end === 'no' ? line : unstuffed(line));
    if (item.selector === undefined) note(`a line of the menu has no TAB: ${item.type}…`);
    const entry = menuEntry(item, server, previous);
    // Information and errors stand between items, they are none.
    if (item.type !== '+' && entry.kind !== 'info' && entry.kind !== 'error') previous = item.type;
    yield entry;
  }
  if (!ended && end === 'perhaps') note('the menu ended without a lone dot (RFC 1436 §3.8)');
}

/** RFC 1436 §3.8: a line that begins with a dot is sent with another before it. */
function unstuffed(line: Uint8Array): Uint8Array {
  return line[0] === DOT && line[1] === DOT ? line.subarray(1) : line;
}

function isBlank(line: Uint8Array): boolean {
  return line.every((octet) => octet === 0x20 || octet === 0x0d);
}

/** At most so many octets. @throws RetrievalError `limit`. */
export function bounded(source: OctetSource, maxBytes: number): OctetSource {
  let length = 0;
  return {
    async read() {
      const chunk = await source.read();
      length += chunk?.length ?? 0;
      if (length > maxBytes) throw new RetrievalError('limit', `the listing is longer than ${maxBytes} octets`);
      return chunk;
    },
  };
}
