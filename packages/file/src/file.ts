/** The driver for `file:`, RFC 1738 §3.10: this machine's files, and nothing else. */
import { resolve } from 'node:path';
import {
  emptyBody,
  mediaTypeOf,
  textOf,
  type Access,
  type Content,
  type Driver,
  type Listing,
  type Metadata,
  type Retrieval,
  type RetrievalRequest,
} from '@retriever/driver';
import type { FileUrl } from '@retriever/url';
import { entriesOf, namesBody } from './directory.ts';
import { failureOf } from './failure.ts';
import { fileBody } from './file-body.ts';
import { openPath, type Opened, type OpenOptions } from './opening.ts';
import { isUnchanged, partOf } from './part.ts';
import { pathOf } from './path.ts';

export interface FileOptions {
  /**
   * Read devices and FIFOs too, sockets never. Default false. Opening a FIFO then waits for its writer and holds one of the
   * process's few file system threads meanwhile, after an abort too.
   */
  readonly allowSpecial?: boolean;
  /** A directory beneath which everything must lie once symbolic links are resolved. Default: anywhere. */
  readonly root?: string;
}

/**
 * A driver for `file:` URLs on this machine. Symbolic links are followed; directories list; the URL's host must be empty
 * or `localhost`.
 *
 * `retrieve` throws RetrievalError with `not-found`, `refused` (permissions, devices), `unsupported` (another host),
 * `policy` (`%2F` or NUL in a name, outside the root) or `range`; the body fails with `incomplete` if the file shrinks.
 *
 * @example
 * const client = createClient({ drivers: [file({ root: '/srv/files' })] });
 */
export function file({ allowSpecial = false, root }: FileOptions = {}): Driver<FileUrl> {
  const options = { allowSpecial, root: root === undefined ? undefined : resolve(root) };
  return { schemes: ['file'], retrieve: (request, access) => retrieve(request, access, options) };
}

async function retrieve(request: RetrievalRequest<FileUrl>, access: Access, options: OpenOptions): Promise<Retrieval> {
  access.signal.throwIfAborted();
  const opened = await unlessAborted(openPath(pathOf(request.url), options), access.signal);
  let kept = false;
  try {
    if (opened.stats.isDirectory()) return listing(opened, request, access);
    const content = opened.stats.isFile() ? await regular(opened, request, access) : special(opened, request, access);
    kept = content.body.size !== 0;
    return content;
  } catch (error) {
    throw failureOf(error);
  } finally {
    if (!kept) await opened.handle.close();
  }
}

/** What was opened; if the caller has given up meanwhile, it is closed whenever it comes. */
async function unlessAborted(opening: Promise<Opened>, signal: AbortSignal): Promise<Opened> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    const opened = await Promise.race([opening, promise]);
    signal.throwIfAborted();
    return opened;
  } catch (error) {
    void opening.then(({ handle }) => handle.close()).catch(() => undefined);
    throw failureOf(error);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

async function regular(
  { handle, stats }: Opened,
  request: RetrievalRequest<FileUrl>,
  { signal }: Access,
): Promise<Content> {
  const metadata = metadataOf(request.url, stats.mtime);
  // Linux's /proc tells 0 for files that are not empty.
  const size = stats.size > 0 || (await isEmpty({ handle })) ? stats.size : undefined;
  if (isUnchanged(request, stats.mtime)) return withoutBody({ ...metadata, size, notModified: true });
  const range = size === undefined ? undefined : partOf(request, size, stats.mtime);
  if (request.metadataOnly || size === 0) return withoutBody({ ...metadata, size });
  const start = range?.start ?? 0;
  const length = range ? range.end - start + 1 : size;
  return { kind: 'content', body: fileBody(handle, { start, length }, signal), metadata: { ...metadata, size, range } };
}

function special({ handle }: Opened, { url, metadataOnly }: RetrievalRequest<FileUrl>, { signal }: Access): Content {
  const metadata = metadataOf(url, undefined);
  if (metadataOnly) return withoutBody(metadata);
  return { kind: 'content', body: fileBody(handle, { start: null, length: undefined }, signal), metadata };
}

function listing(
  { path, stats }: Opened,
  { url, metadataOnly }: RetrievalRequest<FileUrl>,
  { signal }: Access,
): Listing {
  const metadata = { modified: stats.mtime, mediaType: 'text/plain' };
  if (metadataOnly) return { kind: 'listing', entries: none(), body: emptyBody(), metadata };
  return { kind: 'listing', entries: entriesOf(path, url, signal), body: namesBody(path, signal), metadata };
}

async function* none(): AsyncGenerator<never> {}

function withoutBody(metadata: Metadata): Content {
  return { kind: 'content', body: emptyBody(), metadata };
}

function metadataOf(url: FileUrl, modified: Date | undefined): Metadata {
  return { modified, mediaType: mediaTypeOf(textOf(url.octets.name)) };
}

async function isEmpty({ handle }: Pick<Opened, 'handle'>): Promise<boolean> {
  const { bytesRead } = await handle.read({ buffer: new Uint8Array(1), position: 0 });
  return bytesRead === 0;
}
