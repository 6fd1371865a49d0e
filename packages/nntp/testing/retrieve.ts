/** Retrieving in a test, in one line. */
import type { Content, Entry, Listing, Retrieval, RetrievalError, RetrievalRequest } from '@retriever/driver';
import { testAccess, type TestAccess, type TestAccessOptions } from '@retriever/driver/testing';
import { parse, type NewsUrl, type NntpUrl } from '@retriever/url';
import { nntp, type NntpOptions } from '../src/index.ts';

type Request = Omit<RetrievalRequest<NewsUrl | NntpUrl>, 'url'>;

export interface Visit extends Disposable {
  readonly access: TestAccess;
  retrieve(url: string, request?: Request): Promise<Retrieval>;
  content(url: string, request?: Request): Promise<Content>;
  /** The body as latin1. */
  text(url: string, request?: Request): Promise<string>;
  listing(url: string, request?: Request): Promise<Listing>;
  entries(url: string, request?: Request): Promise<Entry[]>;
  /** What retrieving it, entries or body included, fails with. */
  failure(url: string, request?: Request): Promise<RetrievalError>;
  /** The trace's lines. */
  readonly talk: readonly string[];
}

/** A driver with an access whose sessions are reused, until disposed of. */
export function visit(options?: NntpOptions, accessOptions?: TestAccessOptions): Visit {
  const access = testAccess(accessOptions);
  const driver = nntp(options);
  const retrieve: Visit['retrieve'] = (url, request) =>
    driver.retrieve({ url: parse(url) as NewsUrl | NntpUrl, ...request }, access);
  const content: Visit['content'] = async (url, request) => ofKind(await retrieve(url, request), 'content');
  const listing: Visit['listing'] = async (url, request) => ofKind(await retrieve(url, request), 'listing');
  const entries: Visit['entries'] = async (url, request) => all((await listing(url, request)).entries);
  return {
    access,
    retrieve,
    content,
    listing,
    entries,
    text: async (url, request) => Buffer.from(await (await content(url, request)).body.bytes()).toString('latin1'),
    async failure(url, request) {
      try {
        const retrieval = await retrieve(url, request);
        if (retrieval.kind === 'listing') await all(retrieval.entries);
        else if ('body' in retrieval) await retrieval.body?.bytes();
      } catch (error) {
        return error as RetrievalError;
      }
      throw new Error(`${url} did not fail`);
    },
    get talk() {
      return access.events.flatMap((event) => ('text' in event ? [`${event.type} ${event.text}`] : []));
    },
    [Symbol.dispose]: () => access.close(),
  };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

function ofKind<K extends Retrieval['kind']>(retrieval: Retrieval, kind: K): Extract<Retrieval, { kind: K }> {
  if (retrieval.kind !== kind) throw new TypeError(`a ${retrieval.kind} came where a ${kind} was due`);
  return retrieval as Extract<Retrieval, { kind: K }>;
}
