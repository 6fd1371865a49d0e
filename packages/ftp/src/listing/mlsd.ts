/** MLSD (RFC 3659 §7): `type=file;size=43;modify=20200101000000; name`. */
import { latin1Of, textOf, type EntryKind } from '@retriever/driver';
import { timeOf } from '../facts.ts';
import { isDots, octetsAt, type LineParser } from './listed-line.ts';

export const parseMlsd: LineParser = (line, text) => {
  // Every fact ends in `;`; Pure-FTPd's link targets may hold spaces. A last fact without one is tolerated.
  const space = text.startsWith(' ') ? 0 : text.indexOf('; ') + 1 || text.indexOf(' ');
  if (space === -1 || (space > 0 && !/^(?:[^=; ]+=[^;]*(?:;|$))+$/.test(text.slice(0, space)))) return undefined;
  // One space separates; further ones belong to the name (ProFTPD lists names with leading spaces).
  const rawName = octetsAt(line, space + 1);
  const facts = factsIn(line.subarray(0, space));
  const type = facts.get('type') ?? '';
  if (rawName.length === 0 || isDots(latin1Of(rawName)) || /^[cp]dir$/i.test(type)) return 'skip';
  const kind = kindOf(type);
  const size = facts.get('size');
  const modified = timeOf(facts.get('modify') ?? '');
  const mediaType = facts.get('media-type')?.toLowerCase();
  // Pure-FTPd puts the target behind a colon (against RFC 3659's erratum 1500).
  const linkTarget = /^OS\.unix=s(?:ym)?link:(.+)$/is.exec(type)?.[1];
  const others = [...facts].filter(([name]) => !['type', 'size', 'modify', 'media-type'].includes(name));
  return {
    rawName,
    kind,
    ...(kind === 'file' && size !== undefined && /^\d{1,15}$/.test(size) && { size: Number(size) }),
    ...(modified && { modified, precision: 'second' as const }),
    ...(mediaType !== undefined && { mediaType }),
    ...(linkTarget !== undefined && { linkTarget }),
    ...(others.length > 0 && { facts: Object.fromEntries(others) }),
  };
};

/** Facts by lower-case name (RFC 3659 §7.5: names are case-independent). */
function factsIn(octets: Uint8Array): Map<string, string> {
  const facts = new Map<string, string>();
  for (const fact of textOf(octets).split(';')) {
    const equals = fact.indexOf('=');
    if (equals > 0) facts.set(fact.slice(0, equals).toLowerCase(), fact.slice(equals + 1));
  }
  return facts;
}

function kindOf(type: string): EntryKind {
  if (/^file$/i.test(type)) return 'file';
  if (/^dir$/i.test(type)) return 'directory';
  // ProFTPD says `OS.unix=symlink`, Pure-FTPd `OS.unix=slink:target`.
  return /^OS\.unix=s(?:ym)?link/i.test(type) ? 'link' : 'other';
}
