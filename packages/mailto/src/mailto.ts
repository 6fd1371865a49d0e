/** The mailto driver: RFC 1738 §3.5, and the header fields of RFC 6068. Nothing is ever sent. */
import { RetrievalError, textOf, type Driver, type Mailbox } from '@retriever/driver';
import type { MailtoUrl } from '@retriever/url';
import { isAddrSpec, splitAddresses } from './addr-spec.ts';

/** A header field of RFC 6068; its name is in lower case. */
export interface MailtoField {
  readonly name: string;
  readonly value: string;
}

/** What a mailto URL says, as data. */
export interface MailtoMailbox extends Mailbox {
  readonly to: readonly string[];
  readonly fields: readonly MailtoField[];
}

/**
 * Makes the driver for `mailto:`, which connects to nobody and sends nothing.
 *
 * - `address` is the addr-spec, decoded (`gorby%25kremvax@example.com` is `gorby%kremvax@example.com`); of several the
 *   first, and empty where header fields stand alone.
 * - `to` has every address, in order: those before the `?`, then those of `to` fields.
 * - `fields` has all the other header fields, in order, with nothing left out: what of them to trust is the caller's to say
 *   (RFC 6068 §4 warns of all but `subject`, `keywords` and `body`).
 *
 * CR, LF and NUL are refused, whoever encoded them: in a header they would begin another field. Only in `body`, which is
 * no header field, CR and LF stay: `%0D%0A` there is a line break (RFC 6068 §5).
 *
 * @example
 * const client = createClient({ drivers: [mailto()] });
 * await client.retrieve('mailto:joe@example.com?subject=hello'); // { kind: 'mailbox', address: 'joe@example.com', … }
 */
export function mailto(): Driver<MailtoUrl> {
  return {
    schemes: ['mailto'],
    async retrieve({ url }, access) {
      access.signal.throwIfAborted();
      return mailboxOf(url);
    },
  };
}

/**
 * What the URL says.
 *
 * @throws RetrievalError `policy` for CR, LF or NUL, `unsupported` for what is not an address.
 */
function mailboxOf({ octets }: MailtoUrl): MailtoMailbox {
  const own = addressesOf(oneLine(octets.address, 'the address'));
  const fields = octets.headers.map(({ name, value }) => fieldOf(name, value));
  const further = fields.filter(({ name }) => name === 'to').flatMap(({ value }) => addressesOf(value));
  const to = [...own, ...further];
  return {
    kind: 'mailbox',
    address: to[0] ?? '',
    to,
    fields: fields.filter(({ name }) => name !== 'to'),
  };
}

function fieldOf(nameOctets: Uint8Array, valueOctets: Uint8Array): MailtoField {
  const name = oneLine(nameOctets, 'the name of a header field').toLowerCase();
  // RFC 822 §3.2: any characters but CTLs, SPACE and ":".
  if (!/^[\x21-\x39\x3b-\x7e]+$/.test(name)) {
    throw new RetrievalError('unsupported', `${JSON.stringify(name)} is not the name of a header field (RFC 822 §3.2)`);
  }
  const value = name === 'body' ? withoutNul(valueOctets) : oneLine(valueOctets, `the header field ${name}`);
  return { name, value };
}

/** @throws RetrievalError `unsupported` for a text that is no list of addresses. */
function addressesOf(list: string): string[] {
  if (list.trim() === '') return [];
  const addresses = splitAddresses(list);
  for (const address of addresses) if (!isAddrSpec(address)) throw notAnAddress(address);
  return addresses;
}

function notAnAddress(address: string): RetrievalError {
  const hint = /[<>:;()]/.test(address) ? '; names, comments, routes and groups have no place in a mailto URL' : '';
  return new RetrievalError(
    'unsupported',
    `${JSON.stringify(address)} is not a mail address: an addr-spec of RFC 822 is wanted, as in user@host.example${hint}`,
  );
}

function oneLine(octets: Uint8Array, what: string): string {
  const text = withoutNul(octets, what);
  if (!/[\r\n]/.test(text)) return text;
  throw new RetrievalError('policy', `${what} holds CR or LF, which would begin another header field (RFC 1738 §6)`);
}

function withoutNul(octets: Uint8Array, what = 'the body'): string {
  if (!octets.includes(0)) return textOf(octets);
  throw new RetrievalError('policy', `${what} holds NUL, which no mail may (RFC 1738 §6)`);
}
