/** What is sent: the request line and the header fields, in the order undici writes them. */
import { RetrievalError, type ByteRange, type RetrievalRequest } from '@retriever/driver';
import type { HttpUrl } from '@retriever/url';
import { acceptedCodings } from './decoding.ts';
import type { Fields } from './fields.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD';
  /** The request target in origin form, RFC 9112 §3.2.1. */
  readonly target: string;
  /** All fields but `Connection`, which is undici's; `host` among them. */
  readonly fields: Fields;
  /** The lines exactly as they go out, without line ends. */
  readonly lines: readonly string[];
}

/** Fields that frame messages or belong to one connection: undici's business (RFC 9110 §7.6.1). */
const notForCallers = new Set([
  'connection',
  'content-length',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The request for a URL.
 *
 * @throws RetrievalError `policy` for octets that would break out of a line (RFC 1738 §6), `range` for an impossible range.
 */
export function httpRequest(
  request: RetrievalRequest<HttpUrl>,
  userAgent: string,
  authorization: string | undefined,
): HttpRequest {
  const method = request.metadataOnly ? 'HEAD' : 'GET';
  const target = targetOf(request.url);
  const given = request.headers ?? [];
  const names = new Set(given.map(([name]) => name.toLowerCase()));
  const own = ownFields(request, userAgent, authorization);
  const ownNames = new Set(own.map(([name]) => name.toLowerCase()));
  const fields = [
    ...own.filter(([name]) => !names.has(name.toLowerCase())),
    // Given without a value, a field of ours is left out.
    ...given.filter(([name, value]) => value !== '' || !ownNames.has(name.toLowerCase())),
  ];
  for (const [name, value] of fields) requireField(name, value);
  return { method, target, fields, lines: linesOf(method, target, fields) };
}

function ownFields(request: RetrievalRequest<HttpUrl>, userAgent: string, authorization: string | undefined): Fields {
  const { url, accept = '*/*', range, ifRange, ifModifiedSince } = request;
  const fields: [string, string][] = [
    ['Host', hostOf(url)],
    ['User-Agent', userAgent],
    ['Accept', accept],
  ];
  // A range of compressed octets could not be decompressed.
  if (request.compressed && !range) fields.push(['Accept-Encoding', acceptedCodings]);
  if (range) fields.push(['Range', rangeField(range)]);
  if (range && ifRange !== undefined)
    fields.push(['If-Range', ifRange instanceof Date ? ifRange.toUTCString() : ifRange]);
  if (ifModifiedSince) fields.push(['If-Modified-Since', ifModifiedSince.toUTCString()]);
  if (authorization !== undefined) fields.push(['Authorization', authorization]);
  return fields;
}

/** RFC 9110 §7.2: the URL's host as it is written, the port unless it is the default. */
function hostOf({ scheme, host, port }: HttpUrl): string {
  // A zone names an interface of this machine and means nothing to the server (RFC 6874 §4).
  const name = host.includes(':') ? `[${host.replace(/%.*$/, '')}]` : host;
  return port === undefined || port === portOf({ scheme }) ? name : `${name}:${port}`;
}

/** The port of the URL or of its scheme. */
export function portOf({ scheme, port }: Pick<HttpUrl, 'scheme' | 'port'>): number {
  return port ?? (scheme === 'https' ? 443 : 80);
}

/** Path and search as they are written; only what cannot stand in a request line is encoded, as the URL Standard does. */
function targetOf({ path = '', search }: HttpUrl): string {
  requireOneLine('the URL', path + (search ?? ''));
  const query = search === undefined ? '' : `?${search.replace(/[^!-~]|["<>]/gu, escaped)}`;
  return `/${path.replace(/[^!-~]|["<>\\^`{}]/gu, escaped)}${query}`;
}

/** A character's UTF-8 octets as escapes, RFC 1738 §2.2. */
function escaped(character: string): string {
  return Buffer.from(character).toString('hex').toUpperCase().replace(/../g, '%$&');
}

/** RFC 9110 §14.1.2. */
function rangeField(range: ByteRange): string {
  const octets = Object.values(range).filter((octet) => octet !== undefined);
  const first = 'suffix' in range ? 1 : range.start;
  const last = 'suffix' in range ? range.suffix : (range.end ?? range.start);
  if (last < first || !octets.every((octet) => Number.isSafeInteger(octet) && octet >= 0)) {
    throw new RetrievalError(
      'range',
      'no such range: it must go from a lower to a higher octet, and hold one at least',
    );
  }
  return 'suffix' in range ? `bytes=-${range.suffix}` : `bytes=${range.start}-${range.end ?? ''}`;
}

function requireField(name: string, value: string): void {
  // RFC 9110 §5.1 and §5.5.
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw notSent('a header field has a name that is none');
  if (notForCallers.has(name.toLowerCase())) throw notSent(`the header field ${name} is not the caller's to set`);
  requireOneLine(`the header field ${name}`, value);
  // A latin1 socket would fold characters above 0xFF, perhaps to CR or LF.
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[^\t -~\x80-\xff]/.test(value)) throw notSent(`the header field ${name} holds a character that no field can`);
}

/** RFC 1738 §6. */
function requireOneLine(what: string, text: string): void {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\0\r\n]/.test(text)) throw notSent(`${what} holds CR, LF or NUL, which would end its line (RFC 1738 §6)`);
}

function notSent(why: string): RetrievalError {
  return new RetrievalError('policy', `${why}; nothing was sent`);
}

/** undici writes Host first, then its own `connection`; it closes after HEAD, because some servers send a body all the same. */
function linesOf(method: HttpRequest['method'], target: string, fields: Fields): string[] {
  const isHost = ([name]: Fields[number]): boolean => name.toLowerCase() === 'host';
  const host = fields.filter(isHost).map(([, value]) => `host: ${value}`);
  const rest = fields.filter((one) => !isHost(one)).map(([name, value]) => `${name}: ${value}`);
  return [
    `${method} ${target} HTTP/1.1`,
    ...host,
    `connection: ${method === 'HEAD' ? 'close' : 'keep-alive'}`,
    ...rest,
  ];
}
