/** What can be set about the driver. */

export interface ProsperoOptions {
  /** Who asks, for the server's access lists; unproven, so anything goes. Empty sends no such line. Default `anonymous`. */
  readonly user?: string;
  /**
   * When a server that offers a file's octets itself (PROSPERO-CONTENTS) is taken at its word: `last` where there is no
   * other access method, `first` before any other, `never`. Default `last`.
   */
  readonly contents?: 'first' | 'last' | 'never';
  /** Put the links of a union link's directory in its place, each asked for in turn. Default false: it is listed as a directory. */
  readonly expandUnions?: boolean;
  /** Milliseconds after the first sending until the second; doubled each time. Default 4000, as ISI's clients. */
  readonly retransmitAfter?: number;
  /** Sendings without an answer. Default 4: at 0, 4, 12 and 28 s, the end at 60 s. */
  readonly maxSends?: number;
  /** Milliseconds of silence, with a packet missing, until it is asked for. Default 500. */
  readonly gapPatience?: number;
  /** Milliseconds for one exchange in all, however long the server asks to wait. Default 300,000. */
  readonly maxExchangeTime?: number;
  /** Packets of one answer. Default 4096. */
  readonly maxPackets?: number;
  /** Octets of one answer. Default 4 MiB. */
  readonly maxMessageBytes?: number;
  /** Links of one listing, those of expanded unions included. Default 100,000. */
  readonly maxLinks?: number;
  /** Redirects of one exchange (ARDP). Default 5. */
  readonly maxRedirects?: number;
  /** FORWARDED answers followed. Default 5. */
  readonly maxForwards?: number;
  /** Directories asked for to expand unions. Default 16. */
  readonly maxUnions?: number;
  /** Chooses the connection id of each exchange, 1 to 65535. Default: at random. */
  readonly connectionId?: () => number;
}

export type Limits = Required<ProsperoOptions>;

export function withDefaults({
  user = 'anonymous',
  contents = 'last',
  expandUnions = false,
  retransmitAfter = 4000,
  maxSends = 4,
  gapPatience = 500,
  maxExchangeTime = 300_000,
  maxPackets = 4096,
  maxMessageBytes = 4 * 1024 * 1024,
  maxLinks = 100_000,
  maxRedirects = 5,
  maxForwards = 5,
  maxUnions = 16,
  connectionId = randomId,
}: ProsperoOptions = {}): Limits {
  return {
    user,
    contents,
    expandUnions,
    retransmitAfter,
    maxSends,
    gapPatience,
    maxExchangeTime,
    maxPackets,
    maxMessageBytes,
    maxLinks,
    maxRedirects,
    maxForwards,
    maxUnions,
    connectionId,
  };
}

/** Not 0, which stands for no connection; hard to guess for whoever would answer in the server's place. */
function randomId(): number {
  return 1 + (crypto.getRandomValues(new Uint32Array(1))[0]! % 0xffff);
}
