/** Retrieving from a scripted WAIS server in a test, in one line. */
import type { Content, Entry, Listing, Retrieval, RetrievalRequest } from '@retriever/driver';
import {
  scriptedPeer,
  testAccess,
  type PeerScript,
  type ScriptedPeer,
  type TestAccess,
} from '@retriever/driver/testing';
import { parse, type WaisUrl } from '@retriever/url';
import { wais, type WaisOptions } from '../src/index.ts';

type Request = Omit<RetrievalRequest<WaisUrl>, 'url'>;

export interface Visit extends AsyncDisposable {
  readonly peer: ScriptedPeer;
  readonly access: TestAccess;
  /** The peer's URL without a path. */
  readonly base: string;
  /** Retrieves a URL, or a path of the peer that begins with `/`. */
  retrieve(url: string, request?: Request): Promise<Retrieval>;
  content(url: string, request?: Request): Promise<Content>;
  /** The document's octets. */
  octets(url: string, request?: Request): Promise<Buffer>;
  listing(url: string, request?: Request): Promise<Listing>;
  entries(url: string, request?: Request): Promise<Entry[]>;
  /** What was noted on the trace. */
  notes(): string[];
  /** What was sent and received, as the trace shows it. */
  dialogue(): string[];
}

export async function visit(script: PeerScript, options?: WaisOptions): Promise<Visit> {
  const peer = await scriptedPeer(script);
  const access = testAccess();
  const driver = wais(options);
  const base = `wais://127.0.0.1:${peer.port}`;
  const retrieve: Visit['retrieve'] = (url, request = {}) =>
    driver.retrieve({ ...request, url: parse(url.startsWith('/') ? base + url : url) as WaisUrl }, access);
  const content: Visit['content'] = async (url, request) => ofKind(await retrieve(url, request), 'content');
  const listing: Visit['listing'] = async (url, request) => ofKind(await retrieve(url, request), 'listing');
  return {
    peer,
    access,
    base,
    retrieve,
    content,
    listing,
    octets: async (url, request) => Buffer.from(await (await content(url, request)).body.bytes()),
    entries: async (url, request) => {
      const entries: Entry[] = [];
      for await (const entry of (await listing(url, request)).entries) entries.push(entry);
      return entries;
    },
    notes: () => access.events.flatMap((event) => (event.type === 'note' ? [event.text] : [])),
    dialogue: () =>
      access.events.flatMap((event) =>
        event.type === 'sent' || event.type === 'received'
          ? [`${event.type === 'sent' ? '>' : '<'} ${event.text}`]
          : [],
      ),
    async [Symbol.asyncDispose]() {
      access.close();
      await peer[Symbol.asyncDispose]();
    },
  };
}

function ofKind<K extends Retrieval['kind']>(retrieval: Retrieval, kind: K): Extract<Retrieval, { kind: K }> {
  if (retrieval.kind !== kind) throw new TypeError(`a ${retrieval.kind} came where a ${kind} was due`);
  return retrieval as Extract<Retrieval, { kind: K }>;
}
