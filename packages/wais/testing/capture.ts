/** Exchanges recorded with freeWAIS-sf 2.2.10 and 2.0.65 (`v2065-…`), byte for byte, and a server that plays them again. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { socketSource } from '@retriever/driver';
import type { PeerScript } from '@retriever/driver/testing';

const folder = new URL('captures/', import.meta.url);

/** Whole messages, headers included. */
export interface Capture {
  readonly name: string;
  /** From client to server. */
  readonly requests: readonly Buffer[];
  /** From server to client, one for each request; fewer where the server closed instead. */
  readonly replies: readonly Buffer[];
}

/** @param name - As in `01-init-search3-retrieve`. */
export function capture(name: string): Capture {
  return {
    name,
    requests: messagesIn(readFileSync(new URL(`${name}.c2s.bin`, folder))),
    replies: messagesIn(readFileSync(new URL(`${name}.s2c.bin`, folder))),
  };
}

export const captureNames = (): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith('.s2c.bin'))
        .map((file) => file.slice(0, -'.s2c.bin'.length))
    : [];

/** Splits a stream into its messages: 25 octets of header, whose first 10 digits count what follows. */
export function messagesIn(stream: Buffer): Buffer[] {
  const messages: Buffer[] = [];
  for (let at = 0; at < stream.length;) {
    const length = Number(stream.toString('latin1', at, at + 10));
    const end = Number.isNaN(length) ? stream.length : at + 25 + length;
    messages.push(stream.subarray(at, end));
    at = end;
  }
  return messages;
}

/** The type of a message's PDU: 20 is Init, 22 Search. */
export const pduType = (message: Buffer): number | undefined => message[27];

export interface Replay {
  readonly script: PeerScript;
  /** Requests that the recorded client did not send. */
  readonly strangers: Buffer[];
  /** All requests, in order. */
  readonly requests: Buffer[];
}

/**
 * Answers a request that the recorded client sent, octet for octet, with what the recorded server answered, and closes where
 * that one closed. An Init, which names the client, is answered with the recorded InitResponse, whatever is in it; if there is
 * none, with the empty reply that freeWAIS has for what it does not know. Anything else is a stranger, and ends the connection.
 */
export function replay({ requests, replies }: Capture): Replay {
  const strangers: Buffer[] = [];
  const seen: Buffer[] = [];
  const script: PeerScript = async (connection) => {
    const left = requests.map((request, at) => ({ request, reply: replies[at] }));
    const knowsInit = requests.some((request) => isInit(request));
    for await (const request of requestsFrom(connection.socket)) {
      seen.push(request);
      if (isInit(request) && !knowsInit) {
        await connection.send('0000000000z2wais        0');
        continue;
      }
      const at = left.findIndex((pair) => pair.request.equals(request) || isInit(request, pair.request));
      if (at === -1) strangers.push(request);
      const [pair] = at === -1 ? [] : left.splice(at, 1);
      if (!pair?.reply) return;
      await connection.send(pair.reply);
    }
  };
  return { script, strangers, requests: seen };
}

const isInit = (...messages: readonly Buffer[]): boolean => messages.every((message) => pduType(message) === 20);

/** Requests as they come, whole. */
export async function* requestsFrom(socket: Parameters<typeof socketSource>[0]): AsyncGenerator<Buffer> {
  const source = socketSource(socket);
  let buffer: Buffer = Buffer.alloc(0);
  for (;;) {
    const chunk = await source.read().catch(() => undefined);
    if (!chunk) return;
    buffer = Buffer.concat([buffer, chunk]);
    while (buffer.length >= 25) {
      const end = 25 + Number(buffer.toString('latin1', 0, 10));
      if (!(buffer.length >= end)) break;
      yield buffer.subarray(0, end);
      buffer = buffer.subarray(end);
    }
  }
}
