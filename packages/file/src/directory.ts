/** The entries of a directory, as it is read: typed, and as lines for people. */
import { Buffer } from 'node:buffer';
import type { Dirent, Stats } from 'node:fs';
import { lstat, opendir, readlink } from 'node:fs/promises';
import { createBody, mediaTypeOf, textOf, type Body, type Entry, type EntryKind } from '@retriever/driver';
import { build, encode, type FileUrl } from '@retriever/url';
import { failureOf } from './failure.ts';

/** How many entries are read and looked at together. */
const batchSize = 64;

/** The entries in the system's order, which is none. An entry that vanishes meanwhile is left out. */
export async function* entriesOf(path: Buffer, url: FileUrl, signal: AbortSignal): AsyncGenerator<Entry> {
  const base = baseOf(url);
  for await (const names of batches(path, signal)) {
    const found = await Promise.all(names.map((name) => entryOf(path, name, base)));
    signal.throwIfAborted();
    for (const entry of found) if (entry) yield entry;
  }
}

/** The names, one a line, with a `/` after those of directories, as `ls -p` writes them. */
export function namesBody(path: Buffer, signal: AbortSignal): Body {
  let wanted = true;
  return createBody({
    async pump(sink) {
      for await (const names of batches(path, signal)) {
        if (!wanted) return;
        await sink(
          Buffer.concat(
            names.flatMap(({ name, isDirectory }) => [name, isDirectory ? lineEnds.directory : lineEnds.other]),
          ),
        );
      }
    },
    cancel() {
      wanted = false;
    },
  });
}

const lineEnds = { directory: Buffer.from('/\n'), other: Buffer.from('\n') };

interface Name {
  readonly name: Buffer;
  readonly isDirectory: boolean;
}

async function* batches(path: Buffer, signal: AbortSignal): AsyncGenerator<Name[]> {
  try {
    signal.throwIfAborted();
    // `buffer` is documented for readdir and works here as well; the types do not know it.
    const directory = await opendir(path, { encoding: 'buffer' as BufferEncoding, bufferSize: batchSize });
    let batch: Name[] = [];
    // Leaving the loop closes the directory.
    for await (const entry of directory as AsyncIterable<Dirent<string | Buffer>>) {
      signal.throwIfAborted();
      batch.push({ name: Buffer.from(entry.name), isDirectory: entry.isDirectory() });
      if (batch.length < batchSize) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  } catch (error) {
    throw failureOf(error);
  }
}

async function entryOf(path: Buffer, { name: rawName, isDirectory }: Name, base: string): Promise<Entry | undefined> {
  const name = textOf(rawName);
  const full = Buffer.concat([path, slash, rawName]);
  const url = base + encode(rawName) + (isDirectory ? '/' : '');
  let stats: Stats;
  try {
    stats = await lstat(full);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    // A directory that may be listed but not entered shows names alone.
    return { name, rawName, url, kind: isDirectory ? 'directory' : 'other' };
  }
  const kind = kindOf(stats);
  const mediaType = kind === 'file' ? mediaTypeOf(name) : undefined;
  const linkTarget = kind === 'link' ? await targetOf(full) : undefined;
  return {
    name,
    rawName,
    kind,
    url,
    ...(kind === 'file' && { size: stats.size }),
    modified: stats.mtime,
    precision: 'second',
    ...(mediaType !== undefined && { mediaType }),
    ...(linkTarget !== undefined && { linkTarget }),
    facts: { 'unix.mode': (stats.mode & 0o7777).toString(8).padStart(4, '0') },
  };
}

const slash = Buffer.from('/');

function kindOf(stats: Stats): EntryKind {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'link' : 'other';
}

async function targetOf(link: Buffer): Promise<string | undefined> {
  try {
    return textOf(await readlink(link, { encoding: 'buffer' }));
  } catch {
    return undefined;
  }
}

/** The directory's URL with the slash its entries' names are put behind, whether or not it was given one. */
function baseOf({ octets }: FileUrl): string {
  const directories = octets.name.length > 0 ? [...octets.directories, octets.name] : octets.directories;
  return build.file({ directories, name: '' }).toString();
}
