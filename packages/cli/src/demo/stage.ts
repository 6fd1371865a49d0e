/** What every embedded server of the demo brings: a place to retrieve from, and scenes to play there. */

/** A server in this process, on a loopback port that the system chose. */
export interface Stage {
  readonly scheme: string;
  open(): Promise<OpenStage>;
}

export interface OpenStage {
  /** What its URLs begin with: `ftp://127.0.0.1:40123`. */
  readonly origin: string;
  /** @param origins - Those of all stages by their schemes. */
  scenes(origins: Origins): readonly Scene[];
  close(): void;
}

export type Origins = Readonly<Record<string, string>>;

/** One URL to retrieve. */
export interface Scene {
  /** What it shows, in a few words. */
  readonly title: string;
  readonly url: string;
}
