/** What a URL asks for in the words of RFC 3977, checked before anything is sent. */
import { latin1Of, requireOneLine, RetrievalError } from '@retriever/driver';
import type { NewsUrl, NntpUrl } from '@retriever/url';

export type Wish =
  /** ARTICLE by message-id. */
  | { readonly kind: 'article'; readonly messageId: Uint8Array }
  /** GROUP, and ARTICLE by number. */
  | { readonly kind: 'number'; readonly group: Uint8Array; readonly number: string }
  /** GROUP, and an overview of the range, or of the whole group. */
  | { readonly kind: 'group'; readonly group: Uint8Array; readonly range: ArticleRange | undefined }
  /** The groups that match, or all of them. */
  | { readonly kind: 'groups'; readonly wildmat: Uint8Array | undefined };

/** Digits; no `high` means all from `low` on (RFC 5538 §3). */
export interface ArticleRange {
  readonly low: string;
  readonly high?: string;
}

/** @throws RetrievalError `policy` when a part would end the command line, or be more than one argument of it. */
export function wishOf(url: NewsUrl | NntpUrl): Wish {
  const { group } = url.octets;
  if (url.grammar === 'news' && url.octets.article) {
    return { kind: 'article', messageId: bracketed(requireArgument(url.octets.article, 'the message-id')) };
  }
  if (group === undefined || latin1Of(group) === '*') return { kind: 'groups', wildmat: undefined };
  requireArgument(group, 'the newsgroup name');
  // RFC 5538 §4 has wildmats in news: URLs; no newsgroup name holds these characters (RFC 5536 §3.1.4).
  if (/[*?,!\\[\]]/.test(latin1Of(group))) return { kind: 'groups', wildmat: group };
  if (url.grammar !== 'nntp') return { kind: 'group', group, range: undefined };
  for (const number of [url.article, url.range?.low, url.range?.high]) requireNumber(number);
  if (url.article !== undefined) return { kind: 'number', group, number: url.article };
  return { kind: 'group', group, range: url.range };
}

/** RFC 5538 §3 has 16 digits at the most; servers count to 2^64, which has 20. */
function requireNumber(digits = ''): void {
  if (digits.length > 20) throw new RetrievalError('not-found', `no article's number has ${digits.length} digits`);
}

/** The arguments of a command are apart by spaces and tabs (RFC 3977 §3.1). */
function requireArgument(octets: Uint8Array, what: string): Uint8Array {
  requireOneLine(octets, what);
  if (!octets.includes(0x20) && !octets.includes(0x09)) return octets;
  throw new RetrievalError(
    'policy',
    `${what} holds white space, which would make two arguments of it (RFC 3977 §3.1); nothing was sent`,
  );
}

const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;

/** RFC 1738 §3.6 leaves the angle brackets out; some URLs have them nevertheless. */
function bracketed(id: Uint8Array): Uint8Array {
  if (id[0] === LESS_THAN && id.at(-1) === GREATER_THAN) return id;
  return Uint8Array.of(LESS_THAN, ...id, GREATER_THAN);
}
