/** A WAIS server that answers freely over its own documents, and errs in every way that was seen or feared. */
import type { PeerScript } from '@retriever/driver/testing';
import { waisAnswer, type WaisLibrary } from '../../cli/src/demo/wais-server.ts';
import { requestsFrom } from './capture.ts';

export const pixel: Buffer = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
export const allOctets: Buffer = Buffer.from(Array.from({ length: 1000 }, (_, at) => at % 256));

export const library: WaisLibrary = {
  database: 'db',
  description: '(:source :version 3 :database-name "db")\n',
  documents: [
    { headline: 'A short text', types: { TEXT: Buffer.from('apple pie\n') } },
    { headline: 'A picture of an apple', types: { TEXT: Buffer.from('an apple, described at length\n'), GIF: pixel } },
    { headline: 'Octets', types: { BIN: allOctets } },
    { headline: 'Nothing', types: { TEXT: Buffer.alloc(0) } },
  ],
};

/** The URL path of a document of the library. */
export const documentPath = (id: number | string, type: string, length: number): string =>
  `/db/${type}/${length}/2=demo;3=${id};7=%00;`;

export interface Faults {
  /** How many octets are sent before the connection is closed. */
  readonly truncateAt?: number;
  /** The longest message sent, without its header; in place of a longer one comes an empty one. */
  readonly maxMessageBytes?: number;
  /** What is sent in place of a reply; undefined: the connection is closed. `at` counts the replies, Init's is 0. */
  readonly alter?: (reply: Buffer, at: number) => Buffer | undefined;
  /** Told of every request. */
  readonly heed?: (request: Buffer) => void;
}

export function serving({ truncateAt = Infinity, maxMessageBytes = Infinity, alter, heed }: Faults = {}): PeerScript {
  return async (connection) => {
    let sent = 0;
    let count = 0;
    for await (const request of requestsFrom(connection.socket)) {
      heed?.(request);
      const answer = waisAnswer(request, library);
      const bounded = answer && answer.length - 25 > maxMessageBytes ? framed(Buffer.alloc(0)) : answer;
      const reply = bounded && alter ? alter(bounded, count++) : bounded;
      if (!reply) return;
      const part = reply.subarray(0, Math.max(0, truncateAt - sent));
      sent += reply.length;
      if (part.length > 0) await connection.send(part);
      if (part.length < reply.length) return;
    }
  };
}

/** A message with its header. */
export const framed = (body: Uint8Array | string): Buffer => {
  const octets = Buffer.from(body as string, 'latin1');
  return Buffer.concat([Buffer.from(`${String(octets.length).padStart(10, '0')}z2wais        0`), octets]);
};

/** A SearchResponse with these records, and the count it gives of them. */
export function searchResponse(records: string, count = 1): Buffer {
  const head = Buffer.from(`\x17\0\0\0\0\0\0${String.fromCharCode(count)}\0\0\0\x1b\x01\0`, 'latin1');
  const user = Buffer.from(value(99, records), 'latin1');
  return framed(Buffer.concat([Buffer.of(0, head.length), head, user]));
}

/** A tagged value, as latin1. */
export const value = (tag: number, octets: string): string => base128(tag) + base128(octets.length) + octets;

export const diagnostic = (text: string): string =>
  `\x1c${String.fromCharCode((text.length + 1) >> 8, (text.length + 1) & 255)}${text}\0\x1d`;

function base128(number: number): string {
  const low = String.fromCharCode(number & 127);
  return number < 128
    ? low
    : base128(number >> 7).replaceAll(/[^]/g, (octet) => String.fromCharCode(octet.charCodeAt(0) | 128)) + low;
}
