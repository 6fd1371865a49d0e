/**
 * Exchanges recorded with ISI's directory server (P53.17May94b), to be played back octet by octet.
 *
 * A datagram is a line with its direction, its length and its header in hexadecimal; below, after `|`, its text. Whether a line
 * feed ends the text follows from the length.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface CapturedDatagram {
  readonly from: 'client' | 'server';
  readonly datagram: Uint8Array;
}

export function readCapture(name: string): CapturedDatagram[] {
  const text = readFileSync(join(import.meta.dirname, 'captures', `${name}.txt`), 'latin1');
  return text
    .split(/^(?=[CS]->)/m)
    .filter((part) => part !== '')
    .map(readDatagram);
}

function readDatagram(part: string): CapturedDatagram {
  const [, direction, length, hex] = /^(C->S|S->C).*? (\d+) bytes +header\[\d+\]: ([0-9a-f ]+)/.exec(part) ?? [];
  if (!direction || !hex) throw new Error(`not a datagram: ${part}`);
  const header = Buffer.from(hex.replaceAll(' ', ''), 'hex');
  const lines = [...part.matchAll(/^ {3}\| ?([^\n]*)$/gm)].map(([, line]) => line!);
  const payload = Buffer.from(lines.join('\n'), 'latin1');
  const missing = Number(length) - header.length - payload.length;
  if (missing !== 0 && missing !== 1) throw new Error(`the length is off by ${missing}: ${part.slice(0, 80)}`);
  const datagram = Buffer.concat([header, payload, Buffer.alloc(missing, 0x0a)]);
  return { from: direction === 'C->S' ? 'client' : 'server', datagram };
}

/** All octets of the answer, without ARDP. */
export function answerOf(name: string): string {
  return readCapture(name)
    .filter(({ from }) => from === 'server')
    .map(({ datagram }) => Buffer.from(datagram.subarray(datagram[0])).toString('latin1'))
    .join('');
}
