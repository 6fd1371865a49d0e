/** One line of a listing, of the same shape for an FTP directory, a gopher menu, a newsgroup or search hits. */
export interface Entry {
  /** For people: UTF-8 if the octets are valid, else latin1. May hold anything; never a path to write to. */
  readonly name: string;
  /** The name's octets as the server sent them. */
  readonly rawName: Uint8Array;
  readonly kind: EntryKind;
  /** The absolute URL the entry leads to; absent where it leads nowhere (`info`, `error`) or cannot be told safely. */
  readonly url?: string;
  /** Octets. */
  readonly size?: number;
  readonly modified?: Date;
  /** How exact `modified` is: LIST often gives only minutes or days. */
  readonly precision?: 'second' | 'minute' | 'day';
  readonly mediaType?: string;
  /** Where a symbolic link points, in the server's words. */
  readonly linkTarget?: string;
  /** The protocol's own facts: `unix.mode`, gopher's `type`, an article's `subject`. */
  readonly facts?: Readonly<Record<string, string | number | boolean>>;
}

/**
 * `file` an object with octets · `directory` another listing · `link` a symbolic link or a URL elsewhere · `search` wants words ·
 * `service` interactive · `info` text for people · `error` the server's complaint · `other` anything else.
 */
export type EntryKind = 'file' | 'directory' | 'link' | 'search' | 'service' | 'info' | 'error' | 'other';
