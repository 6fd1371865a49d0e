/** One text being read as a URL: where its parts lie and what was tolerated so far. */
import { characterSet, escapeAt, isControl, production, type Production } from './characters.ts';
import { UrlSyntaxError, type Violation } from './violation.ts';

const SCHEME = characterSet('abcdefghijklmnopqrstuvwxyz0123456789+-.');
const NONE: readonly Violation[] = Object.freeze([]);

/** Not in RFC 1738, which leaves it to "other systems" (§2.2): what follows `#`. */
const fragment = production('fragment', ';/?:@&=', { looseEscapes: true });

export class Reading {
  /** The URL, without wrapper and prefix. */
  readonly text: string;
  /** In lower case. */
  readonly scheme: string;
  /** Offset of the scheme-specific part. */
  readonly start: number;
  /** Offset of the `#`, or of the text's end. */
  readonly end: number;
  readonly #strict: boolean;
  #violations: Violation[] | undefined;

  /** @param before - Departures in what stood around the text. */
  constructor(text: string, strict: boolean, before?: readonly Violation[]) {
    this.text = text;
    this.#strict = strict;
    if (before !== undefined) for (const { rule, position, message } of before) this.tolerate(rule, position, message);
    let colon = 0;
    while (SCHEME[text.charCodeAt(colon)] === 1) colon++;
    this.scheme = text.charCodeAt(colon) === 0x3a && colon > 0 ? text.slice(0, colon) : this.#foldScheme(colon);
    this.start = this.scheme.length + 1;
    const hash = text.indexOf('#', this.start);
    this.end = hash < 0 ? text.length : hash;
  }

  /** `scheme = 1*[ lowalpha | digit | "+" | "-" | "." ]`, with upper case tolerated (§2.1). */
  #foldScheme(firstUpper: number): string {
    const scheme = /^[A-Za-z\d+.-]*/.exec(this.text)![0];
    if (scheme === '' || this.text[scheme.length] !== ':') {
      this.fail('scheme', scheme.length, 'the text does not begin with a scheme and a colon');
    }
    this.tolerate('scheme', firstUpper, 'the scheme is not in lower case');
    return scheme.toLowerCase();
  }

  /** The departures tolerated so far. */
  get violations(): readonly Violation[] {
    return this.#violations ?? NONE;
  }

  /** Notes a departure; throws it instead when reading strictly. */
  tolerate(rule: string, position: number, message: string): void {
    if (this.#strict) this.fail(rule, position, message);
    this.#violations ??= [];
    this.#violations.push({ rule, position, message });
  }

  fail(rule: string, position: number, message: string): never {
    throw new UrlSyntaxError(rule, position, message);
  }

  /** Offset of a text at or after an offset, or the end of the scheme-specific part. */
  find(wanted: string, from: number): number {
    const at = this.text.indexOf(wanted, from);
    return at < 0 || at + wanted.length > this.end ? this.end : at;
  }

  /** The component between two offsets, checked against its production. */
  component(production: Production, start: number, end: number): string {
    const { text } = this;
    const { admits } = production;
    for (let at = start; at < end; at++) {
      if (admits[text.charCodeAt(at)] !== 1) at = this.#depart(production, at, end);
    }
    return text.slice(start, end);
  }

  /** The fragment without its `#`; `undefined` when there is none. */
  fragment(): string | undefined {
    if (this.end === this.text.length) return undefined;
    this.tolerate('fragment', this.end, 'a fragment is no part of a URL, "#" must be encoded');
    return this.component(fragment, this.end + 1, this.text.length);
  }

  /** Judges what the production does not admit; returns the offset of the last character judged. */
  #depart({ rule, looseEscapes }: Production, at: number, end: number): number {
    const code = this.text.charCodeAt(at);
    if (code === 0x25) {
      if (escapeAt(this.text, at, end) >= 0) return at + 2;
      if (!looseEscapes) this.fail('escape', at, '"%" is not followed by two hexadecimal digits');
      this.tolerate('escape', at, '"%" is not followed by two hexadecimal digits');
      return at;
    }
    if (isControl(code)) this.fail(rule, at, `a control character stands in the ${rule}`);
    if (code < 128) {
      this.tolerate(rule, at, `${quote(rule, code)} in the ${rule} must be encoded`);
      return at;
    }
    this.tolerate(rule, at, `characters outside US-ASCII in the ${rule} must be encoded`);
    while (at + 1 < end && this.text.charCodeAt(at + 1) > 127) at++;
    return at;
  }
}

/** Names a character, except one of a password. */
function quote(rule: string, code: number): string {
  if (rule === 'password') return 'a character';
  return code === 0x20 ? 'a space' : `'${String.fromCharCode(code)}'`;
}
