/** A web server made of answers, for this package's tests. */
import type { Content, Reference, Retrieval, RetrievalRequest } from '@retriever/driver';
import { RetrievalError } from '@retriever/driver';
import {
  scriptedPeer,
  testAccess,
  type ScriptedPeer,
  type ScriptedPeerOptions,
  type TestAccess,
  type TestAccessOptions,
} from '@retriever/driver/testing';
import { parse, type HttpUrl } from '@retriever/url';
import { http, type HttpOptions } from '../src/http.ts';

/** What the peer sends for a request, and whether it then ends or breaks the connection. */
export type Reply = string | Buffer | { readonly octets: string | Buffer; readonly after: 'end' | 'reset' };

export interface WebPeerOptions extends ScriptedPeerOptions, TestAccessOptions {
  readonly driver?: HttpOptions;
}

type More = Omit<RetrievalRequest, 'url'>;

export interface WebPeer extends AsyncDisposable {
  readonly peer: ScriptedPeer;
  readonly access: TestAccess;
  /** The URL of a path at the peer; `user` stands before the host. */
  url(path?: string, user?: string): string;
  retrieve(path?: string, more?: More): Promise<Retrieval>;
  content(path?: string, more?: More): Promise<Content>;
  reference(path?: string, more?: More): Promise<Reference>;
  /** The error of a retrieval, or of reading its body. */
  failure(path?: string, more?: More): Promise<RetrievalError>;
  /** The trace's lines of one direction. */
  lines(type: 'sent' | 'received'): string[];
}

/** Gives each request the next reply, over however many connections. */
export async function webPeer(replies: readonly Reply[], options: WebPeerOptions = {}): Promise<WebPeer> {
  const left = [...replies];
  const peer = await scriptedPeer(async (connection) => {
    for (;;) {
      while ((await connection.line()) !== '');
      const reply = left.shift();
      if (reply === undefined) return connection.closed();
      if (typeof reply === 'string' || Buffer.isBuffer(reply)) await connection.send(reply);
      else {
        await connection.send(reply.octets);
        return reply.after === 'end' ? undefined : connection.reset();
      }
    }
  }, options);
  const access = testAccess(options);
  const driver = http(options.driver);
  const url = (path = '/', user = ''): string => `http://${user}${peer.host}:${peer.port}${path}`;
  const retrieve = (path?: string, more?: More): Promise<Retrieval> => {
    const text = path?.startsWith('http') ? path : url(path);
    return driver.retrieve({ url: parse(text) as HttpUrl, ...more }, access);
  };
  return {
    peer,
    access,
    url,
    retrieve,
    async content(path, more) {
      const retrieval = await retrieve(path, more);
      if (retrieval.kind !== 'content') throw new Error(`a ${retrieval.kind}`);
      return retrieval;
    },
    async reference(path, more) {
      const retrieval = await retrieve(path, more);
      if (retrieval.kind !== 'reference') throw new Error(`a ${retrieval.kind}`);
      return retrieval;
    },
    async failure(path, more) {
      try {
        const retrieval = await retrieve(path, more);
        if ('body' in retrieval) await retrieval.body?.pipeTo(() => undefined);
      } catch (error) {
        if (error instanceof RetrievalError) return error;
        throw error;
      }
      throw new Error('it did not fail');
    },
    lines: (type) => access.events.flatMap((event) => (event.type === type && 'text' in event ? [event.text] : [])),
    async [Symbol.asyncDispose]() {
      access.close();
      await peer[Symbol.asyncDispose]();
    },
  };
}

/** A response with a body and its length. */
export function response(status: string, fields: readonly string[] = [], body: string | Buffer = ''): Buffer {
  const octets = Buffer.from(body);
  const head = [`HTTP/1.1 ${status}`, ...fields, `Content-Length: ${octets.length}`, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), octets]);
}
