/** What a URL asks a WAIS server for (RFC 1738 §3.9), its octets fit to be sent. */
import { requireOneLine, RetrievalError } from '@retriever/driver';
import { decode, type WaisUrl } from '@retriever/url';
import { readWpath, type DocumentPath } from './wpath.ts';

export type Target =
  /** A search; no words ask the database what it is. */
  | { readonly kind: 'search'; readonly words: Uint8Array }
  | ({ readonly kind: 'document'; readonly type: Uint8Array } & DocumentPath);

/** @throws RetrievalError `policy` for octets that mean something else to a server, `unsupported` for a document without a doc-id. */
export function targetOf(url: WaisUrl): Target {
  requireName(url.octets.database);
  if (url.wtype === undefined) return { kind: 'search', words: wordsOf(url.search ?? '') };
  // libwww writes all the types that a document is to be had in; the length is that of the first.
  const type = requireOneLine(decode(url.wtype.replace(/,.*$/, '')), 'the wtype');
  if (!url.wpath) throw new RetrievalError('unsupported', 'the URL names a type but no document (RFC 1738 §3.9)');
  return { kind: 'document', type, ...readWpath(url.wpath) };
}

/** Clients have always written a space as `+` here, as in HTML forms; a plus is `%2B`. */
const wordsOf = (search: string): Uint8Array => requireOneLine(decode(search.replaceAll('+', ' ')), 'the search');

/** freeWAIS sends the query on to another host for `name@host`, and to several databases for names with a separator between. */
const forbidden = new Map([
  [0x40, '"@"'],
  [0x1e, 'a record separator'],
  [0x1f, 'a unit separator'],
]);

function requireName(database: Uint8Array): void {
  const bad = requireOneLine(database, 'the database').find((octet) => forbidden.has(octet));
  if (bad === undefined) return;
  throw new RetrievalError(
    'policy',
    `the database's name holds ${forbidden.get(bad)}, by which a server would ask elsewhere; nothing was sent`,
  );
}
