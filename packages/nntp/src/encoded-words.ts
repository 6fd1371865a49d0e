/** Encoded-words (RFC 2047 §2): `=?charset?B|Q?text?=`, decoded for people; what cannot be decoded stays as it is. */

/** No part holds `?` or white space, so matching is linear. A language may follow the charset (RFC 2231 §5). */
const word = /=\?([^?*\s]{1,64})(?:\*[^?\s]{0,64})?\?([BbQq])\?([^?\s]*)\?=/g;

/** Decodes every encoded-word of a text. White space between two of them is not shown (RFC 2047 §6.2). */
export function decodeWords(text: string): string {
  if (!text.includes('=?')) return text;
  let shown = '';
  let from = 0;
  let run: Run | undefined;
  const flush = (): void => {
    if (run) shown += run.decoded();
    run = undefined;
  };
  for (const match of text.matchAll(word)) {
    const [source, charset = '', encoding = '', content = ''] = match;
    const between = text.slice(from, match.index);
    from = match.index + source.length;
    const decoder = decoderFor(charset);
    const octets = decoder && (encoding.toUpperCase() === 'B' ? ofBase64(content) : ofQ(content));
    if (!decoder || !octets) {
      flush();
      shown += between + source;
      continue;
    }
    const adjacent = run !== undefined && /^\s*$/.test(between);
    // Some programs break a character of several octets between two words; decoded together it is whole.
    if (run && adjacent && run.charset === charset.toLowerCase()) run.add(octets);
    else {
      flush();
      if (!adjacent) shown += between;
      run = new Run(charset.toLowerCase(), decoder, octets);
    }
  }
  flush();
  return shown + text.slice(from);
}

type Decoder = InstanceType<typeof TextDecoder>;

/** Neighbouring words of one charset. */
class Run {
  readonly charset: string;
  readonly #decoder: Decoder;
  readonly #octets: Uint8Array[];

  constructor(charset: string, decoder: Decoder, octets: Uint8Array) {
    this.charset = charset;
    this.#decoder = decoder;
    this.#octets = [octets];
  }

  add(octets: Uint8Array): void {
    this.#octets.push(octets);
  }

  decoded(): string {
    return this.#decoder.decode(Buffer.concat(this.#octets));
  }
}

function decoderFor(charset: string): Decoder | undefined {
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}

function ofBase64(content: string): Uint8Array | undefined {
  return /^[A-Za-z0-9+/]*={0,2}$/.test(content) ? Buffer.from(content, 'base64') : undefined;
}

/** RFC 2047 §4.2: `_` is a space, `=XX` an octet; any other character stands for itself, as UTF-8 if it is not ASCII. */
function ofQ(content: string): Uint8Array {
  const octets = Buffer.from(content.replaceAll('_', ' '), 'utf8').toString('latin1');
  return Buffer.from(
    octets.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}
