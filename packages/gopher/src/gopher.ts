/** The gopher driver: RFC 1436, Gopher+ (1993), RFC 1738 §3.4. */
import {
  emptyBody,
  textOf,
  RetrievalError,
  type Access,
  type Driver,
  type Endpoint,
  type Retrieval,
  type RetrievalRequest,
} from '@retriever/driver';
import { defaultPort, type GopherUrl } from '@retriever/url';
import { elsewhere } from './elsewhere.ts';
import { bodyOfReply, emptyListing, listing } from './listing.ts';
import { meaningOf, metadataOf } from './meaning.ts';
import type { MenuLimits } from './menu.ts';
import { movedReference } from './moved.ts';
import { phoneBook } from './phone-book.ts';
import { refusalOf } from './reply-error.ts';
import { GopherReply } from './reply.ts';
import { gopherRequest, lacksWords, requestLine, singleTabLine, withoutNames, type GopherRequest } from './request.ts';

/** What the driver may send, and bounds on what a hostile or broken server may; objects have none but the reader's own. */
export interface GopherOptions {
  /**
   * Whether URLs may hold answers to a form (RFC 1738 §3.4.9; see `askUrl`): the only URLs whose CR LF reach the wire.
   * Default false. A crawler has no business with them.
   */
  readonly allowAskBlock?: boolean | undefined;
  /** The longest line of a menu, in octets. Default 8192. */
  readonly maxMenuLineBytes?: number | undefined;
  /** The most entries of a menu. Default 1,000,000. */
  readonly maxMenuEntries?: number | undefined;
  /** The longest menu read as entries, in octets. Default 256 MiB. */
  readonly maxMenuBytes?: number | undefined;
}

/** Notes on one answer's faults; a menu may have thousands. */
const maxNotes = 8;

const searchHint = 'type 7 is a search: put the words after %09 or ?, as in gopher://host/7/search%09words';

/**
 * Makes the driver for `gopher:` and `gophers:` (gopher over TLS from the first octet).
 *
 * A menu or a search result is a listing, any other item content, a `URL:` item a reference, a telnet item a service.
 *
 * - Plain gopher has no status and no length: a server's "not found" is recognised by its form, and an answer is complete
 *   when the server closes the connection in order. With a Gopher+ string the answer's header tells.
 * - `%09%09+` is the item's default view, `%09%09+view%20language` another one: content or a menu as without. The metadata's
 *   type is the view asked for; servers that have no such view send the default one and do not say so.
 * - `%09%09!` lists the item with its attributes, `%09%09$` the items of a directory with theirs, `%09%09?` the item with its
 *   form: entries whose facts are `admin`, `abstract`, `views`, `ask` and `+NAME` of others. `parseAttributes` reads the body,
 *   `parseAsk` the fact `ask`; `askUrl` makes the URL that submits a form filled in.
 * - An item that has moved (error 3) is a reference to where it is now.
 * - A server that ignores Gopher+ answers as if there were no Gopher+ string, and the trace says so.
 * - Type 2 looks words up in a CSO phone book: an entry for each person, a fact for each field. Without words it lists the fields.
 * - Type 7 without words sends the plain selector, and says so on the trace: some engines answer with a form or a help text.
 * - `metadataOnly` asks all the same, since only the beginning of an answer tells whether there is one, and hangs up there.
 * - `range`, `ifModifiedSince`, `accept` and `compressed` have no counterpart and are ignored.
 *
 * @example
 * const client = createClient({ drivers: [gopher()] });
 */
export function gopher({
  allowAskBlock = false,
  maxMenuLineBytes = 8192,
  maxMenuEntries = 1_000_000,
  maxMenuBytes = 256 * 1024 * 1024,
}: GopherOptions = {}): Driver<GopherUrl> {
  const limits: MenuLimits = { maxMenuLineBytes, maxMenuEntries, maxMenuBytes };
  return {
    schemes: ['gopher', 'gophers'],
    retrieve(request, access) {
      return retrieve(request, {
        endpoint: endpointOf(request.url),
        access,
        limits,
        allowAskBlock,
        note: notes(access),
      });
    },
  };
}

