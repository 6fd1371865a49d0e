/** The URLs of a listing's entries: of the same scheme and server as the listing's own. */
import { encode, type NewsUrl, type NntpUrl } from '@retriever/url';

type ListedUrl = NewsUrl | NntpUrl;

/**
 * What stands before a group or an article: `news:`, `news://host/` or `nntp://host/`.
 *
 * The password is left out: entries are printed, saved and passed on.
 */
function base({ scheme, user, host, port }: ListedUrl): string {
  if (host === undefined) return `${scheme}:`;
  const login = user === undefined ? '' : `${user}@`;
  const address = host.includes(':') ? `[${host}]` : host;
  return `${scheme}://${login}${address}${port === undefined ? '' : `:${port}`}/`;
}

/**
 * Makes the URLs of articles. A `news:` listing leads to `news:` URLs by message-id, which any server serves (RFC 1738 §3.7
 * prefers them); an `nntp:` listing to numbers of its group on its server. Undefined where the server's words make none.
 */
export function articleUrls(
  url: ListedUrl,
): (article: { number: string; messageId: Uint8Array }) => string | undefined {
  const prefix = base(url);
  if (url.grammar === 'nntp') return ({ number }) => `${prefix}${url.group ?? ''}/${number}`;
  return ({ messageId }) => {
    const id = messageIdPart(messageId);
    return id === undefined ? undefined : prefix + id;
  };
}

/** Makes the URLs of groups. */
export function groupUrls(url: ListedUrl): (name: Uint8Array) => string | undefined {
  const prefix = base(url);
  return (name) => (isGroupName(name) ? prefix + encode(name) : undefined);
}

/** Printable ASCII in angle brackets with an `@` inside (RFC 3977 §3.6, RFC 5536 §3.1.3); anything else leads nowhere. */
function messageIdPart(messageId: Uint8Array): string | undefined {
  const [, id] = /^<([!-=?-~]{1,248})>$/.exec(Buffer.from(messageId).toString('latin1')) ?? [];
  if (id === undefined || !/.@./.test(id)) return undefined;
  // `news://` would begin a server.
  return encode(id, ';/?:&=@').replace(/^\//, '%2F');
}

/** RFC 5536 §3.1.4, and what groups are called nevertheless; no wildmat, no path, no message-id. */
const isGroupName = (name: Uint8Array): boolean =>
  /^[\w.+#$%'()^`{|}~\u00a0-\u00ff-]+$/.test(Buffer.from(name).toString('latin1'));
