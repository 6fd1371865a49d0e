/** The contract a scheme driver fulfils: it speaks a protocol; everything it needs of the world comes from {@link Access}. */
import type { Url } from '@retriever/url';
import type { Access } from './access.ts';
import type { Retrieval } from './retrieval.ts';

/**
 * One driver retrieves the URLs of one scheme, or of a few that share a protocol.
 *
 * A driver is a plain object made by a factory: `createClient({ drivers: [ftp(), gopher()] })`. It keeps no global state,
 * opens no socket, resolves no name and starts no clock; `access` does all of that for it.
 */
export interface Driver<U extends Url = Url> {
  /** Lower-case scheme names (RFC 1738 §2.1), at least one. */
  readonly schemes: readonly string[];
  /**
   * Resolves once the resource is known to exist, its body still unread.
   *
   * @throws RetrievalError when the peer refuses, cannot be reached or breaks its protocol.
   */
  retrieve(request: RetrievalRequest<U>, access: Access): Promise<Retrieval>;
}

/** What is to be retrieved, and how much of it. */
export interface RetrievalRequest<U extends Url = Url> {
  readonly url: U;
  /** Only the metadata is wanted (HTTP's HEAD); a driver leaves the body empty and transfers none. */
  readonly metadataOnly?: boolean | undefined;
  /** Only these octets are wanted. A driver that cannot do it ignores it and leaves `metadata.range` unset. */
  readonly range?: ByteRange | undefined;
  /** Only if the resource changed after this time; otherwise `metadata.notModified` is set and the body is empty. */
  readonly ifModifiedSince?: Date | undefined;
  /** With `range`: only if the resource still is this version (an entity tag or a date), else the whole of it. */
  readonly ifRange?: string | Date | undefined;
  /** Media types the caller would rather have, as in HTTP's `Accept`. */
  readonly accept?: string | undefined;
  /** Ask the peer for a compressed transfer and undo the compression. Default false. */
  readonly compressed?: boolean | undefined;
  /**
   * Header fields for protocols that have them (HTTP). Names and values never hold CR, LF or NUL; with an empty value, a
   * field that the driver would send by itself is left out.
   */
  readonly headers?: readonly (readonly [name: string, value: string])[] | undefined;
  /** Return a refusal that has a body (an HTTP error page) as content with `metadata.refusal`, not as an error. Default false. */
  readonly keepRefusal?: boolean | undefined;
  /** User and password to use in place of the URL's. */
  readonly credentials?: { readonly user: string; readonly password?: string | undefined } | undefined;
}

/** A range of octets: from `start` to `end` inclusive or to the last, or the last `suffix` octets (RFC 9110 §14.1.2). */
export type ByteRange = { readonly start: number; readonly end?: number | undefined } | { readonly suffix: number };
