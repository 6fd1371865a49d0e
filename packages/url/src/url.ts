/**
 * The parsed form of a URL: one interface per grammar of RFC 1738 §5, joined in the union {@link Url}.
 *
 * Every component is kept as text exactly as it stands in the URL, still encoded; `undefined` means absent, `''` means
 * present and empty (RFC 1738 §3.1 tells them apart). {@link UrlBase.octets} holds the same components decoded.
 */
import type { Violation } from './violation.ts';

/** What every URL has, whatever its grammar. */
export interface UrlBase {
  /** The scheme in lower case (RFC 1738 §2.1). */
  readonly scheme: string;
  /** What follows `#`, without it; kept apart and never sent. */
  readonly fragment?: string;
  /** Tolerated departures from the grammar, in order of position; empty for a conforming URL. */
  readonly violations: readonly Violation[];
  /** The URL as it was given, octet for octet, without an Appendix wrapper (`<URL:…>`). */
  toString(): string;
  /** The components as a plain object: what `JSON.stringify` and `retriever parse --json` print. */
  toJSON(): Record<string, unknown>;
}

/** The common Internet scheme syntax of RFC 1738 §3.1: `//user:password@host:port`. */
export interface Login {
  readonly user?: string;
  readonly password?: string;
  /** Host name or number as written; an IPv6 literal stands without its brackets. */
  readonly host: string;
  /** The port if the URL names one; see `defaultPort`. */
  readonly port?: number;
}

/** Decoded octets of the login's user and password. */
export interface LoginOctets {
  readonly user?: Uint8Array;
  readonly password?: Uint8Array;
}

/** RFC 1738 §3.2, and `ftps:` (implicit TLS). */
export interface FtpUrl extends UrlBase, Login {
  readonly grammar: 'ftp';
  readonly scheme: 'ftp' | 'ftps';
  /** `<cwd1>` … `<cwdN>`, in order; `undefined` when the URL has no url-path at all. */
  readonly directories?: readonly string[];
  /** `<name>`; may be empty; `undefined` when the URL has no url-path at all. */
  readonly name?: string;
  /** `<typecode>`, in lower case. */
  readonly typecode?: 'a' | 'i' | 'd';
  readonly octets: LoginOctets & { readonly directories: readonly Uint8Array[]; readonly name: Uint8Array };
}

/** RFC 1738 §3.3, and `https:`. A user and password are tolerated as a violation. */
export interface HttpUrl extends UrlBase, Login {
  readonly grammar: 'http';
  readonly scheme: 'http' | 'https';
  /** `<path>` after the `/` that ends the hostport; `undefined` when that `/` is absent. */
  readonly path?: string;
  /** `<searchpart>`, without `?`. */
  readonly search?: string;
  readonly octets: LoginOctets & { readonly path?: Uint8Array; readonly search?: Uint8Array };
}

/** RFC 1738 §3.4, and `gophers:`. */
export interface GopherUrl extends UrlBase, Login {
  readonly grammar: 'gopher';
  readonly scheme: 'gopher' | 'gophers';
  /** `<gophertype>`, one character; absent when the gopher-path is empty, and then `1` is meant. */
  readonly gophertype?: string;
  readonly selector?: string;
  /** `<search>`, after the first `%09`. */
  readonly search?: string;
  /** `<gopher+_string>`, after the second `%09`. */
  readonly gopherPlus?: string;
  readonly octets: LoginOctets & {
    readonly selector: Uint8Array;
    readonly search?: Uint8Array;
    readonly gopherPlus?: Uint8Array;
  };
}

