/** What is sent, as octets on the wire: data (RFC 854, 856), requests and subnegotiations (RFC 855). */
import { IAC, NAWS, SB, SE, TTYPE, type Verb } from './codes.ts';

const NUL = 0;
const LF = 0x0a;
const CR = 0x0d;
/** RFC 1091: the terminal type follows. */
const IS = 0;

/**
 * Data for the wire: 0xFF is doubled; a CR that no LF follows gets a NUL, except in binary (RFC 856). CR LF, the line end
 * of RFC 854, and a bare LF stay as they are.
 *
 * A CR at the end of `data` counts as one without LF: nobody would wait for the other half of a key stroke.
 */
export function encodeData(data: Uint8Array, binary: boolean): Uint8Array {
  if (!data.includes(IAC) && (binary || !data.includes(CR))) return data;
  const octets = new Uint8Array(data.length * 2);
  let length = 0;
  for (const [at, octet] of data.entries()) {
    octets[length++] = octet;
    if (octet === IAC) octets[length++] = IAC;
    else if (octet === CR && !binary && data[at + 1] !== LF) octets[length++] = NUL;
  }
  return octets.subarray(0, length);
}

/** `IAC WILL ECHO` and its like. */
export function encodeRequest(verb: Verb, option: number): Uint8Array {
  return Uint8Array.of(IAC, verb, option);
}

/** RFC 1073: width and height, two octets each. */
export function encodeWindowSize({ columns, rows }: { readonly columns: number; readonly rows: number }): Uint8Array {
  return encodeSubnegotiation(NAWS, Uint8Array.of(columns >> 8, columns & 255, rows >> 8, rows & 255));
}

/** RFC 1091: `IS` and the name. */
export function encodeTerminalType(name: Uint8Array): Uint8Array {
  return encodeSubnegotiation(TTYPE, Uint8Array.of(IS, ...name));
}

function encodeSubnegotiation(option: number, octets: Uint8Array): Uint8Array {
  return Uint8Array.of(IAC, SB, option, ...encodeData(octets, true), IAC, SE);
}
