/**
 * One line of a menu, RFC 1436 §3.9, Gopher+ and what servers really send:
 *
 *     type name TAB selector TAB host TAB port [ TAB gopher+ ] CR LF
 */
import { latin1Of, textOf } from '@retriever/driver';

/** The fields of a menu line as the server sent them. A field that is absent or empty is `undefined`, save the selector. */
export interface MenuLine {
  /** One octet, as a character. */
  readonly type: string;
  readonly name: Uint8Array;
  /** `undefined` when the line has no TAB at all: it is then hardly a menu line. */
  readonly selector: Uint8Array | undefined;
  readonly host: string | undefined;
  readonly port: string | undefined;
  /** The Gopher+ field: `+` for a Gopher+ item, `?` for one with an ASK form (RFC 1738 §3.4.4). */
  readonly gopherPlus: string | undefined;
}

const TAB = 0x09;
const CR = 0x0d;

/**
 * Splits a menu line, its line end taken off already, into its fields.
 *
 * @example
 * menuLine(ascii('0About\t/about\texample.org\t70')).host; // 'example.org'
 */
export function menuLine(octets: Uint8Array): MenuLine {
  const line = withoutCarriageReturns(octets);
  const [name = line.subarray(0, 0), selector, host, port, gopherPlus] = fields(line.subarray(1));
  return {
    type: latin1Of(line.subarray(0, 1)),
    name,
    selector,
    host: word(host),
    port: word(port),
    gopherPlus: word(gopherPlus),
  };
}

/** Files with CR LF that a server reads as text arrive with CR CR LF. */
function withoutCarriageReturns(line: Uint8Array): Uint8Array {
  let end = line.length;
  while (end > 0 && line[end - 1] === CR) end -= 1;
  return line.subarray(0, end);
}

/** The first fields; servers' private ones after the Gopher+ field are left out. */
function fields(octets: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = [];
  let from = 0;
  while (found.length < 5) {
    const tab = octets.indexOf(TAB, from);
    if (tab === -1) {
      found.push(octets.subarray(from));
      break;
    }
    found.push(octets.subarray(from, tab));
    from = tab + 1;
  }
  return found;
}

/** Hosts and ports come padded with blanks. */
function word(octets: Uint8Array | undefined): string | undefined {
  const text = octets && textOf(octets).trim();
  return text === '' ? undefined : text;
}
