/** What to tell of URLs that lead to no data object (RFC 1738 §3.5, §3.8). */
import type { Mailbox, Service } from '@retriever/driver';
import { lineForTerminal as harmless } from './terminal-text.ts';

/**
 * Readable text. Whatever the URL says is kept to its line and harmless, on a terminal or not.
 *
 * A service's password is part of it: to tell it is all that a telnet URL is for ("merely advise the user of the suggested
 * username and password", §3.8).
 */
export function adviceOn(retrieved: Service | Mailbox): string {
  const lines = retrieved.kind === 'mailbox' ? mailboxLines(retrieved) : serviceLines(retrieved);
  return lines.map((line) => `${harmless(line)}\n`).join('');
}

/** The login that the URL suggests, as one line of text; undefined when it suggests none. */
export function suggestedLogin({ user, password }: Service): string | undefined {
  if (user === undefined) return undefined;
  return `The URL suggests to log in as ${user}${password === undefined ? '' : ` with the password ${password}`}`;
}

function serviceLines(service: Service): string[] {
  const { host, port } = service;
  const login = suggestedLogin(service);
  return [`An interactive service, nothing to retrieve: ${host} port ${port}`, ...(login === undefined ? [] : [login])];
}

function mailboxLines({ address, to = [address], fields = [] }: Mailbox): string[] {
  return [
    `An address for mail, nothing to retrieve: ${to.length === 0 ? 'none is given' : to.join(', ')}`,
    ...fields.flatMap(({ name, value }) => (name === 'body' ? bodyLines(value) : [`${name}: ${value}`])),
  ];
}

/** RFC 6068 §5: line breaks in the body are CR LF; many write LF. */
function bodyLines(body: string): string[] {
  return ['body:', ...body.split(/\r\n|\r|\n/).map((line) => `  ${line}`)];
}
