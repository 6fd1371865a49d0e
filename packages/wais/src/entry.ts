/** A document that a search found, as an entry with the URL it is to be had by. */
import { latin1Of, textOf, type Entry } from '@retriever/driver';
import { encode, parse, type WaisUrl } from '@retriever/url';
import type { DocumentHeader } from './document-header.ts';
import { defaultType, mediaTypeOfDocument } from './document-type.ts';
import { writeWpath } from './wpath.ts';

/** The headline of freeWAIS-sf's only record when it found nothing: the catalogue, offered in its place. */
const noResult = /^Search produced no result\b/;

/** What freeWAIS-sf calls the description and the catalogue of a database, when it is asked what it is. */
const descriptions: readonly (readonly [role: string, headline: RegExp])[] = [
  ['description', /^Information on database: /],
  ['catalogue', /^Catalog for database: /],
];

/** @param url The URL of the search: the document is in its database. */
export function documentEntry(header: DocumentHeader, url: WaisUrl): Entry {
  const { headline, types } = header;
  const [type = defaultType] = types;
  const entry = {
    name: textOf(headline),
    rawName: headline,
    kind: 'file' as const,
    ...(header.length !== undefined && { size: header.length }),
    mediaType: mediaTypeOfDocument(type),
    facts: factsOf(header, url),
  };
  const document = documentUrl(header, url, type, header.length ?? 0);
  if (type === 'URL') return { ...entry, ...elsewhere(textOf(headline).trim(), document) };
  return document === undefined ? { ...entry, kind: 'other' } : { ...entry, url: document };
}

/** Undefined when the server did not say which document it is. */
function documentUrl({ docId }: DocumentHeader, url: WaisUrl, type: string, length: number): string | undefined {
  if (docId === undefined || docId.length === 0) return undefined;
  const wtype = encode(Uint8Array.from(type, (character) => character.charCodeAt(0)));
  // libwww would take a comma for the next type.
  return `${databaseUrl(url)}/${wtype.replaceAll(',', '%2C')}/${writeWpath({ docId, length })}`;
}

/** `wais://host:port/database`. */
export function databaseUrl({ host, port, octets }: WaisUrl): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return `wais://${name}${port === undefined ? '' : `:${port}`}/${encode(octets.database)}`;
}

function factsOf(header: DocumentHeader, url: WaisUrl): NonNullable<Entry['facts']> {
  const { score, lines, types, date, city } = header;
  const role = roleOf(header);
  return {
    ...(score !== undefined && { score }),
    ...(lines !== undefined && { lines }),
    ...(types.length > 0 && { types: types.join(',') }),
    ...(date !== undefined && date !== '' && date !== '0' && { date }),
    ...(city !== undefined && city !== '' && { city }),
    ...(role !== undefined && { role }),
    ...(isNoResult(header) && { noResult: true }),
    ...Object.fromEntries(otherTypes(header, url)),
  };
}

/** freeWAIS-sf gives the record score 0, which no document that was found has. */
const isNoResult = ({ score, headline }: DocumentHeader): boolean => score === 0 && noResult.test(latin1Of(headline));

function roleOf(header: DocumentHeader): string | undefined {
  if (isNoResult(header)) return 'catalogue';
  const headline = latin1Of(header.headline);
  return descriptions.find(([, pattern]) => pattern.test(headline))?.[0];
}

/** The document's URLs in its other types; the header's length is that of the first, so these say 0: unknown. */
function* otherTypes(header: DocumentHeader, url: WaisUrl): Generator<[string, string]> {
  for (const type of new Set(header.types.slice(1))) {
    const other = documentUrl(header, url, type, 0);
    if (other !== undefined) yield [`url.${type}`, other];
  }
}

/** Schemes that act on the reader's own machine or page: a server's word is never made a link to them. */
const hostile = new Set(['about', 'blob', 'data', 'file', 'javascript', 'vbscript', 'view-source']);

/** A document of type URL stands for another: its headline is the URL. The document itself is the server's copy. */
function elsewhere(target: string, document: string | undefined): Partial<Entry> & Pick<Entry, 'kind'> {
  const url = safeUrl(target) ?? document;
  return { kind: 'link', linkTarget: target, ...(url !== undefined && { url }) };
}

function safeUrl(target: string): string | undefined {
  // Nor does a server's word ever put line ends into a protocol (RFC 1738 §6).
  if (/%0[ad]|[\r\n]/i.test(target)) return undefined;
  try {
    const url = parse(target);
    return hostile.has(url.scheme) ? undefined : url.toString();
  } catch {
    return undefined;
  }
}
