/** What a retrieval or a refusal is as a status of HTTP. */
import type { Retrieved } from '@retriever/client';
import type { Metadata, RetrievalError, RetrievalErrorCode } from '@retriever/driver';

/** Statuses whose responses have no body (Fetch standard, "null body status"). */
export const bodilessStatuses: ReadonlySet<number> = new Set([204, 205, 304]);

/** The peer's own status where it speaks HTTP; else what the outcome amounts to. */
export function statusOf({ kind, url, metadata }: Retrieved & { readonly metadata: Metadata }): number {
  const { notModified, refusal, range, reply } = metadata;
  if (reply && (url.scheme === 'http' || url.scheme === 'https')) return presentable(reply.code);
  if (refusal) return refusalStatus(refusal) ?? 502;
  if (notModified) return 304;
  if (kind === 'reference') return 302;
  return range ? 206 : 200;
}

/** A `Response` holds final statuses up to 599; with any other the peer broke its protocol. */
function presentable(code: number): number {
  return code >= 200 && code <= 599 ? code : 502;
}

const refusalStatuses: Partial<Record<RetrievalErrorCode, number>> = {
  'not-found': 404,
  credentials: 401,
  refused: 403,
  range: 416,
  protocol: 502,
};

/** Undefined where the peer refused nothing: that is a failure of the network or of policy. */
export function refusalStatus(error: RetrievalError): number | undefined {
  // FTP's 4yz and 421, NNTP's 400: not now.
  if (error.code === 'refused' && error.temporary) return 503;
  return refusalStatuses[error.code];
}
