/** The head of a response as servers write it, and as RFC 9112 would have it. */
import { latin1Of } from '@retriever/driver';
import { field, listed, type Fields } from './fields.ts';

/** The lines of a head as they came, without line ends: the status line first. */
export type HeadLines = readonly string[];

const CR = 0x0d;
const LF = 0x0a;

/** RFC 9112 §2.2 lets empty lines stand before a message. */
function startOf(octets: Uint8Array): number {
  const start = octets.findIndex((octet) => octet !== CR && octet !== LF);
  return start < 0 ? octets.length : start;
}

/** Whether these may be the first octets of a response of HTTP/1. */
export function mayBeginHead(octets: Uint8Array): boolean {
  const start = startOf(octets);
  return 'http/'.startsWith(latin1Of(octets.subarray(start, start + 5)).toLowerCase());
}

/** Where the octets behind the head begin; undefined while it is incomplete. A lone LF ends a line, too (RFC 9112 §2.2). */
export function endOfHead(octets: Uint8Array): number | undefined {
  for (let at = octets.indexOf(LF, startOf(octets)); at >= 0; at = octets.indexOf(LF, at + 1)) {
    const next = octets[at + 1] === CR ? at + 2 : at + 1;
    if (octets[next] === LF) return next + 1;
  }
  return undefined;
}

/** The lines of a complete head. */
export function headLines(octets: Uint8Array): HeadLines {
  return latin1Of(octets.subarray(startOf(octets)))
    .replace(/\r?\n\r?\n$/, '')
    .split(/\r?\n/);
}

/** 1xx, which a client takes whenever it comes (RFC 9110 §15.2); not 101, which ends HTTP and which nobody asked for. */
export function isInterim([statusLine = '']: HeadLines): boolean {
  return /^HTTP\/\d\.\d +1(?!01)\d\d(?: |$)/i.test(statusLine);
}

/** `HTTP/1.1 404 Not Found`, RFC 9112 §4. */
export function reasonOf([statusLine = '']: HeadLines): string {
  return statusLine.replace(/^\S+ +\d+ */, '').trim();
}

/** The head without what RFC 9112 has clients put up with and undici does not. */
export function plainHead([statusLine = '', ...lines]: HeadLines): Buffer {
  const status = statusLine.replace(/^http\/(\d\.\d) +(\d{3})(?: +|$)/i, 'HTTP/$1 $2 ');
  return Buffer.from([status, ...withOneFraming(unfolded(lines)), '', ''].join('\r\n'), 'latin1');
}

/** RFC 9112 §5.2: a line that begins with white space goes on with the field before it. §5.1: none belongs before the colon. */
function unfolded(lines: readonly string[]): string[] {
  const fields: string[] = [];
  for (const line of lines) {
    if (/^[ \t]/.test(line) && fields.length > 0) fields.push(`${fields.pop()} ${line.trim()}`);
    else fields.push(line.replace(/^([^\s:]+)[ \t]+:/, '$1:'));
  }
  return fields;
}

/** RFC 9112 §6.3: Transfer-Encoding overrides Content-Length, and a length that is told alike several times is one. */
function withOneFraming(lines: readonly string[]): readonly string[] {
  const fields: Fields = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1)];
  });
  const lengths = listed(field(fields, 'content-length'));
  const coded = field(fields, 'transfer-encoding') !== undefined;
  const repeated = lengths.length > 1 && new Set(lengths).size === 1;
  if (lengths.length === 0 || !(coded || repeated)) return lines;
  const others = lines.filter((line) => !/^content-length:/i.test(line));
  // Somebody on the way may have split the octets otherwise: nothing that follows is trusted.
  return [...others, coded ? 'Connection: close' : `Content-Length: ${lengths[0]}`];
}
