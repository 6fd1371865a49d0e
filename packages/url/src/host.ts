/**
 * Hosts, RFC 1738 §3.1 and §5:
 *
 *     host        = hostname | hostnumber
 *     hostname    = *[ domainlabel "." ] toplabel
 *     domainlabel = alphadigit | alphadigit *[ alphadigit | "-" ] alphadigit
 *     toplabel    = alpha | alpha *[ alphadigit | "-" ] alphadigit
 *     hostnumber  = digits "." digits "." digits "." digits
 */
import { characterSet, isDigit } from './characters.ts';
import { toAscii } from './platform.ts';
import type { Reading } from './reading.ts';
import { UrlSyntaxError } from './violation.ts';

// RFC 1034 §3.1: octets in a label, and in a name as text.
const MAX_LABEL = 63;
const MAX_NAME = 253;

const LABEL = characterSet('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-');

/** A text that holds a host, and what to do about departures in it. */
type Source = Pick<Reading, 'text' | 'tolerate' | 'fail'>;

/** `hostname` of §5, as it stands there. */
const HOSTNAME = /^(?:[A-Za-z\d]+(?:-+[A-Za-z\d]+)*\.)*[A-Za-z][A-Za-z\d]*(?:-+[A-Za-z\d]+)*$/;

/** Reads the host that takes all the text between two offsets; an internationalized one is returned in its `xn--` form. */
export function readHost(source: Source, start: number, end: number): string {
  const host = source.text.slice(start, end);
  if (host.length <= MAX_LABEL && HOSTNAME.test(host)) return host;
  if (host === '') source.fail('host', start, 'the host is empty');
  return host.startsWith('[') ? readLiteral(source, start, end) : readOtherHost(source, start, end);
}

/** Reads a host number, a long name, or one that departs from `hostname`. */
function readOtherHost(source: Source, start: number, end: number): string {
  const { text } = source;
  let label = start;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (LABEL[code] === 1) continue;
    if (code > 127) return readForeignHost(source, start, end);
    if (code === 0x5f) {
      source.tolerate('domainlabel', at, 'a host name has no "_"');
    } else if (code === 0x2e) {
      checkLabel(source, label, at);
      if (at + 1 < end) label = at + 1;
    } else {
      source.fail('host', at, 'a host has only letters, digits, "-" and "."');
    }
  }
  checkLastLabel(source, start, label, end);
  return text.slice(start, end);
}

function checkLabel(source: Source, start: number, end: number): void {
  const { text } = source;
  if (start === end) source.fail('hostname', start, 'a label of the host name is empty');
  if (end - start > MAX_LABEL) source.fail('domainlabel', start, `a label has more than ${MAX_LABEL} characters`);
  if (text.charCodeAt(start) === 0x2d) source.tolerate('domainlabel', start, 'a label begins with "-"');
  if (end - start > 1 && text.charCodeAt(end - 1) === 0x2d)
    source.tolerate('domainlabel', end - 1, 'a label ends with "-"');
}

/** "The rightmost domain label will never start with a digit" (§3.1), so one that does must end four decimal numbers. */
function checkLastLabel(source: Source, start: number, label: number, end: number): void {
  const { text } = source;
  const dotted = text.charCodeAt(end - 1) === 0x2e;
  if (isDigit(text.charCodeAt(label))) {
    if (!isHostNumber(text.slice(start, end))) {
      // Departs from `digits`, which is any number: resolvers read "0x7f.1", "010.0.0.1" and "2130706433" each in their own way.
      source.fail('hostnumber', start, 'a host number is four decimal numbers from 0 to 255 without leading zeros');
    }
    return;
  }
  if (!dotted) checkLabel(source, label, end);
  else source.tolerate('hostname', end - 1, 'a host name does not end with "."');
  if (end - start - (dotted ? 1 : 0) > MAX_NAME) {
    source.fail('hostname', start, `the host name has more than ${MAX_NAME} characters`);
  }
}

