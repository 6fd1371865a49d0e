/**
 * Every other scheme, RFC 1738 §4 and §5:
 *
 *     genericurl    = scheme ":" schemepart
 *     schemepart    = *xchar | ip-schemepart
 *     ip-schemepart = "//" login [ "/" urlpath ]
 *     urlpath       = *xchar    ; depends on protocol see section 3.1
 */
import { xchar } from './characters.ts';
import type { Components, Grammar } from './grammar.ts';
import { decodeLogin, encodeLogin, formatLogin, readLogin, type ParsedLogin, type RawLogin } from './login.ts';
import { draft } from './parsed-url.ts';
import { decode, encode, type Octets } from './percent.ts';
import { Reading } from './reading.ts';
import type { GenericUrl } from './url.ts';
import { UrlSyntaxError } from './violation.ts';

const XCHAR = ';/?:@&=';

/** Raw input for `build.generic`: a scheme-specific part, or the parts of an `ip-schemepart`. */
export interface RawGeneric extends Partial<RawLogin> {
  readonly scheme: string;
  readonly schemePart?: Octets;
  readonly urlPath?: Octets;
  readonly fragment?: Octets;
}

function decodeComponents(url: GenericUrl): GenericUrl['octets'] {
  return {
    ...decodeLogin(url),
    schemePart: decode(url.schemePart),
    ...(url.urlPath !== undefined && { urlPath: decode(url.urlPath) }),
  };
}

function finish(reading: Reading, schemePart: string, login: ParsedLogin | undefined): GenericUrl {
  const url = draft<GenericUrl>('generic', reading, login, decodeComponents);
  url.schemePart = schemePart;
  if (login !== undefined && login.end < reading.end) url.urlPath = reading.text.slice(login.end + 1, reading.end);
  return url;
}

function parse(reading: Reading): GenericUrl {
  if (reading.scheme === 'url') reading.fail('scheme', 0, '"URL:" is a prefix and no scheme');
  const schemePart = reading.component({ ...xchar, rule: 'schemepart' }, reading.start, reading.end);
  return finish(reading, schemePart, readIpSchemepart(reading));
}

/** The login, if there is one: what only looks like an ip-schemepart is `*xchar` all the same. */
function readIpSchemepart({ text, start }: Reading): ParsedLogin | undefined {
  if (!text.startsWith('//', start)) return undefined;
  try {
    return readLogin(new Reading(text, false), 'login');
  } catch (error) {
    if (error instanceof UrlSyntaxError) return undefined;
    throw error;
  }
}

function format(url: Components<GenericUrl>): string {
  if (url.host === undefined) return url.schemePart;
  return formatLogin(url) + (url.urlPath === undefined ? '' : `/${url.urlPath}`);
}

/** Encodes raw input as components. */
export function encodeGeneric(raw: RawGeneric): Components<GenericUrl> {
  const { scheme, host, schemePart, urlPath } = raw;
  const base = { grammar: 'generic', scheme: scheme.toLowerCase() } as const;
  if (host === undefined) return { ...base, schemePart: encode(schemePart ?? '', XCHAR) };
  const parts = {
    ...base,
    ...encodeLogin({ ...raw, host }),
    ...(urlPath !== undefined && { urlPath: encode(urlPath, XCHAR) }),
  };
  return { ...parts, schemePart: format({ ...parts, schemePart: '' }) };
}

export const generic: Grammar<GenericUrl> = { schemes: [], parse, format };