interface Context {
  readonly endpoint: Endpoint;
  readonly access: Access;
  readonly limits: MenuLimits;
  readonly allowAskBlock: boolean;
  /** Puts a fault on the trace. */
  readonly note: (text: string) => void;
}

async function retrieve(
  { url, metadataOnly = false }: RetrievalRequest<GopherUrl>,
  context: Context,
): Promise<Retrieval> {
  const { access, endpoint, limits, note } = context;
  access.signal.throwIfAborted();
  const request = gopherRequest(url, context);
  const other = elsewhere(request, endpoint, access);
  if (other) return other;
  if (request.type === '2') return phoneBook(request, { ...context, metadataOnly });
  if (lacksWords(request)) note(searchHint);
  const reply = await answered(request, context);
  const server = { scheme: url.scheme, host: endpoint.host, port: endpoint.port };
  if (reply.error) {
    reply.close();
    const moved = movedReference(reply.error, request, server);
    if (moved) return moved;
    throw refusalOf(reply.error);
  }
  const meaning = meaningOf(request, reply.header);
  const metadata = metadataOf(request, reply.header);
  if (metadataOnly) reply.close();
  if (meaning !== 'object')
    return metadataOnly ? emptyListing(metadata) : listing(reply, { meaning, request, server, limits, metadata, note });
  return { kind: 'content', body: metadataOnly ? emptyBody() : bodyOfReply(reply, note), metadata };
}

/** Asks; and asks once more, in other words, a server that did not understand. */
async function answered(request: GopherRequest, context: Context): Promise<GopherReply> {
  const { note } = context;
  const first = await ask(request, context);
  if (!request.plus || !first.isPlain) return first;
  const all = withoutNames(request);
  if (all) note('the server does not know attributes by name: all are asked for');
  if (all) first.close();
  const reply = all ? await ask(all, context) : first;
  if (reply.isPlain) note('the server ignored the Gopher+ string: what came is the item itself');
  return reply;
}

async function ask(request: GopherRequest, context: Context): Promise<GopherReply> {
  try {
    return await exchange(request, requestLine(request), context);
  } catch (error) {
    if (!(error instanceof RetrievalError && error.code === 'not-found')) throw error;
    if (lacksWords(request))
      throw new RetrievalError('not-found', `${error.message} (${searchHint})`, {
        reply: error.reply,
        cause: error,
      });
    // A refusal without a header: the empty search of RFC 1738 §3.4.3 may be what was not understood.
    const line = singleTabLine(request);
    if (!line) throw error;
    context.note(`asked again without the empty search, since ${error.message}`);
    return await exchange(request, line, context);
  }
}

/** Sends the request and waits until the answer begins. */
async function exchange(request: GopherRequest, line: Uint8Array, { endpoint, access }: Context): Promise<GopherReply> {
  const source = await access.connectForBody(endpoint);
  try {
    access.report({ type: 'sent', text: shown(line) });
    source.socket.write(line);
    const reply = await GopherReply.open(source, request);
    if (reply.header) access.report({ type: 'received', text: reply.header.text });
    return reply;
  } catch (error) {
    source.destroy();
    throw error;
  }
}

/** The first line: those after it answer a form, and one answer may be a password. */
function shown(line: Uint8Array): string {
  const [first = '', ...answers] = textOf(line).split('\r\n');
  return answers.length > 1 ? `${first} (and the answers to a form)` : first;
}

function endpointOf({ scheme, host, port = defaultPort(scheme) ?? 70 }: GopherUrl): Endpoint {
  return { host, port, ...(scheme === 'gophers' && { tls: {} }) };
}

/** A bounded number of notes for the trace. */
function notes(access: Access): (text: string) => void {
  let count = 0;
  return (text) => {
    count += 1;
    if (count <= maxNotes) access.report({ type: 'note', text });
    if (count === maxNotes) access.report({ type: 'note', text: 'further faults of the answer are not reported' });
  };
}
