/** What is known of a service or a mail address, for JSON. The password is the URL's own and the advice itself (RFC 1738 §3.8). */
import type { Mailbox, Service } from '@retriever/driver';

export function pointerRecord(retrieved: Service | Mailbox): Record<string, unknown> {
  const { host, port, user, password } = retrieved as Partial<Service>;
  const { address, to, fields } = retrieved as Partial<Mailbox>;
  const facts = { host, port, user, password, address, to, fields };
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined));
}
