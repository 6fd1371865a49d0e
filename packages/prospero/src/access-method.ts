/**
 * Access methods as URLs (RFC 1738 §3.11: "External Prospero links are represented as URLs of the underlying access method").
 *
 * An access method is `<method> <host-type> <host> <hsoname-type> <hsoname> <extra>…`; each empty word stands for that of the
 * link, or of the object, that has the method.
 */
import { textOf } from '@retriever/driver';
import { build, parse, UrlSyntaxError } from '@retriever/url';
import { valuesOf, type Attribute } from './attributes.ts';
import { readHost, type NamedHost, type Place } from './place.ts';
import { octetsOf } from './quoting.ts';
import { prosperoPort } from './question.ts';

export interface AccessMethod {
  /** AFTP, GOPHER, LOCAL … */
  readonly method: string;
  /** Undefined for methods that no URL of RFC 1738 stands for, or that are not safe to follow. */
  readonly url: string | undefined;
  /** The words after the hsoname: a transfer mode, an item type, instructions for people. */
  readonly extra: readonly string[];
}

/** What an access method's empty words stand for. */
export interface MethodDefaults {
  /** Its port is the service's own: undefined where the host is a Prospero server and the port would be Prospero's. */
  readonly host: NamedHost | undefined;
  /** The Prospero server that has the object. */
  readonly server: Place | undefined;
  readonly hsoname: string;
  readonly version: number;
}

/** Empty words let a few octets stand for a long name, so neither may be without bounds. */
const MAX_METHODS = 32;
const MAX_NAME = 8192;

/** Whether a URL may be made of a name: a line end would be refused by whoever follows it (RFC 1738 §6). */
export function isSafeName(hsoname: string): boolean {
  return hsoname.length <= MAX_NAME && !/[\0\r\n]/.test(hsoname);
}

/** The methods in the server's order. @param asked - The server that answered. */
export function accessMethods(
  attributes: readonly Attribute[],
  defaults: MethodDefaults,
  asked: Place,
): AccessMethod[] {
  const methods = valuesOf(attributes, 'ACCESS-METHOD').slice(0, MAX_METHODS);
  return methods.map((words) => accessMethod(words, defaults, asked));
}

function accessMethod(words: readonly string[], defaults: MethodDefaults, asked: Place): AccessMethod {
  const [method = '', , hostWord = '', , hsonameWord = '', ...extra] = words;
  const host = hostWord === '' ? defaults.host : readHost(hostWord, asked);
  const hsoname = hsonameWord === '' ? defaults.hsoname : hsonameWord;
  const server = hostWord === '' ? defaults.server : host && { host: host.host, port: host.port ?? prosperoPort };
  return { method, extra, url: urlOf({ method, host, server, hsoname, extra, version: defaults.version }) };
}

interface Given {
  readonly method: string;
  readonly host: NamedHost | undefined;
  readonly server: Place | undefined;
  readonly hsoname: string;
  readonly version: number;
  readonly extra: readonly string[];
}

function urlOf(given: Given): string | undefined {
  const { method, host, server, hsoname, version } = given;
  if (!isSafeName(hsoname)) return undefined;
  try {
    if (method === 'WAIS') return waisUrl(hsoname);
    if (method === 'PROSPERO-CONTENTS') return server && prosperoUrl(server, hsoname, version);
    return host && Object.hasOwn(builders, method) ? builders[method]!({ ...given, host }) : undefined;
  } catch (error) {
    if (error instanceof UrlSyntaxError) return undefined;
    throw error;
  }
}

const builders: Readonly<Record<string, (given: Given & { readonly host: NamedHost }) => string>> = {
  AFTP: ({ host, hsoname, extra }) => {
    // From the anonymous root, so the first slash is no "/" to change to (§3.2.2).
    const segments = hsoname.replace(/^\//, '').split('/').map(octetsOf);
    return ftpUrl(host, segments, extra);
  },
  FTP: ({ host, hsoname, extra }) => {
    // A full path: "/etc" is "%2Fetc" (§3.2.2).
    const [first = '', ...rest] = hsoname.replace(/^\//, '').split('/');
    const segments = [hsoname.startsWith('/') ? `/${first}` : first, ...rest].map(octetsOf);
    return ftpUrl(host, segments, extra);
  },
  GOPHER: ({ host, hsoname, extra }) => {
    const gophertype = gopherType(extra[0] ?? '', hsoname);
    return build.gopher({ ...endpoint(host, 70), gophertype, selector: octetsOf(hsoname) }).toString();
  },
  TELNET: ({ host }) => build.telnet(endpoint(host, 23)).toString(),
};

const typecodes = new Map<string, 'a' | 'i' | 'd'>([
  ['BINARY', 'i'],
  ['TEXT', 'a'],
  ['DIRECTORY', 'd'],
]);

function ftpUrl(host: NamedHost, segments: readonly Uint8Array[], [mode = '']: readonly string[]): string {
  const typecode = typecodes.get(mode);
  const path = { directories: segments.slice(0, -1), name: segments.at(-1)! };
  return build.ftp({ ...endpoint(host, 21), ...path, ...(typecode && { typecode }) }).toString();
}

/** A type character, or a transfer mode, or else the first character of the selector, as gopher servers choose them. */
function gopherType(extra: string, hsoname: string): string {
  if (extra === 'TEXT') return '0';
  if (extra === 'BINARY') return '9';
  return extra.length === 1 ? extra : (hsoname[0] ?? '1');
}

/**
 * `WAIS-GW/<host>(<port>)/<type>/<database>/<doc-id>`, parts already escaped; a `DOC` before the type was seen in a directory
 * of ISI's server. The host in the name is the WAIS server's.
 */
function waisUrl(hsoname: string): string | undefined {
  const [prefix, hostWord = '', ...rest] = hsoname.split('/');
  if (prefix !== 'WAIS-GW') return undefined;
  const host = readHost(hostWord, { host: 'localhost', port: 0 });
  const [type, database, ...docId] = rest[0] === 'DOC' && rest.length > 3 ? rest.slice(1) : rest;
  if (!host || !type || !database || docId.length === 0) return undefined;
  const port = host.port === undefined || host.port === 210 ? '' : `:${host.port}`;
  const url = parse(`wais://${host.host}${port}/${database}/${type}/${docId.join('%2F')}`);
  return url.violations.length === 0 ? url.toString() : undefined;
}

/** The URL of an object at a Prospero server. @throws UrlSyntaxError when the host is none. */
export function prosperoUrl({ host, port }: Place, hsoname: string, version: number): string {
  const fields = version > 0 ? [{ name: 'OBJECT-VERSION', value: String(version) }] : [];
  return build.prospero({ ...endpoint({ host, port }, prosperoPort), hsoname: octetsOf(hsoname), fields }).toString();
}

function endpoint({ host, port }: NamedHost, usual: number): { host: string; port?: number } {
  return { host, ...(port !== undefined && port !== usual && { port }) };
}

/** For people: `LOCAL`, `TELNET (log in as guest)`. */
export function shownMethod({ method, extra, url }: AccessMethod): string {
  const words = textOf(octetsOf(extra.join(' ')));
  return url ?? (words === '' ? method : `${method} (${words})`);
}
