/** Agreeing on the size of messages (RFC 1625: Init). freeWAIS works without it, and then assumes its own sizes. */
import { latin1Of } from '@retriever/driver';
import { pdu, pduTypes, readPdu } from './pdu.ts';
import { numberOf, tagged } from './tagged.ts';

const tags = { version: 3, options: 4, messageSize: 5, recordSize: 6, id: 8, name: 9, programVersion: 10 } as const;

/**
 * Search and nothing else. With `present` set, as the sample of the protocol's specification has it, freeWAIS-sf answers
 * Result 0.
 */
const options = Uint8Array.of(0x80);
const protocolVersion = Uint8Array.of(0x80);

/** The largest message that freeWAIS-sf agrees to, in octets. */
export const largestMessage = 100_000;

/** @param messageBytes The longest reply wanted, in octets. */
export function initRequest(messageBytes: number): Uint8Array {
  return pdu(pduTypes.init, [
    tagged(tags.version, protocolVersion),
    tagged(tags.options, options),
    tagged(tags.messageSize, messageBytes),
    tagged(tags.recordSize, messageBytes),
    tagged(tags.id, 'RT'),
    tagged(tags.name, 'retriever'),
    tagged(tags.programVersion, '0.1'),
  ]);
}

export interface InitResponse {
  readonly accepted: boolean;
  /** The longest reply the server sends, in octets, its smaller figure; undefined when it gives none. */
  readonly messageBytes: number | undefined;
  /** The server's name and version, for people. */
  readonly server: string;
}

/** @throws RetrievalError `protocol`. */
export function readInitResponse(message: Uint8Array): InitResponse {
  const { fields } = readPdu(message, pduTypes.initResponse);
  const accepted = fields.number(1) === 1;
  let messageBytes: number | undefined;
  const words: string[] = [];
  while (fields.left > 0) {
    const { tag, value } = fields.tagged();
    if (tag === tags.messageSize || tag === tags.recordSize) {
      messageBytes = Math.min(messageBytes ?? Infinity, numberOf(value, 'the message size'));
    }
    if (tag >= tags.id && tag <= tags.programVersion) words.push(latin1Of(value.subarray(0, 80)));
  }
  return { accepted, messageBytes, server: words.join(' ') };
}
