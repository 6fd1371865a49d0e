/** Opening what a path names, so that nothing changes between the look and the reading. */
import { Buffer } from 'node:buffer';
import { constants, type Stats } from 'node:fs';
import { open, readlink, realpath, stat, type FileHandle } from 'node:fs/promises';
import { RetrievalError } from '@retriever/driver';

export interface OpenOptions {
  /** Open devices and FIFOs too. */
  readonly allowSpecial: boolean;
  /** The directory beneath which everything must lie, symbolic links resolved. */
  readonly root: string | undefined;
}

/** An open file or directory and what the system said of it after it was opened. */
export interface Opened {
  readonly handle: FileHandle;
  readonly stats: Stats;
  /** The path to list it by, links resolved if there is a root. */
  readonly path: Buffer;
}

/**
 * Opens a file or a directory for reading. Never waits for a FIFO's writer unless special files are allowed.
 *
 * @throws RetrievalError `refused` for a special file, `policy` for one outside the root; errors of the file system.
 */
export async function openPath(path: Buffer, options: OpenOptions): Promise<Opened> {
  const { root } = options;
  const real = root === undefined ? path : await confined(path, root);
  // A device may act when it is opened (a watchdog, a tape), so the first look comes before; the one that counts, after.
  requireOrdinary(await stat(real), options);
  const handle = await open(real, flags(options));
  try {
    const stats = await handle.stat();
    requireOrdinary(stats, options);
    if (root !== undefined) await requireInside(await whereIs(handle, real), root);
    return { handle, stats, path: real };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function flags({ allowSpecial, root }: OpenOptions): number {
  // Windows lacks all but the first; undefined counts as 0.
  const { O_RDONLY, O_NONBLOCK, O_NOCTTY, O_NOFOLLOW } = constants;
  // What became a FIFO after the first look must not block; a FIFO that is wanted must.
  return O_RDONLY | O_NOCTTY | (allowSpecial ? 0 : O_NONBLOCK) | (root === undefined ? 0 : O_NOFOLLOW);
}

function requireOrdinary(stats: Stats, { allowSpecial }: OpenOptions): void {
  if (stats.isFile() || stats.isDirectory() || (allowSpecial && !stats.isSocket())) return;
  const kind = stats.isFIFO() ? 'a FIFO' : stats.isSocket() ? 'a socket' : 'a device';
  throw new RetrievalError('refused', `it is ${kind}, not a file`);
}

/** The path with all links resolved, which must lie beneath the root. */
async function confined(path: Buffer, root: string): Promise<Buffer> {
  try {
    const real = await realpath(path, { encoding: 'buffer' });
    await requireInside(real, root);
    // A slash at the end asks for a directory.
    return path.at(-1) === slash && real.length > 1 ? Buffer.concat([real, Buffer.of(slash)]) : real;
  } catch (error) {
    // Whether there is such a file outside the root is not told either.
    throw error instanceof RetrievalError || seemsInside(path, root) ? error : outside(root);
  }
}

function seemsInside(path: Buffer, root: string): boolean {
  const beneath = Buffer.from(`${root.replace(/\/+$/, '')}/`);
  return path.subarray(0, beneath.length).equals(beneath) && !/\/\.\.(?:\/|$)/.test(path.toString('latin1'));
}

const slash = 0x2f;

/** Where the open file really is: its directories may have been exchanged since they were looked at. */
async function whereIs(handle: FileHandle, path: Buffer): Promise<Buffer> {
  if (process.platform === 'linux') return readlink(`/proc/self/fd/${handle.fd}`, { encoding: 'buffer' });
  return realpath(path, { encoding: 'buffer' });
}

async function requireInside(real: Buffer, root: string): Promise<void> {
  const base = await realpath(root, { encoding: 'buffer' });
  if (real.equals(base)) return;
  const beneath = base.at(-1) === slash ? base : Buffer.concat([base, Buffer.of(slash)]);
  if (!real.subarray(0, beneath.length).equals(beneath)) throw outside(root);
}

function outside(root: string): RetrievalError {
  return new RetrievalError('policy', `it does not lie beneath ${root}`);
}
