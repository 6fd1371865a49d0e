/** What a caller may set of the wais driver, with the defaults. */
import { largestMessage } from './init.ts';

export interface WaisOptions {
  /** The most documents a search asks for. Default 200; the server may send fewer, or trim the list to what one reply holds. */
  readonly maxDocuments?: number | undefined;
  /** Octets of a document asked for at a time. Default 10,000, as other clients do; fewer where the server sends only short replies. */
  readonly chunkBytes?: number | undefined;
  /** The longest reply asked for, in octets. Default 100,000, the most that freeWAIS-sf agrees to. */
  readonly messageBytes?: number | undefined;
  /** The longest reply taken, in octets. Default 1 MiB. */
  readonly maxMessageBytes?: number | undefined;
  /** The most records taken from one reply; a server that sends more than were asked for is no better for it. Default 10,000. */
  readonly maxRecords?: number | undefined;
  /** The longest document, in octets. Default 1 GiB. */
  readonly maxDocumentBytes?: number | undefined;
}

/** The options with every default filled in. */
export type WaisSettings = { readonly [Name in keyof WaisOptions]-?: NonNullable<WaisOptions[Name]> };

export function settingsOf({
  maxDocuments = 200,
  chunkBytes = 10_000,
  messageBytes = largestMessage,
  maxMessageBytes = 1024 * 1024,
  maxRecords = 10_000,
  maxDocumentBytes = 1024 * 1024 * 1024,
}: WaisOptions = {}): WaisSettings {
  return { maxDocuments, chunkBytes, messageBytes, maxMessageBytes, maxRecords, maxDocumentBytes };
}
