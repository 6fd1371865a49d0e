/** Which grammar a scheme has. */
import { file } from './file.ts';
import { ftp } from './ftp.ts';
import { generic } from './generic.ts';
import { gopher } from './gopher.ts';
import type { Grammar } from './grammar.ts';
import { http } from './http.ts';
import { mailto } from './mailto.ts';
import { news } from './news.ts';
import { nntp } from './nntp.ts';
import { prospero } from './prospero.ts';
import { telnet } from './telnet.ts';
import type { Url } from './url.ts';
import { wais } from './wais.ts';

/** The grammars by the name that `url.grammar` holds. */
export const grammars: { readonly [G in Url['grammar']]: Grammar<Extract<Url, { grammar: G }>> } = {
  ftp,
  http,
  gopher,
  mailto,
  news,
  nntp,
  telnet,
  wais,
  file,
  prospero,
  generic,
};

interface Entry {
  readonly scheme: string;
  readonly grammar: Grammar<Url>;
}

const entries: readonly Entry[] = Object.values(grammars).flatMap((grammar) =>
  grammar.schemes.map((scheme) => ({ scheme, grammar: grammar as Grammar<Url> })),
);
/** The entries by their schemes' first letters: to compare a few names costs a fifth of hashing one. */
const byInitial: readonly (readonly Entry[])[] = Array.from({ length: 128 }, (_, code) =>
  entries.filter(({ scheme }) => scheme.charCodeAt(0) === code),
);

/** The grammar of a scheme in lower case; the generic one if RFC 1738 defines none. */
export function grammarOf(scheme: string): Pick<Grammar<Url>, 'parse'> {
  return definitionOf(scheme) ?? generic;
}

/** Whether RFC 1738, or a later RFC that this package follows, defines a scheme in lower case. */
export function isDefined(scheme: string): boolean {
  return definitionOf(scheme) !== undefined;
}

function definitionOf(scheme: string): Grammar<Url> | undefined {
  for (const entry of byInitial[scheme.charCodeAt(0)] ?? []) if (entry.scheme === scheme) return entry.grammar;
  return undefined;
}
