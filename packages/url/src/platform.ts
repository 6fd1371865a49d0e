/** The three globals this package takes from its platform; Node and browsers have them, `lib.es2024` does not declare them. */
interface Platform {
  readonly TextDecoder: new (
    label: string,
    options: { fatal: boolean; ignoreBOM: boolean },
  ) => { decode(octets: Uint8Array): string };
  readonly TextEncoder: new () => { encode(text: string): Uint8Array };
  readonly URL: new (text: string) => { readonly hostname: string };
}

const { TextDecoder, TextEncoder, URL } = globalThis as unknown as Platform;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** UTF-8 octets of a text; a lone surrogate becomes U+FFFD. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The text of UTF-8 octets, or `undefined` when they are not UTF-8. */
export function fromUtf8(octets: Uint8Array): string | undefined {
  try {
    return decoder.decode(octets);
  } catch {
    return undefined;
  }
}

/**
 * The `xn--` form of an internationalized host name, or `undefined` when it has none. This is the only use of the
 * platform's `URL`: as IDNA tables, on a host that holds no delimiter.
 */
export function toAscii(host: string): string | undefined {
  try {
    return new URL(`http://${host}`).hostname;
  } catch {
    return undefined;
  }
}
