/** A departure from a grammar of RFC 1738 §5, tolerated ({@link Violation}) or fatal ({@link UrlSyntaxError}). */

/** A tolerated departure: what was read all the same, and where. */
export interface Violation {
  /** The production of RFC 1738 §5 that the text departs from (`host`, `fsegment`, …), or the section's own word for it. */
  readonly rule: string;
  /** Offset in `url.toString()`, in UTF-16 code units. */
  readonly position: number;
  /** One sentence for a person. */
  readonly message: string;
}

/** The text cannot be read as a URL. Its message names the rule and the position and never holds a password. */
export class UrlSyntaxError extends Error {
  override readonly name = 'UrlSyntaxError';
  /** The production of RFC 1738 §5 that failed. */
  readonly rule: string;
  /** Offset in the text given, in UTF-16 code units. */
  readonly position: number;
  /** The message without rule and position. */
  readonly reason: string;

  constructor(rule: string, position: number, message: string) {
    super(`${message} (${rule}, at ${position})`);
    this.rule = rule;
    this.position = position;
    this.reason = message;
  }
}