/** RFC 1738 §3.5, and the header fields of RFC 6068. */
export interface MailtoUrl extends UrlBase {
  readonly grammar: 'mailto';
  readonly scheme: 'mailto';
  /** `<encoded822addr>`: all up to the first `?`; empty only when header fields follow (RFC 6068). */
  readonly address: string;
  /** RFC 6068 header fields in order, names and values still encoded. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly octets: {
    readonly address: Uint8Array;
    readonly headers: readonly { readonly name: Uint8Array; readonly value: Uint8Array }[];
  };
}

/** RFC 1738 §3.6, with the optional server of RFC 5538; `snews:` is the same over TLS. Exactly one of `group` and `article` is present, or neither for `news://host/`. */
export interface NewsUrl extends UrlBase, Partial<Login> {
  readonly grammar: 'news';
  readonly scheme: 'news' | 'snews';
  /** `<newsgroup-name>`, or `*` for all available groups. */
  readonly group?: string;
  /** `<message-id>` without its angle brackets. */
  readonly article?: string;
  readonly octets: LoginOctets & { readonly group?: Uint8Array; readonly article?: Uint8Array };
}

/** RFC 1738 §3.7, with the article ranges of RFC 5538; `nntps:` is the same over TLS. */
export interface NntpUrl extends UrlBase, Login {
  readonly grammar: 'nntp';
  readonly scheme: 'nntp' | 'nntps';
  readonly group?: string;
  /** `<article-number>`, digits only. */
  readonly article?: string;
  /** A range `low-high` or `low-` in the article's place. */
  readonly range?: { readonly low: string; readonly high?: string };
  readonly octets: LoginOctets & { readonly group?: Uint8Array };
}

/** RFC 1738 §3.8. */
export interface TelnetUrl extends UrlBase, Login {
  readonly grammar: 'telnet';
  readonly scheme: 'telnet';
  readonly octets: LoginOctets;
}

/** RFC 1738 §3.9: a database, a search in it (`search`), or a document of it (`wtype` and `wpath`). */
export interface WaisUrl extends UrlBase, Login {
  readonly grammar: 'wais';
  readonly scheme: 'wais';
  readonly database: string;
  readonly search?: string;
  readonly wtype?: string;
  readonly wpath?: string;
  readonly octets: LoginOctets & {
    readonly database: Uint8Array;
    readonly search?: Uint8Array;
    readonly wtype?: Uint8Array;
    readonly wpath?: Uint8Array;
  };
}

/** RFC 1738 §3.10. `host` is `''` in `file:///…` and absent in the tolerated `file:/…`. */
export interface FileUrl extends UrlBase {
  readonly grammar: 'file';
  readonly scheme: 'file';
  readonly host?: string;
  readonly directories: readonly string[];
  readonly name: string;
  readonly octets: { readonly directories: readonly Uint8Array[]; readonly name: Uint8Array };
}

/** RFC 1738 §3.11. */
export interface ProsperoUrl extends UrlBase, Login {
  readonly grammar: 'prospero';
  readonly scheme: 'prospero';
  readonly hsoname: string;
  /** `;<field>=<value>` pairs, in order. */
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  readonly octets: LoginOctets & {
    readonly hsoname: Uint8Array;
    readonly fields: readonly { readonly name: Uint8Array; readonly value: Uint8Array }[];
  };
}

/** RFC 1738 §5 `genericurl`, for every other scheme. With an `ip-schemepart` the login and `urlPath` are split off too. */
export interface GenericUrl extends UrlBase, Partial<Login> {
  readonly grammar: 'generic';
  /** All after the scheme's colon, up to the fragment. */
  readonly schemePart: string;
  /** What follows the `/` that ends the login; only with an `ip-schemepart`. */
  readonly urlPath?: string;
  readonly octets: LoginOctets & { readonly schemePart: Uint8Array; readonly urlPath?: Uint8Array };
}

/** A URL, told apart by {@link UrlBase.scheme | scheme} family in `grammar`. */
export type Url =
  | FtpUrl
  | HttpUrl
  | GopherUrl
  | MailtoUrl
  | NewsUrl
  | NntpUrl
  | TelnetUrl
  | WaisUrl
  | FileUrl
  | ProsperoUrl
  | GenericUrl;
