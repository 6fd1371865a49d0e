/** What a URL asks a server, and the message that asks it. */
import { latin1Of, requireOneLine, RetrievalError } from '@retriever/driver';
import { defaultPort, type ProsperoUrl } from '@retriever/url';
import type { Place } from './place.ts';
import { octetsOf, quoted } from './quoting.ts';

/** An object at a server. Texts stand for octets, see quoting.ts. */
export interface Question {
  readonly server: Place;
  readonly hsoname: string;
  /** 0 for the current one. */
  readonly version: number;
  /** The value of the field ID, type and words: `['REMOTE', '55']`. */
  readonly id?: readonly string[] | undefined;
}

/** The port of RFC 1738 §3.11. */
export const prosperoPort: number = defaultPort('prospero') ?? 1525;

/**
 * Reads the URL (RFC 1738 §3.11). All of its fields "serve to identify the target", so one that cannot be sent is refused.
 *
 * @throws RetrievalError `policy` for CR, LF or NUL; `unsupported` for a login, an empty hsoname or an unknown field.
 */
export function questionOf(url: ProsperoUrl): Question {
  if (url.user !== undefined || url.password !== undefined)
    throw new RetrievalError('unsupported', 'a prospero URL has no user name and no password (RFC 1738 §3.11)');
  const { octets, host, port = prosperoPort } = url;
  if (octets.hsoname.length === 0) throw new RetrievalError('unsupported', 'the URL names no object (hsoname)');
  const hsoname = latin1Of(requireOneLine(octets.hsoname, 'the hsoname'));
  const fields = octets.fields.map(({ name, value }) => ({
    name: latin1Of(name).toUpperCase(),
    value: latin1Of(requireOneLine(value, 'a field')),
  }));
  return { server: { host, port }, hsoname, ...readFields(fields) };
}

function readFields(fields: readonly { readonly name: string; readonly value: string }[]): {
  version: number;
  id?: readonly string[];
} {
  let version = 0;
  let id: readonly string[] | undefined;
  for (const { name, value } of fields) {
    if (name === 'OBJECT-VERSION' && /^\d{1,9}$/.test(value)) version = Number(value);
    else if (name === 'ID' && /\S/.test(value)) id = value.trim().split(/\s+/);
    else throw new RetrievalError('unsupported', `the field ${JSON.stringify(`${name}=${value}`)} cannot be asked for`);
  }
  return { version, ...(id && { id }) };
}

/** `all`: what is known of the object and, if it is a directory, its links; `list`: the links alone. */
export type Wish = 'all' | 'list' | 'contents';

/**
 * The message, in the shape that the original clients send. ISI's server has room for 40 octets of the client's name, and
 * ends with an error at longer ones; it runs the commands in order up to the first that fails.
 */
export function messageFor(question: Question, wish: Wish, user: string): Uint8Array {
  const { hsoname, version, id } = question;
  const object = `ASCII ${quoted(hsoname)}`;
  const select = id ? [`SELECT OBJECT FIELD ID ${id.map(quoted).join(' ')}`] : [];
  // Asked for #ALL: for ACCESS-METHOD alone ISI's server knows no plain file of its anonymous FTP area.
  const info = [`GET-OBJECT-INFO ${wish === 'contents' ? 'CONTENTS' : '#ALL'} ${object} ${version}`, ...select];
  const directory = version === 0 ? `DIRECTORY ${object}` : `DIRECTORY ${object} ${version}`;
  const list = [directory, ...select, 'LIST ATTRIBUTES COMPONENTS'];
  const lines = [
    'VERSION 5 retriever',
    ...(user === '' ? [] : [`AUTHENTICATE '' UNAUTHENTICATED ${quoted(user)}`]),
    ...(wish === 'list' ? [] : info),
    ...(wish === 'contents' ? [] : list),
  ];
  return octetsOf(lines.map((line) => `${line}\n`).join(''));
}

/** For the trace: the request line for line. */
export function linesOf(message: Uint8Array): string[] {
  return latin1Of(message).split('\n').slice(0, -1);
}

/** Whether two questions are the same one. */
export function keyOf({ server, hsoname, version, id = [] }: Question): string {
  return JSON.stringify([server.host.toLowerCase(), server.port, hsoname, version, id]);
}

/**
 * Whether the name is a query of a gateway or of Archie. Such a directory is computed for each command that asks for it, so
 * it is only listed, as Archie's clients do.
 */
export function isQuery({ hsoname }: Question): boolean {
  return /^(ARCHIE|GOPHER-GW|WAIS-GW)\//.test(hsoname);
}
