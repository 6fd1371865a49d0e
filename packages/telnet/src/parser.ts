/** Takes commands out of what a peer sends, RFC 854 and 855; its state is kept across chunks, cut anywhere. */
import { DO, DONT, IAC, SB, SE, WILL, WONT, type Verb } from './codes.ts';

const NUL = 0;
const CR = 0x0d;

export interface ParserHooks {
  readonly request: (verb: Verb, option: number) => void;
  /** A whole subnegotiation, doubled IACs undone. */
  readonly subnegotiation: (option: number, octets: Uint8Array) => void;
  /** An octet of data, or a chunk of nothing else, has come. */
  readonly data: () => void;
  /** Any other command. */
  readonly command: (code: number) => void;
  /** Whether data comes as it is (RFC 856), at this very octet. */
  readonly isBinary: () => boolean;
}

/** The longest subnegotiation taken, in octets; a longer one is skipped. All that we agree to need one. */
const maxSubnegotiationBytes = 256;

type State = 'data' | 'iac' | 'request' | 'sb' | 'sb-octets' | 'sb-iac';

export class TelnetParser {
  readonly #hooks: ParserHooks;
  #state: State = 'data';
  #verb: Verb = DO;
  #option = 0;
  #subnegotiation: number[] = [];
  /** The last octet of data was a CR: a NUL after it is no data (RFC 854, "the network virtual terminal"). */
  #afterCr = false;

  constructor(hooks: ParserHooks) {
    this.#hooks = hooks;
  }

  /** The data in a chunk. Commands are told through the hooks, in order, before this returns. */
  parse(chunk: Uint8Array): Uint8Array {
    if (this.#isPlain(chunk)) {
      this.#hooks.data();
      return chunk;
    }
    const data = new Uint8Array(chunk.length);
    let length = 0;
    for (const octet of chunk) {
      if (!this.#isData(octet)) continue;
      data[length++] = octet;
      this.#hooks.data();
    }
    // A few octets must not keep a large chunk in memory while nobody reads them.
    return length * 2 < data.length ? data.slice(0, length) : data.subarray(0, length);
  }

  #isPlain(chunk: Uint8Array): boolean {
    if (this.#state !== 'data' || this.#afterCr || chunk.includes(IAC)) return false;
    return !chunk.includes(CR) || (chunk.at(-1) !== CR && this.#hooks.isBinary());
  }

  #isData(octet: number): boolean {
    switch (this.#state) {
      case 'data':
        if (octet !== IAC) return this.#isOwnData(octet);
        this.#state = 'iac';
        return false;
      case 'iac':
        return this.#command(octet);
      case 'request':
        this.#state = 'data';
        this.#hooks.request(this.#verb, octet);
        return false;
      case 'sb':
        this.#option = octet;
        this.#state = 'sb-octets';
        return false;
      case 'sb-octets':
        if (octet === IAC) this.#state = 'sb-iac';
        else this.#addToSubnegotiation(octet);
        return false;
      case 'sb-iac':
        return this.#commandInSubnegotiation(octet);
      default:
        return this.#state satisfies never;
    }
  }

  #isOwnData(octet: number): boolean {
    const padding = octet === NUL && this.#afterCr && !this.#hooks.isBinary();
    this.#afterCr = octet === CR;
    return !padding;
  }

  /** The octet after an IAC. @returns Whether it is data: an IAC that was doubled. */
  #command(code: number): boolean {
    this.#state = 'data';
    switch (code) {
      case IAC:
        this.#afterCr = false;
        return true;
      case WILL:
      case WONT:
      case DO:
      case DONT:
        this.#verb = code;
        this.#state = 'request';
        return false;
      case SB:
        this.#subnegotiation = [];
        this.#state = 'sb';
        return false;
      default:
        this.#hooks.command(code);
        return false;
    }
  }

  #commandInSubnegotiation(code: number): boolean {
    if (code === IAC) {
      this.#addToSubnegotiation(IAC);
      this.#state = 'sb-octets';
      return false;
    }
    const octets = Uint8Array.from(this.#subnegotiation);
    this.#subnegotiation = [];
    if (code === SE) {
      this.#state = 'data';
      if (octets.length <= maxSubnegotiationBytes) this.#hooks.subnegotiation(this.#option, octets);
      return false;
    }
    // RFC 855 has no command here: the peer forgot the end, and what it left open counts for nothing.
    return this.#command(code);
  }

  /** One octet beyond the bound is kept, as the mark of what is to be skipped. */
  #addToSubnegotiation(octet: number): void {
    if (this.#subnegotiation.length <= maxSubnegotiationBytes) this.#subnegotiation.push(octet);
  }
}
