/** What the parsed URLs of all grammars share. */
import type { ParsedLogin } from './login.ts';
import type { Reading } from './reading.ts';
import type { Url, UrlBase } from './url.ts';
import type { Violation } from './violation.ts';

/** A parsed URL to which its grammar still adds components. */
export type Draft<U extends Url> = { -readonly [Name in keyof U]: U[Name] };

/**
 * Begins the URL of a reading whose components are all read; the caller adds those of its grammar.
 *
 * @param decode - Decodes the components when their octets are first asked for.
 */
export function draft<U extends Url>(
  grammar: U['grammar'],
  reading: Reading,
  login: ParsedLogin | undefined,
  decode: (url: U) => U['octets'],
): Draft<U> {
  return new ParsedUrl(grammar, reading, login, decode) as unknown as Draft<U>;
}

/**
 * A URL as `parse` returns it: components as own properties, absent ones not defined. One class serves all grammars,
 * because a base constructor that makes many shapes of objects costs as much as the parsing.
 */
export class ParsedUrl implements UrlBase {
  readonly grammar: Url['grammar'];
  readonly scheme: string;
  declare readonly user?: string;
  declare readonly password?: string;
  declare readonly host?: string;
  declare readonly port?: number;
  declare readonly fragment?: string;
  readonly violations: readonly Violation[];
  readonly #text: string;
  readonly #decode: (url: never) => Url['octets'];
  #octets: Url['octets'] | undefined;

  constructor(
    grammar: Url['grammar'],
    reading: Reading,
    login: ParsedLogin | undefined,
    decode: (url: never) => Url['octets'],
  ) {
    this.grammar = grammar;
    this.scheme = reading.scheme;
    const fragment = reading.fragment();
    this.violations = reading.violations;
    this.#text = reading.text;
    this.#decode = decode;
    if (fragment !== undefined) this.fragment = fragment;
    if (login === undefined) return;
    if (login.user !== undefined) this.user = login.user;
    if (login.password !== undefined) this.password = login.password;
    this.host = login.host;
    if (login.port !== undefined) this.port = login.port;
  }

  get octets(): Url['octets'] {
    return (this.#octets ??= this.#decode(this as never));
  }

  toString(): string {
    return this.#text;
  }

  toJSON(): Record<string, unknown> {
    const { fragment, violations, ...components } = this;
    return {
      ...components,
      ...(fragment !== undefined && { fragment }),
      ...(violations.length > 0 && { violations }),
    };
  }
}
