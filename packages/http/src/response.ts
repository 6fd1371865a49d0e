/** What a status means to a retrieval, RFC 9110 §15. */
import {
  RetrievalError,
  textOf,
  type Content,
  type Metadata,
  type Retrieval,
  type RetrievalErrorCode,
  type RetrievalRequest,
} from '@retriever/driver';
import { resolve, UrlSyntaxError, type HttpUrl } from '@retriever/url';
import type { Answer } from './answer.ts';
import { challengesOf } from './authorization.ts';
import { partOf } from './content-range.ts';
import { codingsOf, decoded, type DecodingLimits, type Pump } from './decoding.ts';
import { field } from './fields.ts';
import { contentLength, metadataOf } from './metadata.ts';
import { shown } from './trace.ts';

/** Whether a `Location` leads to the object: of a status nobody knows, too (RFC 9110 §15.4). That of 305 leads to a proxy. */
const isRedirection = (code: number): boolean => code >= 300 && code < 400 && code !== 304 && code !== 305;

/** Refusals with a meaning of their own; all others are `refused`. */
const refusals = new Map<number, RetrievalErrorCode>([
  [401, 'credentials'],
  [404, 'not-found'],
  [407, 'credentials'],
  [410, 'not-found'],
  [416, 'range'],
]);

/** Refusals that may pass. */
const temporary = new Set([408, 425, 429, 500, 502, 503, 504]);

/** The retrieval of a response. @throws RetrievalError for a refusal, and for a response that is not what was asked for. */
export async function retrievalOf(
  answer: Answer,
  request: RetrievalRequest<HttpUrl>,
  limits: DecodingLimits,
): Promise<Retrieval> {
  const { code, fields } = answer.head;
  requireFraming(answer);
  if (code === 101)
    throw new RetrievalError('protocol', 'the server answered 101: another protocol, which nobody asked for');
  if (code === 304) return notModified(answer);
  // An empty one (nginx's `return 302`) would lead to the same URL again, for ever.
  if (isRedirection(code) && field(fields, 'location')) return reference(answer, request, limits);
  if (code === 206) return partial(answer, request);
  if (code <= 300) return whole(answer, request, limits);
  if (code === 305) return nowhere(answer, request, limits, 'wants a proxy, which RFC 9110 §15.4.6 advises against');
  if (code < 400) return nowhere(answer, request, limits, 'does not say where to');
  return refused(answer, request, limits, refusalOf(answer));
}

/** RFC 9112 §6.1: no transfer coding but chunked was asked for, and no other is undone. */
function requireFraming({ head }: Answer): void {
  const coding = field(head.fields, 'transfer-encoding');
  if (coding === undefined || coding.toLowerCase() === 'chunked') return;
  throw new RetrievalError('protocol', `a transfer coding nobody asked for: ${shown(coding)}`);
}

function whole(
  answer: Answer,
  { compressed, metadataOnly }: RetrievalRequest,
  limits: DecodingLimits,
  more: Metadata = {},
): Content {
  const { fields } = answer.head;
  const applied = compressed ? codingsOf(fields) : [];
  const size = applied.length > 0 ? undefined : contentLength(fields);
  const body = answer.body(size, applied.length > 0 ? (pump) => decoded(pump, applied, limits) : undefined);
  const known = size ?? (metadataOnly || applied.length > 0 ? undefined : body.size);
  return { kind: 'content', body, metadata: { ...metadataOf(answer.head), size: known, ...more } };
}

function partial(answer: Answer, { range, headers }: RetrievalRequest): Content {
  const { fields } = answer.head;
  const metadata = metadataOf(answer.head);
  if (!range) {
    // A caller who writes the Range field reads Content-Range as well.
    const raw = headers?.some(([name]) => name.toLowerCase() === 'range');
    if (!raw) throw new RetrievalError('protocol', 'a part was sent, and nobody asked for one');
    return { kind: 'content', body: answer.body(contentLength(fields)), metadata };
  }
  const { start, end, size } = partOf(fields, range);
  const length = end - start + 1;
  if ((contentLength(fields) ?? length) !== length) {
    throw new RetrievalError(
      'protocol',
      `Content-Length and Content-Range differ: ${contentLength(fields)} and ${length} octets`,
    );
  }
  return {
    kind: 'content',
    body: answer.body(length, (pump) => exactly(pump, length)),
    metadata: { ...metadata, size, range: { start, end } },
  };
}

/** Fails a part that is not as long as its `Content-Range` says; chunked coding knows no length. */
function exactly(pump: Pump, length: number): Pump {
  return async (sink) => {
    let octets = 0;
    await pump((chunk) => {
      octets += chunk.length;
      if (octets > length) throw new RetrievalError('protocol', `more came than the ${length} octets of the range`);
      return sink(chunk);
    });
    if (octets < length) throw new RetrievalError('incomplete', `${octets} of the range's ${length} octets came`);
  };
}

function notModified(answer: Answer): Content {
  return { kind: 'content', body: answer.body(0), metadata: { ...metadataOf(answer.head), notModified: true } };
}

async function reference(
  answer: Answer,
  request: RetrievalRequest<HttpUrl>,
  limits: DecodingLimits,
): Promise<Retrieval> {
  const location = textOf(Buffer.from(field(answer.head.fields, 'location') ?? '', 'latin1'));
  const target = targetOf(location, request.url);
  if (target === undefined) return nowhere(answer, request, limits, `leads to what is no URL: ${shown(location)}`);
  return { kind: 'reference', target, body: await answer.shortBody(), metadata: metadataOf(answer.head) };
}

/** RFC 9110 §10.2.2: relative to the URL, and heir to its fragment. Undefined for what is no URL. */
function targetOf(location: string, url: HttpUrl): string | undefined {
  try {
    const target = String(resolve(url, location));
    return url.fragment === undefined || target.includes('#') ? target : `${target}#${url.fragment}`;
  } catch (error) {
    if (!(error instanceof UrlSyntaxError)) throw error;
    return undefined;
  }
}

/** A redirection that cannot be followed. */
function nowhere(
  answer: Answer,
  request: RetrievalRequest<HttpUrl>,
  limits: DecodingLimits,
  why: string,
): Promise<Content> {
  const refusal = new RetrievalError('protocol', `${statusOf(answer)} ${why}`, { reply: replyOf(answer) });
  return refused(answer, request, limits, refusal);
}

async function refused(
  answer: Answer,
  request: RetrievalRequest<HttpUrl>,
  limits: DecodingLimits,
  refusal: RetrievalError,
): Promise<Content> {
  if (request.keepRefusal) return whole(answer, request, limits, { refusal });
  // Reading a short error page out is cheaper than a new connection.
  await (await answer.shortBody()).cancel();
  throw refusal;
}

function refusalOf(answer: Answer): RetrievalError {
  const { code, fields } = answer.head;
  const wanted = code === 401 ? challengesOf(fields).replace(/[^\w-].*$/s, '') : '';
  return new RetrievalError(
    refusals.get(code) ?? 'refused',
    `${statusOf(answer)}${wanted && `; it wants ${shown(wanted)}`}`,
    {
      reply: replyOf(answer),
      temporary: temporary.has(code),
    },
  );
}

function statusOf({ head }: Answer): string {
  return `the server answered ${head.code} ${shown(replyText(head.reason))}`.trimEnd();
}

function replyOf({ head }: Answer): { code: number; text: string } {
  return { code: head.code, text: replyText(head.reason) };
}

function replyText(reason: string): string {
  return textOf(Buffer.from(reason, 'latin1'));
}
