/**
 * The 25 characters of ASCII before every message:
 *
 *     length     10 digits, of what follows the header
 *     type       `z` a message · `a`, `n` acknowledgements, which nobody was seen to send
 *     version    `2`; of `1`, document headers lack their types
 *     server     10 characters, which servers echo
 *     compression, encoding    a space each: none
 *     checksum   `0`, which nobody checks
 */
import { ascii, latin1Of, RetrievalError } from '@retriever/driver';

export const headerBytes = 25;
/** How many digits stand before anything else. */
const lengthDigits = 10;

/** A header and the message after it, in one piece: freeWAIS reads a request with one call. */
export function framed(message: Uint8Array): Uint8Array {
  const whole = new Uint8Array(headerBytes + message.length);
  whole.set(ascii(`${String(message.length).padStart(lengthDigits, '0')}z2wais        0`));
  whole.set(message, headerBytes);
  return whole;
}

/**
 * The length of the message that a header announces.
 *
 * @throws RetrievalError `protocol` for anything but a plain message of version 1 or 2.
 */
export function messageLength(header: Uint8Array): number {
  checkBeginning(header);
  const text = latin1Of(header);
  const [type, version] = [text[10]!, text[11]!];
  if (type !== 'z') throw new RetrievalError('protocol', `the server sent a message of type ${shown(type)}, not z`);
  if (version !== '1' && version !== '2') {
    throw new RetrievalError('protocol', `the server speaks version ${shown(version)} of the message header, not 2`);
  }
  const [compression, encoding] = [text[22]!, text[23]!];
  if (compression !== ' ' || encoding !== ' ') {
    throw new RetrievalError(
      'protocol',
      `the server sent a message with compression ${shown(compression)} and encoding ${shown(encoding)}; none was asked for`,
    );
  }
  return Number(text.slice(0, lengthDigits));
}

/**
 * Judges what came of a header, be it one octet, so that nobody waits for the rest of what is none.
 *
 * @throws RetrievalError `protocol`; a Z39.50 server of 1992 or later is named as such (RFC 1738 §3.9 does not mean those).
 */
export function checkBeginning(octets: Uint8Array): void {
  if (isZ3950(octets)) {
    throw new RetrievalError(
      'protocol',
      'the server speaks Z39.50 (BER, 1992 or later), not WAIS; RFC 1738 §3.9 is for WAIS alone',
    );
  }
  const digits = octets.subarray(0, lengthDigits);
  if (digits.every((octet) => octet >= 0x30 && octet <= 0x39)) return;
  throw new RetrievalError('protocol', `not a WAIS message: it begins with ${shown(latin1Of(octets.subarray(0, 25)))}`);
}

/** BER tags of Z39.50: initRequest, initResponse, and close, whose number takes a second octet. */
const isZ3950 = ([first, second]: Uint8Array): boolean =>
  first === 0xb4 || first === 0xb5 || (first === 0xbf && (second === undefined || second === 0x30));

const shown = (text: string): string => JSON.stringify(text);
