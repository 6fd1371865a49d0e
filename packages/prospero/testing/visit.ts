/** Retrieves from a peer with the driver, through real sockets, and looks at what came of it. */
import type { Entry, Retrieval } from '@retriever/driver';
import { testAccess } from '@retriever/driver/testing';
import { parse, type ProsperoUrl } from '@retriever/url';
import type { ProsperoOptions } from '../src/options.ts';
import { prospero } from '../src/prospero.ts';
import { udpPeer, type Answering } from './udp-peer.ts';

export interface Visit {
  readonly retrieval: Retrieval;
  readonly entries: readonly Entry[];
  /** The texts of the datagrams heard, headers cut off; empty ones are left out. */
  readonly said: readonly string[];
  readonly heard: readonly Buffer[];
  readonly notes: readonly string[];
}

/** @param path - What follows the host: `/AFTP/pub`. */
export async function visit(answering: Answering, path: string, options: ProsperoOptions = {}): Promise<Visit> {
  await using peer = await udpPeer(answering);
  const access = testAccess();
  try {
    const url = parse(`prospero://127.0.0.1:${peer.port}${path}`) as ProsperoUrl;
    const retrieval = await prospero(options).retrieve({ url }, access);
    const entries: Entry[] = [];
    if (retrieval.kind === 'listing') for await (const entry of retrieval.entries) entries.push(entry);
    // What was sent last may still be on its way.
    await new Promise((resolve) => setTimeout(resolve, 5));
    const said = peer.heard.map((datagram) => datagram.subarray(datagram[0]).toString('latin1')).filter(Boolean);
    const notes = access.events.flatMap((event) => (event.type === 'note' ? [event.text] : []));
    return { retrieval, entries, said, heard: peer.heard, notes };
  } finally {
    access.close();
  }
}
