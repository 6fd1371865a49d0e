/**
 * Protocol data units (RFC 1625, Z39.50-1988): two octets with the length of what follows up to the user information, one
 * with the type, fixed fields and tagged values; then the user information to the end of the message.
 */
import { RetrievalError } from '@retriever/driver';
import { concatenated, Octets } from './tagged.ts';

export const pduTypes = { init: 20, initResponse: 21, search: 22, searchResponse: 23 } as const;

const names = new Map<number, string>(Object.entries(pduTypes).map(([name, type]) => [type, name]));

/** @throws RetrievalError `limit` when the fields do not fit into the two octets of their length. */
export function pdu(
  type: number,
  fields: readonly ArrayLike<number>[],
  userInformation: Uint8Array = new Uint8Array(0),
): Uint8Array {
  const header = concatenated([[type], ...fields]);
  if (header.length > 0xffff) {
    throw new RetrievalError('limit', `the request's fields have ${header.length} octets; 65535 are possible`);
  }
  return concatenated([[header.length >> 8, header.length & 0xff], header, userInformation]);
}

export interface ReceivedPdu {
  /** Fixed fields and tagged values. */
  readonly fields: Octets;
  readonly userInformation: Uint8Array;
}

/** @throws RetrievalError `protocol` for any other type, or a length beyond the message. */
export function readPdu(message: Uint8Array, type: number): ReceivedPdu {
  const octets = new Octets(message);
  const fields = new Octets(octets.take(octets.number(2)));
  const got = fields.number(1);
  if (got !== type) {
    throw new RetrievalError('protocol', `the server sent ${nameOf(got)} where ${nameOf(type)} was due`);
  }
  return { fields, userInformation: octets.rest() };
}

const nameOf = (type: number): string => names.get(type) ?? `a PDU of type ${type}`;
