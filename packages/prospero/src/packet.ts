/**
 * Packets of ARDP, the Asynchronous Reliable Delivery Protocol under Prospero, version 0.
 *
 * A header is cut off after the last field that is needed; its first octet is its length:
 *
 *     0      version (2 bits, 0), length of the header (6 bits)      7-8   received through
 *     1-2    connection id                                           9-10  wait, seconds
 *     3-4    packet number, 0 for a control packet                   11    flags
 *     5-6    total packets, 0 while unknown                          12    option, then arguments of flags and option
 */
import { RetrievalError } from '@retriever/driver';

/** A packet that came. Undefined is what the header does not say. */
export interface Packet {
  readonly connectionId: number;
  /** 0: unsequenced, without data. */
  readonly number: number;
  readonly total: number | undefined;
  /** The sender has our packets up to this one. */
  readonly receivedThrough: number | undefined;
  readonly waitSeconds: number | undefined;
  readonly wantsAcknowledgement: boolean;
  /** It counts, but its data are for ARDP alone. */
  readonly isControl: boolean;
  readonly option: Option | undefined;
  readonly data: Uint8Array;
}

export type Option =
  | { readonly type: 'refused' }
  | { readonly type: 'reset' }
  | { readonly type: 'redirect'; readonly host: string; readonly port: number }
  | { readonly type: 'queue'; readonly position: number | undefined; readonly seconds: number | undefined }
  | { readonly type: 'other'; readonly code: number };

const MORE_THAN_A_HEADER = 32;
const FLAG = { address: 0x01, priority: 0x02, protocol: 0x04, window: 0x08, control: 0x40, acknowledge: 0x80 };
const CANCEL = 1;

/** One packet of a request: all nine octets are written, as the original clients do. */
export function requestPacket(connectionId: number, number: number, total: number, data: Uint8Array): Uint8Array {
  const packet = new Uint8Array(9 + data.length);
  packet.set([9, ...two(connectionId), ...two(number), ...two(total), 0, 0]);
  packet.set(data, 9);
  return packet;
}

/** A control packet that says what has come. */
export function acknowledgement(connectionId: number, receivedThrough: number): Uint8Array {
  return Uint8Array.from([9, ...two(connectionId), 0, 0, 0, 0, ...two(receivedThrough)]);
}

/** A control packet that tells the server to forget the request; no answer comes. */
export function cancellation(connectionId: number, receivedThrough: number): Uint8Array {
  return Uint8Array.from([13, ...two(connectionId), 0, 0, 0, 0, ...two(receivedThrough), 0, 0, 0, CANCEL]);
}

function two(value: number): [number, number] {
  return [value >> 8, value & 0xff];
}

/** @throws RetrievalError `protocol` for what cannot be an ARDP packet. */
export function readPacket(datagram: Uint8Array): Packet {
  const length = datagram[0] ?? 0;
  // Servers answer versions they do not speak with bare text.
  if (length >= MORE_THAN_A_HEADER) throw malformed('not version 0 of ARDP', datagram);
  if (length === 0 || length > datagram.length) throw malformed('the header is longer than the datagram', datagram);
  if (length < 12 && length % 2 === 0) throw malformed('the header ends within a field', datagram);
  const view = new DataView(datagram.buffer, datagram.byteOffset, length);
  const field = (at: number): number | undefined => (length >= at + 2 ? view.getUint16(at) : undefined);
  const flags = length > 11 ? view.getUint8(11) : 0;
  const number = field(3);
  return {
    connectionId: field(1) ?? 0,
    number: number ?? 1,
    // Without a number it is the only packet.
    total: number === undefined ? 1 : field(5) || undefined,
    receivedThrough: field(7),
    waitSeconds: field(9),
    wantsAcknowledgement: (flags & FLAG.acknowledge) !== 0,
    isControl: (flags & FLAG.control) !== 0,
    option: length > 12 ? readOption(view, flags) : undefined,
    data: datagram.subarray(length),
  };
}

function malformed(why: string, datagram: Uint8Array): RetrievalError {
  const start = Buffer.from(datagram.subarray(0, 16)).toString('hex');
  return new RetrievalError('protocol', `a datagram is no ARDP packet: ${why} (${start || 'empty'})`);
}

function readOption(view: DataView, flags: number): Option | undefined {
  const at = argumentsOfOption(view, flags);
  const code = view.getUint8(12);
  switch (code) {
    case 0:
      return undefined;
    case 1:
      return { type: 'refused' };
    case 2:
      return { type: 'reset' };
    case 4:
    case 5:
      return readRedirect(view, at);
    case 254:
      return readQueue(view, at);
    default:
      return { type: 'other', code };
  }
}

/** The arguments of the flags come first, from the low bit to the high one. */
function argumentsOfOption(view: DataView, flags: number): number {
  let at = 13;
  // Type, length, and as many octets.
  if (flags & FLAG.address) at += 2 + (at + 1 < view.byteLength ? view.getUint8(at + 1) : 0);
  for (const flag of [FLAG.priority, FLAG.protocol, FLAG.window]) if (flags & flag) at += 2;
  return at;
}

function readRedirect(view: DataView, at: number): Option {
  if (at + 6 > view.byteLength) throw new RetrievalError('protocol', 'an ARDP redirect names no address');
  const host = [0, 1, 2, 3].map((octet) => view.getUint8(at + octet)).join('.');
  const port = view.getUint16(at + 4);
  if (port === 0) throw new RetrievalError('protocol', 'an ARDP redirect names port 0');
  return { type: 'redirect', host, port };
}

function readQueue(view: DataView, at: number): Option {
  const has = at < view.byteLength ? view.getUint8(at) : 0;
  let next = at + 1;
  const position = has & 1 && next + 2 <= view.byteLength ? view.getUint16(next) : undefined;
  if (has & 1) next += 2;
  const seconds = has & 2 && next + 4 <= view.byteLength ? view.getUint32(next) : undefined;
  return { type: 'queue', position, seconds };
}
