/** `fetch` for every scheme: a genuine `Response`, the peer's refusals as statuses (see ARCHITECTURE.md, "Two doors"). */
import type { Client, Retrieved, RetrieveOptions } from '@retriever/client';
import { RetrievalError, type ByteRange, type Mailbox, type Service } from '@retriever/driver';
import { parse, redact, type Url } from '@retriever/url';
import { createClient, type RetrieverOptions } from './client.ts';
import { asFetchError } from './fetch-error.ts';
import { refusalOf, responseOf, type RetrieverResponse } from './response.ts';

/** What `fetch` takes besides the URL: the parts of `RequestInit` that retrieving has a use for. */
export interface FetchInit {
  /** Only `GET` (the default) and `HEAD` retrieve. */
  readonly method?: string | undefined;
  /** `Range`, `If-Modified-Since`, `If-Range`, `Accept` and `Authorization` (Basic) work on every scheme that can; the rest goes to HTTP. */
  readonly headers?: ConstructorParameters<typeof Headers>[0];
  readonly signal?: AbortSignal | null | undefined;
  /** What to do with references. Default `follow`. */
  readonly redirect?: 'follow' | 'manual' | 'error' | undefined;
}

export type Fetch = (url: string | Url | URL, init?: FetchInit) => Promise<RetrieverResponse>;

/**
 * Makes a `fetch` with its own client.
 *
 * The peer's refusal is a response with `ok` false; network and policy failures reject with a `TypeError` whose `cause` is
 * the RetrievalError; what is no data object (telnet, mailto) rejects likewise, code `not-an-object`. Reading a body that
 * fails rejects in the same way. An abort rejects with the signal's reason.
 *
 * @example
 * const fetch = createFetch({ ftp: { tls: 'require' } });
 * const response = await fetch('ftp://ftp.example/pub/README');
 */
export function createFetch(options: RetrieverOptions = {}): Fetch {
  const client = createClient(options);
  return async (input, init = {}) => {
    try {
      return await respond(client, input, init);
    } catch (error) {
      throw asFetchError(error);
    }
  };
}

async function respond(client: Client, input: string | Url | URL, init: FetchInit): Promise<RetrieverResponse> {
  const url = typeof input === 'string' || input instanceof URL ? parse(String(input)) : input;
  const headers = new Headers(init.headers);
  const options = retrieveOptions(init, headers);
  const head = options.metadataOnly === true;
  let retrieved: Retrieved;
  try {
    retrieved = await client.retrieve(url, options);
  } catch (error) {
    const refusal = error instanceof RetrievalError ? refusalOf(error, { head }) : undefined;
    if (!refusal) throw error;
    return refusal;
  }
  if (retrieved.kind === 'service' || retrieved.kind === 'mailbox') throw notAnObject(retrieved);
  if (retrieved.kind === 'reference' && init.redirect === 'error') {
    await retrieved.body?.cancel();
    throw new TypeError(`${redact(retrieved.url)} leads elsewhere, and redirect is "error"`);
  }
  return responseOf(retrieved, { accept: headers.get('accept'), head, redirected: retrieved.url !== url });
}

/** The request that the Fetch vocabulary asks for; header fields with a meaning on every scheme are taken out of the rest. */
function retrieveOptions({ method = 'GET', signal, redirect }: FetchInit, headers: Headers): RetrieveOptions {
  const upper = method.toUpperCase();
  if (upper !== 'GET' && upper !== 'HEAD') throw new TypeError(`method ${method} does not retrieve; use GET or HEAD`);
  const rest = new Headers(headers);
  for (const name of ['accept', 'authorization', 'if-modified-since', 'if-range', 'range']) rest.delete(name);
  const since = headers.get('if-modified-since');
  const authorization = headers.get('authorization');
  const credentials = authorization === null ? undefined : basicCredentials(authorization);
  if (authorization !== null && !credentials) rest.set('authorization', authorization);
  return {
    metadataOnly: upper === 'HEAD',
    signal: signal ?? undefined,
    range: byteRange(headers.get('range')),
    ifRange: headers.get('if-range') ?? undefined,
    ifModifiedSince: since === null ? undefined : validDate(since),
    accept: headers.get('accept') ?? undefined,
    headers: [...rest],
    credentials,
    compressed: !headers.has('accept-encoding'),
    keepRefusal: true,
    keepReference: redirect === 'manual' || redirect === 'error',
  };
}

/** A `Range` field of one range (RFC 9110 §14.1.2); anything else is ignored, as a server may. */
function byteRange(field: string | null): ByteRange | undefined {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(field?.trim() ?? '');
  if (!match) return undefined;
  const [, first, last] = match;
  if (!first) return last ? { suffix: Number(last) } : undefined;
  if (!last) return { start: Number(first) };
  return Number(first) > Number(last) ? undefined : { start: Number(first), end: Number(last) };
}

/** User and password of a Basic `Authorization` field (RFC 7617). */
function basicCredentials(field: string): RetrieveOptions['credentials'] {
  const token = /^basic +([\w+/=-]+)$/i.exec(field.trim())?.[1];
  if (!token) return undefined;
  const pair = Buffer.from(token, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  return colon === -1 ? undefined : { user: pair.slice(0, colon), password: pair.slice(colon + 1) };
}

function validDate(text: string): Date | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function notAnObject(retrieved: (Service & { readonly url: Url }) | (Mailbox & { readonly url: Url })): RetrievalError {
  const what = retrieved.kind === 'service' ? 'an interactive service' : 'a mail address';
  // The advice goes along, but for the password: errors are printed and logged.
  const { password: _, ...advice } = { password: undefined, ...retrieved };
  const error = new RetrievalError('not-an-object', `${redact(retrieved.url)} designates ${what}, not a data object`, {
    retrieval: advice,
  });
  error.url = redact(retrieved.url);
  return error;
}
