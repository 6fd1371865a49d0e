/** A line as a person types it, octet by octet: what a terminal does by itself, for when it is in raw mode. */

export interface TypedLineHooks {
  /** Shows what was typed. */
  readonly echo: (octets: Uint8Array) => void;
  /** Enter: the line without its end. */
  readonly line: (octets: Uint8Array) => void;
  /** Ctrl-C. */
  readonly interrupt: () => void;
  /** Ctrl-D on an empty line. */
  readonly end: () => void;
}

/** One character on the screen: its octets and its width. */
interface Cell {
  readonly octets: number[];
  readonly width: number;
}

/** As long as a terminal's own lines (Linux, N_TTY_BUF_SIZE). */
const longestLine = 4096;

const CTRL_C = 0x03;
const CTRL_D = 0x04;
const BACKSPACE = 0x08;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const CTRL_U = 0x15;
const DEL = 0x7f;

const newLine = Buffer.from('\r\n');
const bell = Buffer.from('\u0007');

export class TypedLine {
  readonly #hooks: TypedLineHooks;
  #cells: Cell[] = [];

  constructor(hooks: TypedLineHooks) {
    this.#hooks = hooks;
  }

  /** Takes one octet as the keyboard gives it. */
  type(octet: number): void {
    switch (octet) {
      case CR:
      case LF:
        return this.#enter();
      case BACKSPACE:
      case DEL:
        return this.#erase(1);
      case CTRL_U:
        return this.#erase(this.#cells.length);
      case CTRL_C:
        this.#show('^C\r\n');
        this.take();
        return this.#hooks.interrupt();
      case CTRL_D:
        return this.#cells.length === 0 ? this.#hooks.end() : undefined;
      default:
        return this.#add(octet);
    }
  }

  /** What was typed since the last Enter, taken out of the line. */
  take(): Uint8Array {
    const octets = Uint8Array.from(this.#cells.flatMap((cell) => cell.octets));
    this.#cells = [];
    return octets;
  }

  #enter(): void {
    this.#hooks.echo(newLine);
    this.#hooks.line(this.take());
  }

  #add(octet: number): void {
    const last = this.#cells.at(-1);
    if (this.#cells.length >= longestLine) return this.#hooks.echo(bell);
    // UTF-8: an octet 10xxxxxx goes on with a character.
    if (octet >> 6 === 0b10 && last && last.octets.length < 4) last.octets.push(octet);
    else this.#cells.push({ octets: [octet], width: octet < 0x20 ? 2 : 1 });
    if (octet < 0x20 && octet !== TAB) this.#show(`^${String.fromCharCode(octet + 0x40)}`);
    else this.#hooks.echo(octet === TAB ? Buffer.from('  ') : Uint8Array.of(octet));
    return undefined;
  }

  #erase(count: number): void {
    const erased = this.#cells.splice(this.#cells.length - Math.min(count, this.#cells.length));
    this.#show(erased.map(({ width }) => '\b \b'.repeat(width)).join(''));
  }

  #show(text: string): void {
    if (text !== '') this.#hooks.echo(Buffer.from(text));
  }
}
