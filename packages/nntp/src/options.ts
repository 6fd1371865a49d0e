/** What a caller may set of the nntp driver, with the defaults. */

export interface NntpOptions {
  /**
   * News servers for URLs that name none (`news:`, `snews:`), tried in order: what one does not have, or while it cannot be
   * reached, is asked of the next. Each is a host, `host:port`, or a URL (`nntp://host:port`, `nntps://…`, `news://…`,
   * `snews://…`), whose user and password are used when the server asks. Default: the environment's NNTPSERVER.
   */
  readonly servers?: readonly string[] | undefined;
  /**
   * TLS for `news:` and `nntp:` URLs by STARTTLS (RFC 4642); `snews:` and `nntps:` are always secured. Default `never`.
   * `try` goes on in clear text, with a note on the trace, when the server refuses STARTTLS; `require` fails then.
   * A handshake or certificate that fails is an error with both.
   */
  readonly tls?: 'never' | 'try' | 'require' | undefined;
  /**
   * Send commands that do not depend on each other's responses in one segment. Default true: RFC 3977 §3.5 binds servers to
   * take it. `false` waits for every response.
   */
  readonly pipelining?: boolean | undefined;
  /** How to list a group. Default `auto`: OVER where CAPABILITIES offers it, else XOVER, else the articles' heads. */
  readonly overview?: 'auto' | 'over' | 'xover' | 'head' | undefined;
  /** The longest response line, in octets. Default 8192; RFC 3977 §3.1 allows servers 512. */
  readonly maxLineBytes?: number | undefined;
  /** The longest line of a listing, in octets. Default 65536. */
  readonly maxOverviewLineBytes?: number | undefined;
  /** The longest listing, in octets. Default 256 MiB. */
  readonly maxListingBytes?: number | undefined;
  /** The most entries of a listing. Default 1,000,000. */
  readonly maxEntries?: number | undefined;
  /** How much of an article's header is read into its metadata, in octets; the body has all of it. Default 65536. */
  readonly maxHeaderBytes?: number | undefined;
  /** How much of the groups' descriptions is kept for a list of groups, in octets; more are left out. Default 16 MiB. */
  readonly maxDescriptionBytes?: number | undefined;
}

/** The options with every default filled in. */
export type NntpSettings = { readonly [Name in keyof NntpOptions]-?: NonNullable<NntpOptions[Name]> };

export function settingsOf({
  servers = serversOfEnvironment(),
  tls = 'never',
  pipelining = true,
  overview = 'auto',
  maxLineBytes = 8192,
  maxOverviewLineBytes = 65_536,
  maxListingBytes = 256 * 1024 * 1024,
  maxEntries = 1_000_000,
  maxHeaderBytes = 65_536,
  maxDescriptionBytes = 16 * 1024 * 1024,
}: NntpOptions = {}): NntpSettings {
  return {
    servers,
    tls,
    pipelining,
    overview,
    maxLineBytes,
    maxOverviewLineBytes,
    maxListingBytes,
    maxEntries,
    maxHeaderBytes,
    maxDescriptionBytes,
  };
}

/** NNTPSERVER names one host by custom; several, apart by commas or white space, are taken as well. */
const serversOfEnvironment = (): readonly string[] => (process.env['NNTPSERVER'] ?? '').split(/[\s,]+/).filter(Boolean);
