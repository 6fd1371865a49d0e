/** Attributes as entries of a listing: one an item. */
import { LineReader, RetrievalError, type Entry, type OctetSource } from '@retriever/driver';
import { AttributeCollector, textLines, type GopherAttributes } from './attributes.ts';
import type { GopherView } from './gopher-plus.ts';
import { menuEntry, type MenuServer } from './menu-entry.ts';
import type { MenuLimits } from './menu.ts';

/** What is listed. */
export interface AttributeListing {
  /** The attributes asked for, in upper case without the plus sign; empty for all. Servers often send more. */
  readonly names: readonly string[];
  /** The item itself, for attributes that come without its +INFO. */
  readonly item: Pick<Entry, 'name' | 'rawName' | 'kind'> & { readonly url?: string };
  readonly server: MenuServer;
}

/**
 * The items of an answer to `!` or `$`, each as soon as the next one begins.
 *
 * @throws RetrievalError `limit` when the server sends more than the limits allow.
 */
export async function* attributeEntries(
  source: OctetSource,
  listing: AttributeListing,
  limits: MenuLimits,
  note: (text: string) => void,
): AsyncGenerator<Entry> {
  const lines = new LineReader(source, { maxLineBytes: limits.maxMenuLineBytes });
  const collector = new AttributeCollector();
  let count = 0;
  for (;;) {
    const line = await lines.line();
    const item = line ? collector.push(line) : collector.end();
    if (item) {
      if ((count += 1) > limits.maxMenuEntries)
        throw new RetrievalError('limit', `the answer has more than ${limits.maxMenuEntries} items`);
      yield attributeEntry(item, listing);
    }
    if (!line) break;
  }
  if (collector.strays > 0) note(`${collector.strays} lines of the attributes belong to none`);
}

/**
 * An item and what is known of it.
 *
 * Facts: those of a menu line, and `admin`, `abstract`, `views` and `ask` (its lines, for `parseAsk`), lines joined by LF;
 * of any other attribute its lines under its name with the plus sign, `+KEYWORDS`.
 */
function attributeEntry(attributes: GopherAttributes, { names, item, server }: AttributeListing): Entry {
  const { info, modified, views } = attributes;
  const entry: Entry = info ? menuEntry(info, server) : item;
  // The default view is the first; a menu or a search has several of which none says what it is.
  const mediaType = entry.kind === 'file' ? (views[0]?.mediaType ?? entry.mediaType) : entry.mediaType;
  return {
    ...entry,
    ...(modified && wants(names, 'ADMIN') && { modified }),
    ...(mediaType !== undefined && { mediaType }),
    facts: { ...entry.facts, ...factsOf(attributes, names) },
  };
}

function factsOf(
  { admin, abstract, views, blocks }: GopherAttributes,
  names: readonly string[],
): Record<string, string> {
  const facts = new Map<string, string>();
  const put = (name: string, fact: string, value: string | undefined): void => {
    if (value !== undefined && value !== '' && wants(names, name)) facts.set(fact, value);
  };
  put('ADMIN', 'admin', admin);
  put('ABSTRACT', 'abstract', abstract);
  put('VIEWS', 'views', views.map((view) => viewText(view)).join('\n'));
  for (const block of blocks) {
    const { name } = block;
    const text = textLines(block).join('\n');
    if (name === 'ASK') put(name, 'ask', text);
    else if (!known.has(name)) put(name, `+${name}`, text);
  }
  return Object.fromEntries(facts);
}

const known = new Set(['INFO', 'ADMIN', 'ABSTRACT', 'VIEWS']);

function wants(names: readonly string[], name: string): boolean {
  return names.length === 0 || names.includes(name);
}

function viewText({ mediaType, language, size }: GopherView): string {
  return [mediaType, language, size === undefined ? undefined : `<${size}>`]
    .filter((part) => part !== undefined)
    .join(' ');
}
