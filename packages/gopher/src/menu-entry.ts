/** What a menu line means: an entry with the URL it leads to. */
import { latin1Of, textOf, type Entry } from '@retriever/driver';
import { build, defaultPort, parse, type GopherUrl } from '@retriever/url';
import { itemTypeOf, mediaTypeOfItem } from './item-types.ts';
import type { MenuLine } from './menu-line.ts';

/** The server that sent the menu: lines without a host mean it. */
export interface MenuServer {
  readonly scheme: 'gopher' | 'gophers';
  readonly host: string;
  readonly port: number;
}

/** Where an item is to be had. */
interface Place {
  readonly host: string;
  readonly port: number;
}

type Facts = NonNullable<Entry['facts']>;

/** RFC 1436 §3.8: "Item is a redundant server", an alternative to the item before it and of its type. */
const REDUNDANT = '+';

/** CSO phone books are asked at the port of their own protocol (RFC 2378). */
const PHONE_BOOK = '2';

/** Schemes that act on the reader's own machine or page: a server's word is never made a link to them. */
const hostile = new Set(['about', 'blob', 'data', 'file', 'javascript', 'vbscript', 'view-source']);

/**
 * The entry a menu line stands for.
 *
 * @param previous The type of the item before it, itself no redundant server; a `+` line takes it over.
 */
export function menuEntry(line: MenuLine, server: MenuServer, previous?: string): Entry {
  const type = line.type === REDUNDANT ? previous : line.type;
  const kind = type === undefined ? 'other' : itemTypeOf(type).kind;
  const entry = { name: textOf(line.name), rawName: line.name, kind };
  const facts = factsOf(line, type);
  if (type === undefined || kind === 'info' || kind === 'error') return { ...entry, facts };
  // Without a TAB there is no selector: a stray line of text in the menu.
  if (line.selector === undefined) return strayText(line);
  // An octet that is no character of a URL is no item type either.
  if (!/^[!-~]$/.test(type)) return { ...entry, kind: 'other', facts };
  const target = type === 'h' ? urlOfSelector(line.selector) : undefined;
  if (target !== undefined) return { ...entry, kind: 'link', linkTarget: target, ...link(target), facts };
  const place = placeOf(line, type, server);
  if (place === undefined) return { ...entry, facts: { ...facts, invalidPort: line.port ?? '' } };
  const url = urlOf({ type, selector: line.selector, form: line.gopherPlus === '?' }, place, server);
  if (url === undefined) return { ...entry, facts: { ...facts, invalidHost: place.host } };
  const mediaType =
    kind === 'service' || kind === 'search' ? undefined : mediaTypeOfItem(type, latin1Of(line.selector));
  return { ...entry, url, ...(mediaType !== undefined && { mediaType }), facts };
}

/** The `URL:` convention of type h items: the selector is a URL elsewhere. Some servers put a slash before it. */
export function urlOfSelector(selector: Uint8Array): string | undefined {
  return /^\/?URL:(.+)$/i.exec(textOf(selector))?.[1]?.trim();
}

/** The URL a text is, if a server may make a link of it; undefined otherwise. */
export function safeUrl(target: string): string | undefined {
  try {
    const url = parse(target);
    // Nor does a server's word ever answer a form (RFC 1738 §3.4.9): that is the reader's.
    if (hostile.has(url.scheme) || (url.grammar === 'gopher' && holdsLineEnd(url))) return undefined;
    return url.toString();
  } catch {
    return undefined;
  }
}

function holdsLineEnd({ octets: { selector, search, gopherPlus } }: GopherUrl): boolean {
  return [selector, search, gopherPlus].some((field) => field?.includes(0x0a) || field?.includes(0x0d));
}

function link(target: string): Pick<Entry, 'url'> {
  const url = safeUrl(target);
  return url === undefined ? {} : { url };
}

function strayText(line: MenuLine): Entry {
  const octets = new Uint8Array(line.name.length + 1);
  octets[0] = line.type.charCodeAt(0);
  octets.set(line.name, 1);
  return { name: textOf(octets), rawName: octets, kind: 'info', facts: { stray: true } };
}

function factsOf({ type, gopherPlus }: MenuLine, meant: string | undefined): Facts {
  return {
    type,
    ...(type === REDUNDANT && meant !== undefined && { redundantType: meant }),
    ...(gopherPlus !== undefined && { gopherPlus }),
  };
}

/** A line without a host means the server itself, one without a port its protocol's; undefined when the port is none. */
function placeOf({ host, port }: MenuLine, type: string, server: MenuServer): Place | undefined {
  if (port === undefined) return host === undefined ? server : { host, port: type === PHONE_BOOK ? 105 : 70 };
  const number = /^\d{1,5}$/.test(port) ? Number(port) : 0;
  return number > 0 && number <= 0xffff ? { host: host ?? server.host, port: number } : undefined;
}

/** What an item is asked with. */
interface Item {
  readonly type: string;
  readonly selector: Uint8Array;
  /** Whether it has a form to fill in first. */
  readonly form: boolean;
}

/**
 * Undefined when the host is none.
 *
 * An item marked `+` gets a URL without a Gopher+ string, which every server understands. One marked `?` is of no use without
 * its form: its URL leads there (RFC 1738 §3.4.4, §3.4.5).
 */
function urlOf({ type: gophertype, selector, form }: Item, place: Place, server: MenuServer): string | undefined {
  try {
    if (gophertype === '8') return sessionUrl(selector, place);
    // RFC 1738 §4 reserves tn3270 and defines nothing: written as telnet is.
    if (gophertype === 'T') return sessionUrl(selector, place).replace(/^telnet:/, 'tn3270:');
    const scheme = isSame(place, server) ? server.scheme : 'gopher';
    const item = build.gopher({ scheme, ...withoutDefaultPort(place, scheme), gophertype, selector }).toString();
    // A `?` of the selector would be taken for the beginning of the search (see request.ts).
    const url = gophertype === '7' || gophertype === PHONE_BOOK ? item.replaceAll('?', '%3F') : item;
    return form ? `${url}%09%09?` : url;
  } catch {
    return undefined;
  }
}

/** RFC 1436 §3.8: for a telnet session the selector is the login name. */
function sessionUrl(user: Uint8Array, place: Place): string {
  return build.telnet({ ...withoutDefaultPort(place, 'telnet'), ...(user.length > 0 && { user }) }).toString();
}

/** A menu cannot say "over TLS": only the server that was reached so is taken to be so again. */
function isSame(place: Place, server: MenuServer): boolean {
  return place.port === server.port && place.host.toLowerCase() === server.host.toLowerCase();
}

function withoutDefaultPort({ host, port }: Place, scheme: string): { host: string; port?: number } {
  return port === defaultPort(scheme) ? { host } : { host, port };
}
