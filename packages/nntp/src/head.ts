/** The head of an article read ahead: its octets for the body, its fields for the metadata. */
import type { OctetSource } from '@retriever/driver';
import { headerFields, type RawField } from './header.ts';

export interface Head {
  /** All that was read, in parts. */
  readonly octets: readonly Uint8Array[];
  readonly fields: readonly RawField[];
  /** Whether the header's end was read, or the text's; false: the header is longer than its bound. */
  readonly complete: boolean;
}

const LF = 0x0a;
const CR = 0x0d;

/** Reads up to the empty line behind the header (RFC 5322 §2.1), a chunk further at the most, and no longer than `maxBytes` and a chunk. */
export async function readHead(text: OctetSource, maxBytes: number): Promise<Head> {
  const octets: Uint8Array[] = [];
  let length = 0;
  const end = new HeaderEnd();
  let complete = false;
  while (length < maxBytes && !complete) {
    const part = await text.read();
    if (part) {
      octets.push(part);
      length += part.length;
    }
    complete = !part || end.isIn(part);
  }
  const all = Buffer.concat(octets);
  return { octets, fields: headerFields(all.subarray(0, maxBytes)), complete };
}

/** Finds the first empty line in octets that come in parts. */
class HeaderEnd {
  /** Whether a line starts here; a CR may have come since. */
  #atStart = true;

  isIn(part: Uint8Array): boolean {
    for (let at = 0; at < part.length;) {
      const octet = part[at];
      if (this.#atStart && octet === LF) return true;
      if (this.#atStart && octet === CR) {
        at += 1;
        continue;
      }
      this.#atStart = false;
      const lineEnd = part.indexOf(LF, at);
      if (lineEnd === -1) return false;
      this.#atStart = true;
      at = lineEnd + 1;
    }
    return false;
  }
}
