/** What a caller may set of the ftp driver, with the defaults. */
export interface FtpOptions {
  /** The password sent with `anonymous`: an e-mail address by convention (RFC 1738 §3.2.1). Default `anonymous@`, which tells nothing of the user. */
  readonly anonymousPassword?: string | undefined;
  /** The account for servers that ask with 332 (RFC 959 §4.1.1). Default: ask the user. */
  readonly account?: string | undefined;
  /**
   * How to reach a directory. Default `multicwd`: one CWD for each segment, as RFC 1738 §3.2.2 has it.
   * `singlecwd` joins the segments with `/` in one CWD, `nocwd` puts the whole path into the last command.
   */
  readonly method?: 'multicwd' | 'singlecwd' | 'nocwd' | undefined;
  /**
   * TLS for `ftp:` URLs by AUTH TLS (RFC 4217); `ftps:` is always secured. Default `never`.
   * `try` goes on in clear text, with a note on the trace, when the server refuses AUTH; `require` fails then.
   * A handshake or certificate that fails is an error with both.
   */
  readonly tls?: 'never' | 'try' | 'require' | undefined;
  /** Try EPSV (RFC 2428) before PASV. Default true. */
  readonly epsv?: boolean | undefined;
  /** How to list a directory. Default `auto`: MLSD where FEAT offers it, else LIST. */
  readonly list?: 'auto' | 'mlsd' | 'list' | 'nlst' | undefined;
  /** Line ends of a `;type=a` body and of a LIST or NLST one: `local` (LF, default) or `wire` (CR LF, untouched). */
  readonly newline?: 'local' | 'wire' | undefined;
  /**
   * Send commands that do not depend on each other's replies in one segment. Default `auto`: with servers whose greeting
   * names software that is known to take it. `false` waits for every reply.
   */
  readonly pipelining?: 'auto' | boolean | undefined;
  /** The longest reply line, in octets. Default 8192. */
  readonly maxReplyLineBytes?: number | undefined;
  /** The longest reply, in octets, all lines together. Default 65536. */
  readonly maxReplyBytes?: number | undefined;
  /** The most lines of one reply. Default 1000 (a long welcome message). */
  readonly maxReplyLines?: number | undefined;
  /** The longest line of a listing, in octets. Default 16384. */
  readonly maxListingLineBytes?: number | undefined;
  /** The longest listing, in octets. Default 256 MiB. */
  readonly maxListingBytes?: number | undefined;
  /** The most entries of a listing. Default 1,000,000. */
  readonly maxEntries?: number | undefined;
}

/** The options with every default filled in; `account` alone may stay open. */
export type FtpSettings = {
  readonly [Name in Exclude<keyof FtpOptions, 'account'>]-?: NonNullable<FtpOptions[Name]>;
} & Pick<FtpOptions, 'account'>;

export function settingsOf({
  anonymousPassword = 'anonymous@',
  account,
  method = 'multicwd',
  tls = 'never',
  epsv = true,
  list = 'auto',
  newline = 'local',
  pipelining = 'auto',
  maxReplyLineBytes = 8192,
  maxReplyBytes = 65_536,
  maxReplyLines = 1000,
  maxListingLineBytes = 16_384,
  maxListingBytes = 256 * 1024 * 1024,
  maxEntries = 1_000_000,
}: FtpOptions = {}): FtpSettings {
  return {
    anonymousPassword,
    account,
    method,
    tls,
    epsv,
    list,
    newline,
    pipelining,
    maxReplyLineBytes,
    maxReplyBytes,
    maxReplyLines,
    maxListingLineBytes,
    maxListingBytes,
    maxEntries,
  };
}
