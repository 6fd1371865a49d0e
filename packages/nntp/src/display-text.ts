/** Header values for people: octets as text, encoded-words decoded (RFC 2047), nothing that could disturb a terminal or a line. */
import { textOf } from '@retriever/driver';
import { decodeWords } from './encoded-words.ts';

/** @param value One character an octet, as {@link headerFields} gives it. */
export function displayText(value: string): string {
  return decodeWords(textOf(Buffer.from(value, 'latin1'))).replace(controls, ' ');
}

/** The same without decoding: for fields whose syntax knows no encoded-words. */
export function plainText(value: string): string {
  return textOf(Buffer.from(value, 'latin1')).replace(controls, ' ');
}

/** C0, DEL, C1: an encoded-word may hold line ends and escape sequences. */
const controls = /\p{Cc}/gu;
