/** A directory as a listing, the directories of its union links merged in if that is wanted. */
import { bodyOf, RetrievalError, type Entry, type Listing } from '@retriever/driver';
import type { Link } from './answer.ts';
import { ask, type Answered, type Context } from './ask.ts';
import { headersOf } from './attributes.ts';
import { entryOf, questionOfLink } from './entry.ts';
import { keyOf, type Question } from './question.ts';

interface Placed {
  readonly link: Link;
  /** Who told of it. */
  readonly by: Question;
}

export async function directory(answered: Answered, context: Context): Promise<Listing> {
  const links = answered.answer.links.map((link): Placed => ({ link, by: answered.question }));
  const all = context.limits.expandUnions ? await expanded(links, answered.question, context) : links;
  return {
    kind: 'listing',
    entries: entriesOf(all),
    body: bodyOf(answered.octets),
    metadata: { mediaType: 'text/plain', headers: headersOf(answered.answer.attributes) },
  };
}

async function* entriesOf(links: readonly Placed[]): AsyncGenerator<Entry> {
  for (const { link, by } of links) yield entryOf(link, by.server);
}

/**
 * Puts the links of union directories in the place of the union links; a name that is there already hides a later one.
 *
 * ISI's client did this without end for a directory that is a union of itself. Here each is asked once, and so many at the most.
 */
async function expanded(links: readonly Placed[], first: Question, context: Context): Promise<Placed[]> {
  const { maxUnions, maxLinks } = context.limits;
  const visited = new Set([keyOf(first)]);
  const names = new Set(links.filter(({ link }) => !link.isUnion).map(({ link }) => link.name));
  const merged: Placed[] = [];
  const waiting = [...links];
  for (let at = 0; at < waiting.length; at += 1) {
    const placed = waiting[at]!;
    const question = placed.link.isUnion ? questionOfLink(placed.link, placed.by.server) : undefined;
    if (!question) {
      merged.push(placed);
      continue;
    }
    if (visited.has(keyOf(question))) continue;
    if (visited.size > maxUnions) {
      note(context, `more than ${maxUnions} unions: the others are listed as directories`);
      merged.push(placed);
      continue;
    }
    visited.add(keyOf(question));
    const more = await linksOf(question, context);
    if (!more) merged.push(placed);
    const fresh = (more ?? []).filter(({ link }) => link.isUnion || !names.has(link.name));
    for (const { link } of fresh) if (!link.isUnion) names.add(link.name);
    if (merged.length + waiting.length - at + fresh.length > maxLinks)
      throw new RetrievalError('limit', `the listing has more than ${maxLinks} links`);
    for (const one of fresh) waiting.push(one);
  }
  return merged;
}

/** Undefined when the directory cannot be had: the union then is what there is without it. */
async function linksOf(question: Question, context: Context): Promise<Placed[] | undefined> {
  try {
    const { answer, question: by } = await ask(question, 'list', context);
    if (!answer.failure) return answer.links.map((link) => ({ link, by }));
    note(context, `a union is not to be had: ${answer.failure.code}`);
  } catch (error) {
    context.access.signal.throwIfAborted();
    if (!(error instanceof RetrievalError)) throw error;
    note(context, `a union is not to be had: ${error.message}`);
  }
  return undefined;
}

function note({ access }: Context, text: string): void {
  access.report({ type: 'note', text });
}
