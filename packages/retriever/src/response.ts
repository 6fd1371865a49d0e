/** Retrievals and refusals as the `Response` that `fetch` promises. */
import type { Retrieved } from '@retriever/client';
import type { Entry, Metadata, RetrievalError } from '@retriever/driver';
import { redact } from '@retriever/url';
import { preferredType } from './accept.ts';
import { fetchBody } from './fetch-error.ts';
import { madeHeaders, reasonPhrase, sentHeaders } from './headers.ts';
import { asHtml, asJson } from './listing.ts';
import { bodilessStatuses, refusalStatus, statusOf } from './status.ts';
import { textStream } from './text-stream.ts';

/** A `Response` of a retrieval: genuine, and able to hand out typed entries where it is a listing. */
export interface RetrieverResponse extends Response {
  /** The entries of a listing, typed; reads the body in its place. @throws TypeError when it is no listing. */
  entries(): AsyncIterable<Entry>;
}

type Listing = Extract<Retrieved, { readonly kind: 'listing' }>;
type Readable = Extract<Retrieved, { readonly metadata: Metadata }>;
type Stream = ReadableStream<Uint8Array<ArrayBuffer>>;

/** How the response was asked for. */
export interface Asked {
  readonly accept: string | null;
  /** Only the metadata was (HEAD). */
  readonly head: boolean;
  readonly redirected: boolean;
}

/** What a `Response` can say of a retrieval. */
export async function responseOf(retrieved: Readable, { accept, head, redirected }: Asked): Promise<RetrieverResponse> {
  const status = statusOf(retrieved);
  const headers = headersOf(retrieved);
  const type = retrieved.kind === 'listing' ? preferredType(accept, listingTypes) : undefined;
  if (type) describeListing(headers, type);
  const bodiless = head || bodilessStatuses.has(status);
  if (bodiless) await retrieved.body?.cancel();
  const stream = bodiless ? null : streamOf(retrieved, type);
  const statusText = reasonPhrase(retrieved.metadata.reply?.text.split('\n')[0] ?? '');
  const response = new Response(stream, { status, statusText, headers });
  return named(response, redact(retrieved.url), redirected, () => {
    if (retrieved.kind !== 'listing') throw new TypeError(`${redact(retrieved.url)} is no listing`);
    return retrieved.entries;
  });
}

/** A refusal as a response, its body the peer's words; undefined where the peer refused nothing. */
export function refusalOf(error: RetrievalError, { head }: Pick<Asked, 'head'>): RetrieverResponse | undefined {
  const status = refusalStatus(error);
  if (status === undefined) return undefined;
  const text = error.reply ? `${error.reply.text}\n` : `${error.message}\n`;
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  const response = new Response(head ? null : text, { status, statusText: reasonPhrase(error.message), headers });
  return named(response, error.url ?? '', false, () => {
    throw new TypeError('a refusal has no entries');
  });
}

const listingTypes = ['application/json', 'text/html', 'text/plain'] as const;

/** A listing in our dress has our type, and no length that we know. */
function describeListing(headers: Headers, type: (typeof listingTypes)[number]): void {
  // Plain are the server's own words, in no charset that we could name.
  headers.set('content-type', type === 'text/plain' ? type : `${type}; charset=utf-8`);
  headers.delete('content-length');
}

function streamOf(retrieved: Readable, type: (typeof listingTypes)[number] | undefined): Stream | null {
  if (retrieved.kind !== 'listing' || type === 'text/plain') {
    return retrieved.body ? fetchBody(retrieved.body).stream() : null;
  }
  return listingStream(retrieved, type === 'text/html');
}

function listingStream({ entries, body, url }: Listing, html: boolean): Stream {
  return textStream(html ? asHtml(entries, redact(url)) : asJson(entries), () => body.cancel());
}

/** Header fields as sent where the protocol is HTTP, else made from the metadata. */
function headersOf({ kind, url, metadata, ...retrieved }: Readable): Headers {
  const speaksHttp = url.scheme === 'http' || url.scheme === 'https';
  // What is known of the object that a reference leads to is not known of the reference's own words.
  const described = kind === 'reference' ? {} : metadata;
  const headers = speaksHttp && metadata.headers ? sentHeaders(metadata.headers) : madeHeaders(described);
  if (kind === 'reference' && 'target' in retrieved && !headers.has('location')) {
    for (const [name, value] of sentHeaders([['location', retrieved.target]])) headers.set(name, value);
  }
  return headers;
}

function named(
  response: Response,
  url: string,
  redirected: boolean,
  entries: () => AsyncIterable<Entry>,
): RetrieverResponse {
  return Object.defineProperties(response, {
    url: { value: url },
    redirected: { value: redirected },
    entries: { value: entries },
    clone: { value: () => named(Response.prototype.clone.call(response), url, redirected, entries) },
  }) as RetrieverResponse;
}
