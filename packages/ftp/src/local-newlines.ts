/** ASCII type's line ends made local (RFC 1738 §3.2.2 `a`): CR LF becomes LF, a CR elsewhere stays. */
import type { BodySink } from '@retriever/driver';

const CR = 0x0d;
const LF = 0x0a;
const loneCr = Uint8Array.of(CR);

/** A sink that turns CR LF into LF on its way to another; `end` hands over a CR kept back at the last chunk's end. */
export function localNewlines(sink: BodySink): { take: BodySink; end(): Promise<void> } {
  let held = false;
  return {
    async take(chunk) {
      if (chunk.length === 0) return;
      if (held && chunk[0] !== LF) await sink(loneCr);
      held = chunk.at(-1) === CR;
      const text = withoutCr(held ? chunk.subarray(0, -1) : chunk);
      if (text.length > 0) await sink(text);
    },
    async end() {
      if (held) await sink(loneCr);
      held = false;
    },
  };
}

function withoutCr(chunk: Uint8Array): Uint8Array {
  if (!chunk.includes(CR)) return chunk;
  const text = new Uint8Array(chunk.length);
  let length = 0;
  for (let at = 0; at < chunk.length; at += 1) {
    const octet = chunk[at] ?? 0;
    if (octet !== CR || chunk[at + 1] !== LF) text[length++] = octet;
  }
  return text.subarray(0, length);
}
