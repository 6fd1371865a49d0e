/**
 * A gopher request, RFC 1436 §2 and RFC 1738 §3.4: one line, answered by one object and the end of the connection.
 *
 *     selector [ TAB search [ TAB gopher+_string ] ] CR LF
 *     selector TAB [ search TAB ] answers                    ; see ask-block.ts, which ends its lines itself
 */
import { ascii, commandLine, requireOneLine, RetrievalError } from '@retriever/driver';
import { decode, decodeText, type GopherUrl } from '@retriever/url';
import { isAskBlock, requireAskBlock } from './ask-block.ts';
import { gopherPlusOf, type GopherPlus } from './gopher-plus.ts';

/** What a gopher URL asks for. All components are octets, as they go on the wire. */
export interface GopherRequest {
  /** The item type, one character. */
  readonly type: string;
  readonly selector: Uint8Array;
  readonly search?: Uint8Array;
  readonly gopherPlus?: Uint8Array;
  /** What the Gopher+ string asks for; absent when there is none, or an empty one. */
  readonly plus?: GopherPlus;
}

const TAB = 0x09;
const SEARCH = '7';
/** CSO phone books are asked with words as search engines are. */
const PHONE_BOOK = '2';

export interface RequestOptions {
  /** Whether a URL may hold answers to a form (RFC 1738 §3.4.9). Default false. */
  readonly allowAskBlock?: boolean;
}

/**
 * Reads the request out of a URL.
 *
 * Departs from RFC 1738 §3.4.2: for types 7 and 2, what follows the first unencoded `?` of the selector is the search too,
 * as people write it, unless the URL has a search already.
 *
 * @throws RetrievalError `policy` when a component would smuggle a line end or a TAB into the request (RFC 1738 §6).
 */
export function gopherRequest(url: GopherUrl, { allowAskBlock = false }: RequestOptions = {}): GopherRequest {
  // RFC 1738 §3.4.1: an empty gopher-path means type 1 and the empty selector.
  const type = decodeText(url.gophertype ?? '1');
  const { octets } = url;
  const { selector, search } = octets.search === undefined && wantsWords(type) ? questionMarkSearch(url) : octets;
  const { gopherPlus } = octets;
  requireOneField(selector, 'the selector');
  if (search) requireOneField(search, 'the search');
  if (gopherPlus) requireGopherPlus(gopherPlus, allowAskBlock);
  const request = { type, selector, ...(search && { search }) };
  if (gopherPlus === undefined) return request;
  return gopherPlus.length === 0 ? { ...request, gopherPlus } : { ...request, ...plusRequest(gopherPlus) };
}

/** §3.4.5: `?` stands for a form, and "require[s] the client to fetch the item's +ASK attribute". */
function plusRequest(gopherPlus: Uint8Array): Required<Pick<GopherRequest, 'gopherPlus' | 'plus'>> {
  const plus = gopherPlusOf(gopherPlus);
  return { gopherPlus: plus.kind === 'form' ? ascii('!+ASK') : gopherPlus, plus };
}

/** The same request for all attributes: pygopherd does not know names, and sends the item itself. */
export function withoutNames(request: GopherRequest): GopherRequest | undefined {
  const { gopherPlus, plus } = request;
  if (plus?.kind !== 'form' && !(plus?.kind === 'attributes' && plus.names.length > 0)) return undefined;
  return { ...request, ...(gopherPlus && { gopherPlus: gopherPlus.subarray(0, 1) }) };
}

/** The octets to send, in one write. */
export function requestLine({ selector, search, gopherPlus }: GopherRequest): Uint8Array {
  if (gopherPlus && isAskBlock(gopherPlus)) return withAnswers(selector, search, gopherPlus);
  // RFC 1738 §3.4.3: with a Gopher+ string the search field is sent even if it is empty.
  if (gopherPlus) return commandLine(selector, '\t', search ?? '', '\t', gopherPlus);
  return search ? commandLine(selector, '\t', search) : commandLine(selector);
}

/**
 * Gopher+'s own form of the request (1993, §2.3), without the search field that RFC 1738 §3.4.3 puts before the Gopher+
 * string; undefined when the request has words to search for, or no such field anyway.
 */
export function singleTabLine({ selector, search, gopherPlus, plus }: GopherRequest): Uint8Array | undefined {
  if (!gopherPlus || !plus || search?.length || isAskBlock(gopherPlus)) return undefined;
  // After one TAB anything but Gopher+'s own signs would be words to search for.
  if (plus.kind === 'unknown') return undefined;
  return commandLine(selector, '\t', gopherPlus);
}

/** Departs from §3.4.3 as §3.4.9 does: no empty search. UMN gopherd answers "Malformed command" to one before a block. */
function withAnswers(selector: Uint8Array, search: Uint8Array | undefined, block: Uint8Array): Uint8Array {
  const fields = search?.length ? [selector, search] : [selector];
  return Buffer.concat([...fields.flatMap((field) => [field, Uint8Array.of(TAB)]), block]);
}

/** Whether the request names a search engine without saying what to search for. */
export function lacksWords({ type, search, plus }: GopherRequest): boolean {
  // Its attributes it tells without.
  const searches = plus === undefined || plus.kind === 'view';
  return type === SEARCH && searches && (search?.length ?? 0) === 0;
}

function wantsWords(type: string): boolean {
  return type === SEARCH || type === PHONE_BOOK;
}

function questionMarkSearch({ selector = '', octets }: GopherUrl): Pick<GopherRequest, 'selector' | 'search'> {
  const mark = selector.indexOf('?');
  if (mark === -1) return { selector: octets.selector };
  return { selector: decode(selector.slice(0, mark)), search: decode(selector.slice(mark + 1)) };
}

function requireOneField(octets: Uint8Array, what: string): void {
  requireOneLine(octets, what);
  if (!octets.includes(TAB)) return;
  throw new RetrievalError(
    'policy',
    `${what} holds a TAB, which would begin another field (RFC 1738 §3.4.1); nothing was sent`,
  );
}

/** A Gopher+ string holds TABs by right (RFC 1738 §3.4.9), and line ends where it is a block of answers that the caller allowed. */
function requireGopherPlus(octets: Uint8Array, allowAskBlock: boolean): void {
  if (!isAskBlock(octets)) return void requireOneLine(octets, 'the Gopher+ string');
  if (allowAskBlock) return requireAskBlock(octets);
  throw new RetrievalError(
    'policy',
    'the URL holds answers to a form (RFC 1738 §3.4.9), several lines, and the gopher driver was not told to ' +
      'send such (allowAskBlock); nothing was sent',
  );
}
