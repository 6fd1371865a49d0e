/** Octets as text for people: names in listings, replies in errors and traces. */

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** UTF-8 if the octets are valid, else latin1, which never fails. Never feed the result back to the wire. */
export function textOf(octets: Uint8Array): string {
  try {
    return utf8.decode(octets);
  } catch {
    return latin1Of(octets);
  }
}

/** One character an octet, U+0000 to U+00FF (not windows-1252, which `TextDecoder` makes of `latin1`). */
export function latin1Of(octets: Uint8Array): string {
  let text = '';
  for (let at = 0; at < octets.length; at += 8192) text += charactersOf(octets.subarray(at, at + 8192));
  return text;
}

/** `apply` takes any array-like and is several times as fast as spreading one. */
function charactersOf(octets: ArrayLike<number>): string {
  return String.fromCharCode.apply(undefined, octets as number[]);
}
