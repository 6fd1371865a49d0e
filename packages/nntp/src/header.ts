/** Header fields of an article (RFC 5536 §2, RFC 5322 §2.2), taken apart as they come, whatever comes. */
import { latin1Of } from '@retriever/driver';

/** A field as latin1, one character an octet: its name as written, its value unfolded and trimmed. */
export type RawField = readonly [name: string, value: string];

/**
 * The fields of a header, in order. Lines that are no field are left out, and a last line without its end is not trusted.
 *
 * @param octets Lines ended by CR LF or LF, up to the empty line or to wherever the reader stopped.
 */
export function headerFields(octets: Uint8Array): RawField[] {
  const fields: RawField[] = [];
  let name: string | undefined;
  let pieces: string[] = [];
  const finish = (): void => {
    if (name !== undefined) fields.push([name, pieces.join('').trim()]);
    name = undefined;
    pieces = [];
  };
  const lines = latin1Of(octets).split('\n');
  lines.pop();
  for (const ended of lines) {
    const line = ended.endsWith('\r') ? ended.slice(0, -1) : ended;
    if (line === '') break;
    // RFC 5322 §2.2.3: unfolding removes the line end alone.
    if (line.startsWith(' ') || line.startsWith('\t')) pieces.push(line);
    else {
      finish();
      const colon = line.indexOf(':');
      // RFC 5322 §3.6.8: a field name is printable ASCII.
      if (colon < 1 || !/^[!-9;-~]+$/.test(line.slice(0, colon))) continue;
      name = line.slice(0, colon);
      pieces.push(line.slice(colon + 1));
    }
  }
  finish();
  return fields;
}

/** The value of the first field of this name, in any case (RFC 5322 §1.2.2). */
export function fieldNamed(fields: readonly RawField[], name: string): string | undefined {
  return fields.find(([each]) => each.toLowerCase() === name)?.[1];
}
