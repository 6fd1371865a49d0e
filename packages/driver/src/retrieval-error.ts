/** The error model: a code says what the caller can do about it. */
import type { Retrieval } from './retrieval.ts';

/**
 * - `refused`: the peer will not do it · `not-found`: there is no such thing · `credentials`: a login is needed or was wrong
 * - `unreachable`: no connection · `timeout`: too slow · `incomplete`: it ended short · `protocol`: the peer broke its rules
 * - `limit`: over a bound · `policy`: not allowed by the client · `unsupported`: no driver or no such option
 * - `range`: the range asked for lies outside the object · `not-an-object`: nothing to read there (telnet, mailto)
 */
export type RetrievalErrorCode =
  | 'refused'
  | 'not-found'
  | 'credentials'
  | 'unreachable'
  | 'timeout'
  | 'incomplete'
  | 'protocol'
  | 'limit'
  | 'policy'
  | 'unsupported'
  | 'range'
  | 'not-an-object';

/** What a peer said: an FTP or NNTP reply, an HTTP status. */
export interface Reply {
  readonly code: number;
  /** The words, without the code; lines joined by LF. */
  readonly text: string;
}

export interface RetrievalErrorOptions {
  /** The peer's reply, if it gave one. */
  readonly reply?: Reply | undefined;
  /** Whether the same request may succeed later (FTP's 4yz, HTTP's 503). Default: true for `unreachable`, `timeout`, `incomplete`. */
  readonly temporary?: boolean | undefined;
  /** What the URL led to, when that is the trouble (`not-an-object`). */
  readonly retrieval?: Retrieval | undefined;
  readonly cause?: unknown;
}

/** A retrieval failed. Neither the message nor any field holds a password. */
export class RetrievalError extends Error {
  override readonly name = 'RetrievalError';
  readonly code: RetrievalErrorCode;
  /** The URL, its password masked; filled in by the client. */
  url: string | undefined;
  readonly reply: Reply | undefined;
  readonly temporary: boolean;
  readonly retrieval: Retrieval | undefined;

  constructor(code: RetrievalErrorCode, message: string, options: RetrievalErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.reply = options.reply;
    this.temporary = options.temporary ?? (code === 'unreachable' || code === 'timeout' || code === 'incomplete');
    this.retrieval = options.retrieval;
  }
}
