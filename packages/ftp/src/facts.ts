/** SIZE and MDTM (RFC 3659 §3, §4): what is known of a file without reading it. */
import type { Step } from './pipelining.ts';
import { isUnknownCommand, refusal, wordsOf, type FtpReply } from './reply.ts';
import type { FtpSession } from './session.ts';
import type { RetrievalError } from '@retriever/driver';

/** Filled in by the steps. */
export interface FileFacts {
  size?: number;
  modified?: Date;
  /** Why SIZE or MDTM gave nothing, the first of them. */
  refusal?: RetrievalError;
}

/** SIZE, valid for the type in force; asked in image type only (ProFTPD refuses it in ASCII type, others give the stored size). */
export function sizeStep(session: FtpSession, name: Uint8Array, facts: FileFacts): Step[] {
  return factStep(session, 'SIZE', name, facts, (reply) => {
    const size = sizeIn(reply);
    if (size !== undefined) facts.size = size;
  });
}

export function mdtmStep(session: FtpSession, name: Uint8Array, facts: FileFacts): Step[] {
  return factStep(session, 'MDTM', name, facts, (reply) => {
    const modified = timeOf(wordsOf(reply).trim());
    if (modified) facts.modified = modified;
  });
}

function factStep(
  session: FtpSession,
  verb: 'SIZE' | 'MDTM',
  name: Uint8Array,
  facts: FileFacts,
  learn: (reply: FtpReply) => void,
): Step[] {
  if (session.unknown.has(verb)) return [];
  return [
    {
      command: [`${verb} `, name],
      heed(reply) {
        if (reply.code === 213) learn(reply);
        else if (reply.code === 421) throw refusal(`${verb} at ${session.control.host}`, reply);
        else if (isUnknownCommand(reply)) session.unknown.add(verb);
        else facts.refusal ??= refusal(`${verb} at ${session.control.host}`, reply);
      },
    },
  ];
}

function sizeIn(reply: FtpReply): number | undefined {
  const words = wordsOf(reply);
  const size = /^\s*\d{1,16}\s*$/.test(words) ? Number(words) : NaN;
  return Number.isSafeInteger(size) ? size : undefined;
}

/** A time-val of RFC 3659 §2.3, in UTC; undefined when it is none. */
export function timeOf(text: string): Date | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d{1,3})\d*)?$/.exec(text);
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second, Number((match[7] ?? '').padEnd(3, '0'))));
  // Date.UTC carries 31 February over into March; a leap second may carry.
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date : undefined;
}

/** The byte count in a 150 reply: `150 Opening BINARY mode data connection for x (43 bytes)`. */
export function announcedSize(reply: FtpReply): number | undefined {
  const [, digits] = /\((\d{1,16}) bytes\)/.exec(wordsOf(reply)) ?? [];
  const size = Number(digits);
  return digits !== undefined && Number.isSafeInteger(size) ? size : undefined;
}
