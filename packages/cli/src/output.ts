/** Where a transfer's octets go: stdout, or a file named by the user, the URL or the server. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { decodeText, type Url } from '@retriever/url';
import type { ClaimedFiles } from './claimed-files.ts';
import { fileNameOf } from './file-name.ts';
import { FileOutput } from './file-output.ts';
import type { Destination, Settings } from './settings.ts';
import type { StandardOutput } from './standard-output.ts';

/** Where the octets of one transfer go. */
export interface Output {
  readonly isFile: boolean;
  /** What the meter calls it. */
  readonly label: string;
  /** The file, as far as there is one. */
  readonly file: string | undefined;
  readonly present: { readonly size: number; readonly modified?: Date };
  readonly alreadyThere: number;
  append(start: number): void;
  suggest(name: string | undefined): void;
  header(block: Uint8Array): void | Promise<void>;
  text(text: string): void | Promise<void>;
  write(chunk: Uint8Array): void | Promise<void>;
  /** The body is over: nothing may be held back any more. */
  end(): void | Promise<void>;
  complete(modified: Date | undefined): void;
  close(): void;
  /** Whether the octets can come again, in the place of those that came. */
  restart(): boolean;
  /** Leaves nothing of a transfer that failed. */
  remove(): void;
}

interface OutputContext {
  readonly settings: Settings;
  readonly stdout: StandardOutput;
  readonly claims?: ClaimedFiles;
}

/** @throws Failure 23 when the URL gives no file name, or another transfer's. */
export function outputFor(
  destination: Destination | undefined,
  url: Url,
  { settings, stdout, claims }: OutputContext,
): Output {
  const file = fileWanted(destination, settings);
  return file ? intoFile(file, url, settings, claims) : terminalOrPipe(stdout, destination !== undefined, url);
}

/** Undefined for what goes to stdout. */
export function fileWanted(destination: Destination | undefined, settings: Settings): Destination | undefined {
  if (destination?.to === 'file' && destination.name === '-') return undefined;
  return destination ?? (settings.remoteNameAll ? { to: 'remote-name' } : undefined);
}

function terminalOrPipe(stdout: StandardOutput, asIs: boolean, url: Url): Output {
  const sink = stdout.bodySink(asIs);
  return {
    isFile: false,
    label: 'name' in url && url.name ? decodeText(url.name) : url.scheme,
    file: undefined,
    present: { size: 0 },
    alreadyThere: 0,
    append: () => undefined,
    suggest: () => undefined,
    header: (block) => sink.write(block),
    text: (text) => stdout.writeText(text),
    write: (chunk) => sink.write(chunk),
    end: () => sink.end(),
    complete: () => undefined,
    close: () => undefined,
    restart: () => false,
    remove: () => undefined,
  };
}

function intoFile(destination: Destination, url: Url, settings: Settings, claims: ClaimedFiles | undefined): Output {
  const derived = destination.to === 'remote-name';
  const place = (name: string): string => (settings.outputDir === undefined ? name : join(settings.outputDir, name));
  const { createDirs, clobber, serverName } = settings;
  const options = { createDirs, noClobber: clobber === false, derivedName: derived, newOnly: false };
  // A name of the server's is a fine answer to a URL that has none.
  const ownName = (): string | undefined => {
    try {
      return fileNameOf(url);
    } catch (error) {
      if (serverName) return undefined;
      throw error;
    }
  };
  const name = destination.to === 'file' ? destination.name : ownName();
  let file = name === undefined ? undefined : new FileOutput(place(name), options);
  let start = 0;
  const claim = (): void => {
    // A new file gets a name that is free.
    if (file && (options.noClobber ? start > 0 : true)) claims?.claim(file.path, options);
  };
  // The server may yet give another name.
  if (!serverName) claim();
  const opened = (): FileOutput => {
    if (!file) fileNameOf(url);
    if (!file!.opened) claim();
    return file!;
  };
  return {
    isFile: true,
    get label() {
      return file?.path ?? '';
    },
    get file() {
      return file?.path;
    },
    get alreadyThere() {
      return start;
    },
    get present() {
      const { size = 0, mtime } = (file && statSync(file.path, { throwIfNoEntry: false })) ?? {};
      return { size, ...(mtime && { modified: mtime }) };
    },
    append(from) {
      start = from;
      opened().append = true;
    },
    suggest(suggestion) {
      if (!derived || !serverName || suggestion === undefined || start > 0) return;
      file = new FileOutput(place(suggestion), { ...options, newOnly: clobber === undefined });
    },
    header: (block) => opened().write(block),
    text: (text) => opened().write(Buffer.from(text)),
    write: (chunk) => opened().write(chunk),
    end: () => undefined,
    complete: (modified) => opened().complete(modified),
    close: () => file?.close(),
    restart: () => {
      opened().restart();
      start = 0;
      return true;
    },
    remove: () => file?.remove(),
  };
}
