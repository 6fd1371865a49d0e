/** What tests ask of a client, in one line each; another kind of retrieval than was asked for fails the test. */
import type { Client, RetrieveOptions } from '@retriever/client';
import type { Content, Entry, Listing } from '@retriever/driver';

export interface Asking {
  readonly content: (url: string, options?: RetrieveOptions) => Promise<Content>;
  /** The body as latin1. */
  readonly text: (url: string, options?: RetrieveOptions) => Promise<string>;
  readonly listing: (url: string, options?: RetrieveOptions) => Promise<Listing>;
  readonly entries: (url: string, options?: RetrieveOptions) => Promise<Entry[]>;
}

export function asking(client: Client): Asking {
  const content: Asking['content'] = async (url, options) => {
    const retrieved = await client.retrieve(url, options);
    if (retrieved.kind !== 'content') throw new Error(`${url} is a ${retrieved.kind}`);
    return retrieved;
  };
  const listing: Asking['listing'] = async (url, options) => {
    const retrieved = await client.retrieve(url, options);
    if (retrieved.kind !== 'listing') throw new Error(`${url} is a ${retrieved.kind}`);
    return retrieved;
  };
  return {
    content,
    listing,
    text: async (url, options) => Buffer.from(await (await content(url, options)).body.bytes()).toString('latin1'),
    entries: async (url, options) => {
      const entries: Entry[] = [];
      for await (const entry of (await listing(url, options)).entries) entries.push(entry);
      return entries;
    },
  };
}
