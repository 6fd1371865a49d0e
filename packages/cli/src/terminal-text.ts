/** Text of servers, made harmless for a terminal: what would move the cursor, change colours or type by itself is shown instead. */

// C0, DEL, C1 (ECMA-48 §5), and the characters that turn the direction of writing round (Unicode TR9 §2).
// oxlint-disable-next-line no-control-regex -- these are what it is about
const harmful = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
/** Lines and columns stay what they are in a text of many lines. */
// oxlint-disable-next-line no-control-regex -- as above
const harmfulInText = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\u001b': '\\e' };

/** One line: also line ends and tabs are shown. */
export function lineForTerminal(text: string): string {
  return text.replaceAll(harmful, shown);
}

/** Many lines: line feeds and tabs stay, CR LF becomes LF. */
export function textForTerminal(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(harmfulInText, shown);
}

function shown(character: string): string {
  const code = character.charCodeAt(0);
  return (
    named[character] ??
    (code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`)
  );
}

/** Makes a text harmless that comes in chunks, cut anywhere. */
export class TerminalTextDecoder {
  readonly #decoder = new TextDecoder('utf-8');
  /** A CR at a chunk's end, whose LF may follow. */
  #held = '';

  decode(chunk: Uint8Array): string {
    return this.#harmless(this.#held + this.#decoder.decode(chunk, { stream: true }), true);
  }

  end(): string {
    return this.#harmless(this.#held + this.#decoder.decode(), false);
  }

  #harmless(text: string, more: boolean): string {
    const cut = more && text.endsWith('\r');
    this.#held = cut ? '\r' : '';
    return textForTerminal(cut ? text.slice(0, -1) : text);
  }
}
