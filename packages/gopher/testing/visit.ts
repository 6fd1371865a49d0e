/** Retrieving from a scripted peer in a test, in one line. */
import type { Content, Entry, Listing, Retrieval, RetrievalRequest } from '@retriever/driver';
import {
  scriptedPeer,
  testAccess,
  type PeerScript,
  type ScriptedPeer,
  type TestAccess,
} from '@retriever/driver/testing';
import { parse, type GopherUrl } from '@retriever/url';
import { gopher, type GopherOptions } from '../src/index.ts';

export interface Visit extends AsyncDisposable {
  readonly peer: ScriptedPeer;
  readonly access: TestAccess;
  /** The peer's URL without a path. */
  readonly base: string;
  /** Retrieves `base` + path. */
  retrieve(path: string, request?: Partial<RetrievalRequest>): Promise<Retrieval>;
  content(path: string, request?: Partial<RetrievalRequest>): Promise<Content>;
  listing(path: string, request?: Partial<RetrievalRequest>): Promise<Listing>;
  entries(path: string): Promise<Entry[]>;
  /** What was noted on the trace. */
  notes(): string[];
}

export async function visit(script: PeerScript, options?: GopherOptions): Promise<Visit> {
  const peer = await scriptedPeer(script);
  const access = testAccess();
  const driver = gopher(options);
  const base = `gopher://127.0.0.1:${peer.port}`;
  const retrieve: Visit['retrieve'] = (path, request = {}) =>
    driver.retrieve({ ...request, url: parse(`${base}${path}`) as GopherUrl }, access);
  const listing: Visit['listing'] = async (path, request) => ofKind(await retrieve(path, request), 'listing');
  return {
    peer,
    access,
    base,
    retrieve,
    listing,
    content: async (path, request) => ofKind(await retrieve(path, request), 'content'),
    entries: async (path) => {
      const entries: Entry[] = [];
      for await (const entry of (await listing(path)).entries) entries.push(entry);
      return entries;
    },
    notes: () => access.events.flatMap((event) => (event.type === 'note' ? [event.text] : [])),
    async [Symbol.asyncDispose]() {
      access.close();
      await peer[Symbol.asyncDispose]();
    },
  };
}

/** Answers every request of one line with the same octets and closes. */
export const answer =
  (octets: string | Uint8Array): PeerScript =>
  async (connection) => {
    await connection.line();
    await connection.send(octets);
  };

function ofKind<K extends Retrieval['kind']>(retrieval: Retrieval, kind: K): Extract<Retrieval, { kind: K }> {
  if (retrieval.kind !== kind) throw new TypeError(`a ${retrieval.kind} came where a ${kind} was due`);
  return retrieval as Extract<Retrieval, { kind: K }>;
}
