/** Retrieve whatever a URL of RFC 1738 locates. */
import type { Client, Retrieved, RetrieveOptions } from '@retriever/client';
import type { Url } from '@retriever/url';
import { createClient } from './client.ts';
import { createFetch, type FetchInit } from './fetch.ts';
import type { RetrieverResponse } from './response.ts';

let shared: Client | undefined;
let sharedFetch: ReturnType<typeof createFetch> | undefined;

/**
 * Retrieves what a URL locates and tells the whole truth about it in the protocol's terms.
 *
 * @example
 * const retrieved = await retrieve('ftp://ftp.example/pub/README');
 * if (retrieved.kind === 'content') console.log(await retrieved.body.text());
 * @throws RetrievalError when that fails; UrlSyntaxError for text that is no URL; the signal's reason when it aborts.
 */
export function retrieve(url: string | Url, options?: RetrieveOptions): Promise<Retrieved> {
  return (shared ??= createClient()).retrieve(url, options);
}

/**
 * `fetch` for every scheme, with a client of default options; see {@link createFetch} for your own.
 *
 * @example
 * const response = await fetch('gopher://gopher.example/0/about.txt');
 * console.log(response.ok, await response.text());
 */
export function fetch(url: string | Url | URL, init?: FetchInit): Promise<RetrieverResponse> {
  return (sharedFetch ??= createFetch())(url, init);
}

export { createClient, type RetrieverOptions } from './client.ts';
export { createFetch, type Fetch, type FetchInit } from './fetch.ts';
export { jsonOf } from './listing.ts';
export type { RetrieverResponse } from './response.ts';
export { follow, gateway, limit, progress, retry, standardPolicy, traceChannelName } from '@retriever/client';
export type {
  Client,
  ClientOptions,
  Layer,
  Policy,
  Retrieved,
  RetrieveOptions,
  Timeouts,
  TraceRecord,
} from '@retriever/client';
export {
  RetrievalError,
  type Body,
  type BodySink,
  type Entry,
  type Metadata,
  type Reply,
  type Retrieval,
  type RetrievalErrorCode,
} from '@retriever/driver';
export { archieUrl, type ArchieQuery } from '@retriever/prospero';
export { parse, resolve, extract, UrlSyntaxError, type Url } from '@retriever/url';
