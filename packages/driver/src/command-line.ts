/** Command lines: octets on the wire exactly as the URL says, and never more than one line (RFC 1738 §6). */
import { RetrievalError } from './retrieval-error.ts';

const forbidden = new Map([
  [0x00, 'NUL'],
  [0x0a, 'LF'],
  [0x0d, 'CR'],
]);

/**
 * Refuses octets that would end or split a protocol line.
 *
 * @param octets What a URL or a caller wants on the line.
 * @param what What it is, for the error: `the selector`, `the user name`.
 * @throws RetrievalError `policy` when it holds CR, LF or NUL; nothing has been sent then.
 */
export function requireOneLine(octets: Uint8Array, what: string): Uint8Array {
  const bad = octets.find((octet) => forbidden.has(octet));
  if (bad === undefined) return octets;
  throw new RetrievalError(
    'policy',
    `${what} holds ${forbidden.get(bad)}, which would end the command line (RFC 1738 §6); nothing was sent`,
  );
}

/**
 * Puts a command line together from ASCII text and octets, with CR LF at its end.
 *
 * @example
 * socket.write(commandLine('CWD ', url.octets.name)); // CWD caf\xe9\r\n
 * @throws RetrievalError `policy` when a part holds CR, LF or NUL. TypeError for text outside ASCII: encode it first.
 */
export function commandLine(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  const octets = parts.map((part) => (typeof part === 'string' ? ascii(part) : part));
  const line = new Uint8Array(octets.reduce((sum, part) => sum + part.length, 2));
  let at = 0;
  for (const part of octets) {
    line.set(requireOneLine(part, 'the command'), at);
    at += part.length;
  }
  line.set([0x0d, 0x0a], at);
  return line;
}

/** Octets of ASCII text. @throws TypeError for any other character: which octets it means is the caller's to say. */
export function ascii(text: string): Uint8Array {
  const octets = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) throw new TypeError(`not ASCII: ${JSON.stringify(text)}`);
    octets[at] = code;
  }
  return octets;
}