function isHostNumber(text: string): boolean {
  const numbers = text.split('.');
  return numbers.length === 4 && numbers.every(isDecimalOctet);
}

function isDecimalOctet(digits: string): boolean {
  if (digits === '' || digits.length > 3 || (digits.length > 1 && digits.startsWith('0'))) return false;
  for (let at = 0; at < digits.length; at++) if (!isDigit(digits.charCodeAt(at))) return false;
  return Number(digits) <= 255;
}

function readForeignHost(source: Source, start: number, end: number): string {
  const { text } = source;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code < 128 && LABEL[code] !== 1 && code !== 0x2e && code !== 0x5f) {
      source.fail('host', at, 'a host has only letters, digits, "-" and "."');
    }
  }
  const host = toAscii(text.slice(start, end));
  if (host === undefined || host === '') source.fail('hostname', start, 'the host name has no ASCII form');
  // IDNA maps look-alike digits to digits; a host number must be written with real ones.
  if (isHostNumber(host)) source.fail('hostnumber', start, 'a host number has only ASCII digits');
  source.tolerate('hostname', start, 'a host name has only US-ASCII characters');
  return host;
}

/** Departs from RFC 1738, which knows IPv4 only: `"[" IPv6address [ "%25" zone ] "]"` of RFC 3986 §3.2.2 and RFC 6874. A bare `%` before the zone, as people paste it, is tolerated. */
function readLiteral(source: Source, start: number, end: number): string {
  const literal = source.text.slice(start + 1, end - 1);
  const percent = literal.indexOf('%');
  const address = percent < 0 ? literal : literal.slice(0, percent);
  if (!isIPv6(address)) source.fail('host', start, 'there is no IPv6 address in the brackets');
  source.tolerate('host', start, 'an IPv6 address is no host of RFC 1738');
  return percent < 0 ? address : `${address}%${readZone(source, literal.slice(percent), start + 1 + percent)}`;
}

function readZone(source: Source, zone: string, start: number): string {
  const [, percent, name] = /^(%25|%(?!25))([A-Za-z0-9._~-]{1,64})$/.exec(zone) ?? [];
  if (name === undefined) source.fail('host', start, 'an IPv6 zone is "%25" and a name');
  if (percent === '%') source.tolerate('escape', start, 'the "%" before an IPv6 zone must be encoded');
  return name;
}

/** RFC 4291 §2.2, its three forms. */
function isIPv6(address: string): boolean {
  if (address.length > 45) return false;
  const halves = address.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const tail = groups.at(-1) ?? '';
  const mixed = tail.includes('.') && !address.endsWith('::');
  if (mixed && !isHostNumber(groups.pop()!)) return false;
  const count = groups.length + (mixed ? 2 : 0);
  return groups.every(isGroup) && (halves.length === 2 ? count < 8 : count === 8);
}

function isGroup(group: string): boolean {
  return /^[0-9A-Fa-f]{1,4}$/.test(group);
}

/** Whether a text is a host by the BNF, without departures. */
export function isHost(text: string): boolean {
  try {
    readHost({ text, tolerate: fail, fail }, 0, text.length);
    return true;
  } catch {
    return false;
  }
}

/** A host given apart from a URL, as {@link readHost} returns it. @throws UrlSyntaxError */
export function checkHost(host: string): string {
  if (!host.includes(':')) return readHost({ text: host, tolerate: () => {}, fail }, 0, host.length);
  const literal = formatHost(host);
  return readHost({ text: literal, tolerate: () => {}, fail }, 0, literal.length);
}

function fail(rule: string, position: number, message: string): never {
  throw new UrlSyntaxError(rule, position, message);
}

/** A host as it stands in a URL: an IPv6 address in brackets. */
export function formatHost(host: string): string {
  return host.includes(':') ? `[${host.replace('%', '%25')}]` : host;
}
