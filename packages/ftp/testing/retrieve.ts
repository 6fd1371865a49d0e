/** Retrieving in a test, in one line. */
import type { Content, Entry, Listing, Retrieval, RetrievalRequest } from '@retriever/driver';
import { testAccess, type TestAccess, type TestAccessOptions } from '@retriever/driver/testing';
import { parse, type FtpUrl } from '@retriever/url';
import { ftp, type FtpOptions } from '../src/index.ts';

export interface Visit extends Disposable {
  readonly access: TestAccess;
  retrieve(url: string, request?: Omit<RetrievalRequest<FtpUrl>, 'url'>): Promise<Retrieval>;
  content(url: string, request?: Omit<RetrievalRequest<FtpUrl>, 'url'>): Promise<Content>;
  /** The body as latin1. */
  text(url: string, request?: Omit<RetrievalRequest<FtpUrl>, 'url'>): Promise<string>;
  listing(url: string, request?: Omit<RetrievalRequest<FtpUrl>, 'url'>): Promise<Listing>;
  entries(url: string): Promise<Entry[]>;
}

/** A driver with an access whose sessions are reused, until disposed of. */
export function visit(options?: FtpOptions, accessOptions?: TestAccessOptions): Visit {
  const access = testAccess(accessOptions);
  const driver = ftp(options);
  const retrieve: Visit['retrieve'] = (url, request) =>
    driver.retrieve({ url: parse(url) as FtpUrl, ...request }, access);
  const content: Visit['content'] = async (url, request) => ofKind(await retrieve(url, request), 'content');
  const listing: Visit['listing'] = async (url, request) => ofKind(await retrieve(url, request), 'listing');
  return {
    access,
    retrieve,
    content,
    listing,
    text: async (url, request) => Buffer.from(await (await content(url, request)).body.bytes()).toString('latin1'),
    entries: async (url) => {
      const entries: Entry[] = [];
      for await (const entry of (await listing(url)).entries) entries.push(entry);
      return entries;
    },
    [Symbol.dispose]: () => access.close(),
  };
}

function ofKind<K extends Retrieval['kind']>(retrieval: Retrieval, kind: K): Extract<Retrieval, { kind: K }> {
  if (retrieval.kind !== kind) throw new TypeError(`a ${retrieval.kind} came where a ${kind} was due`);
  return retrieval as Extract<Retrieval, { kind: K }>;
}
