/** The driver for `http:` and `https:`, RFC 9110 and 9112; URLs by RFC 1738 §3.3. */
import {
  RetrievalError,
  type Access,
  type Driver,
  type Lease,
  type Retrieval,
  type RetrievalRequest,
} from '@retriever/driver';
import type { HttpUrl } from '@retriever/url';
import { Answer } from './answer.ts';
import { askedAuthorization, challengesOf, givenAuthorization } from './authorization.ts';
import { httpRequest, portOf, type HttpRequest } from './request.ts';
import { retrievalOf } from './response.ts';
import { HttpSession } from './session.ts';
import { version } from './version.ts';

export interface HttpOptions {
  /** The `User-Agent` field. Default `retriever/<version>`. */
  readonly userAgent?: string;
  /** Octets of a response's head, interim responses included. Default 65,536. */
  readonly maxHeaderBytes?: number;
  /** Octets of a compressed body when decoded. Default 4 GiB. */
  readonly maxDecodedBytes?: number;
  /** Decoded octets for each compressed one, counted after the first 16 MiB. Default 200. */
  readonly maxDecodingRatio?: number;
}

/**
 * A driver for `http:` and `https:` URLs: one request, one response. References are returned, not followed.
 *
 * The path goes out as the URL writes it. A user and password in the URL are sent as Basic (RFC 7617) to its origin only;
 * without them, a 401 that offers Basic asks `access.credentials` once. Digest is not spoken.
 *
 * `retrieve` throws RetrievalError with `not-found` (404, 410), `credentials` (401, 407), `range` (416), `refused` (other
 * 4xx and 5xx), `incomplete`, `protocol`, `limit`, or `policy` for what cannot be sent safely; `reply` holds the status.
 *
 * @example
 * const client = createClient({ drivers: [http({ userAgent: 'example/1.0' })] });
 */
export function http(options: HttpOptions = {}): Driver<HttpUrl> {
  const settings: Required<HttpOptions> = {
    userAgent: `retriever/${version}`,
    maxHeaderBytes: 64 * 1024,
    maxDecodedBytes: 4 * 1024 ** 3,
    maxDecodingRatio: 200,
    ...options,
  };
  return { schemes: ['http', 'https'], retrieve: (request, access) => retrieve(request, access, settings) };
}

async function retrieve(
  request: RetrievalRequest<HttpUrl>,
  access: Access,
  settings: Required<HttpOptions>,
): Promise<Retrieval> {
  access.signal.throwIfAborted();
  const given = givenAuthorization(request);
  const answer = await answerTo(httpRequest(request, settings.userAgent, given), request.url, access, settings);
  const asks = answer.head.code === 401 && given === undefined && !sets(request, 'authorization');
  return orDropped(answer, access, async () => {
    const authorization = asks
      ? await askedAuthorization(request, challengesOf(answer.head.fields), access)
      : undefined;
    if (authorization === undefined) return retrievalOf(answer, request, settings);
    const again = httpRequest(request, settings.userAgent, authorization);
    await (await answer.shortBody()).cancel();
    const second = await answerTo(again, request.url, access, settings);
    return orDropped(second, access, () => retrievalOf(second, request, settings));
  });
}

/** What comes of an answer. Where that fails its connection is not trusted any more, unless it was given back already. */
async function orDropped(answer: Answer, { signal }: Access, work: () => Promise<Retrieval>): Promise<Retrieval> {
  try {
    return await work();
  } catch (error) {
    answer.drop();
    signal.throwIfAborted();
    throw error;
  }
}

/** Sends a request and waits for the head of its response. */
async function answerTo(
  request: HttpRequest,
  url: HttpUrl,
  access: Access,
  { maxHeaderBytes }: Required<HttpOptions>,
): Promise<Answer> {
  const endpoint = {
    host: url.host,
    port: portOf(url),
    ...(url.scheme === 'https' && { tls: { alpn: ['http/1.1'] } }),
  };
  for (;;) {
    const lease: Lease<HttpSession> = await access.lease(
      `${url.scheme}://${url.host.toLowerCase()}:${endpoint.port}`,
      (dial) => HttpSession.open(dial, endpoint, maxHeaderBytes),
    );
    const exchange = lease.session.send(request, access);
    try {
      return new Answer(await exchange.head, exchange, lease);
    } catch (error) {
      lease.discard();
      access.signal.throwIfAborted();
      // A server may close an idle connection at any time (RFC 9112 §9.3.1): then another serves, an idle one or a new one.
      if (lease.reused && exchange.unanswered && error instanceof RetrievalError && error.code === 'incomplete')
        continue;
      throw error;
    }
  }
}

function sets({ headers }: RetrievalRequest, field: string): boolean {
  return headers?.some(([name]) => name.toLowerCase() === field) ?? false;
}
