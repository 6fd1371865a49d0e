/** What a URL leads to: one of five kinds. Nobody fakes a body for the kinds that have none. */
import type { Duplex } from 'node:stream';
import type { Body } from './body.ts';
import type { Entry } from './entry.ts';
import type { Reply, RetrievalError } from './retrieval-error.ts';

export type Retrieval = Content | Listing | Reference | Service | Mailbox;

/** A data object. */
export interface Content {
  readonly kind: 'content';
  readonly body: Body;
  readonly metadata: Metadata;
}

/** A directory, a menu, a newsgroup, a search result. `entries` and `body` read the same octets: use one of them. */
export interface Listing {
  readonly kind: 'listing';
  readonly entries: AsyncIterable<Entry>;
  /** The listing in the server's own words. */
  readonly body: Body;
  readonly metadata: Metadata;
}

/** Another URL to go to: an HTTP redirect, a Prospero access method, a gopher `URL:` item. */
export interface Reference {
  readonly kind: 'reference';
  /** Absolute URLs only. */
  readonly target: string;
  /** Further targets that are as good, in the server's order. */
  readonly alternatives?: readonly string[];
  /** The words that came with it, if any. */
  readonly body?: Body;
  readonly metadata: Metadata;
}

/** An interactive service (RFC 1738 §3.8): "does not designate a data object"; user and password are advisory. */
export interface Service {
  readonly kind: 'service';
  readonly host: string;
  readonly port: number;
  readonly user?: string;
  readonly password?: string;
  /** Opens the session; user and password are not sent. The stream is the caller's to close. */
  open(): Promise<ServiceStream>;
}

/** A session with a service: what it says is read, what it shall hear is written; the protocol between is the driver's. */
export interface ServiceStream extends Duplex {
  /** Whether the service shows what is typed, at this moment; otherwise whoever types wants to be shown it. */
  readonly remoteEcho?: boolean;
  /** Tells the service the size of the window, in characters. */
  resize?(columns: number, rows: number): void;
}

/** A mail address (RFC 1738 §3.5): no object at all. */
export interface Mailbox {
  readonly kind: 'mailbox';
  /** The addr-spec of RFC 822, decoded; the first if there are more, empty if there is none (RFC 6068 `mailto:?subject=…`). */
  readonly address: string;
  /** All the addresses, in order, where a driver knows of more than one (RFC 6068). */
  readonly to?: readonly string[];
  /** The header fields of RFC 6068 but `to`, in order; `body` is among them. Names are in lower case. */
  readonly fields?: readonly { readonly name: string; readonly value: string }[];
}

/** What is known of the object besides its octets. */
export interface Metadata {
  /** Octets of the whole object (not of the range), if the peer said so. */
  readonly size?: number | undefined;
  readonly modified?: Date | undefined;
  /** Media type without parameters, lower case; told by the peer or guessed from the name. */
  readonly mediaType?: string | undefined;
  readonly charset?: string | undefined;
  /** A language tag (RFC 5646), told by the peer or asked for. */
  readonly language?: string | undefined;
  /** The peer's version mark (HTTP's ETag). */
  readonly etag?: string | undefined;
  /** A name the peer suggests for a file. Hostile until proven otherwise. */
  readonly suggestedName?: string | undefined;
  /** Set when the body is just this part of the object; `end` is inclusive, and undefined where the peer does not tell it. */
  readonly range?: { readonly start: number; readonly end?: number | undefined } | undefined;
  /** The object is older than `ifModifiedSince`; the body is empty. */
  readonly notModified?: boolean | undefined;
  /** With `keepRefusal`: the peer refused, and the body holds its words. */
  readonly refusal?: RetrievalError | undefined;
  /** The peer's reply that announced the object (HTTP's status line, FTP's 150). */
  readonly reply?: Reply | undefined;
  /** Header fields of the protocol, as sent, in order. */
  readonly headers?: readonly (readonly [name: string, value: string])[] | undefined;
  /** The same as they came, line by line as latin1, the status line first; the heads of HTTP's interim responses stand before the final one. */
  readonly heads?: readonly (readonly string[])[] | undefined;
}
