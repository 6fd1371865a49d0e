/** Which files the transfers of one command write: two that run at once never write the same one. */
import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Failure } from './failure.ts';

export class ClaimedFiles {
  readonly #owners = new Map<string, object>();

  /** @throws Failure 23 when the file is another transfer's. */
  claim(path: string, owner: object): void {
    if (isDevice(path)) return;
    const key = identity(path);
    const first = this.#owners.get(key);
    if (first !== undefined && first !== owner) {
      throw new Failure(
        23,
        `another URL of this command is written to ${path}: with --parallel each wants its own file`,
      );
    }
    this.#owners.set(key, owner);
  }
}

/** `/dev/null` takes whatever anybody writes. */
function isDevice(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile();
}

/** The same for all names of one file, as far as links of directories and of itself go. */
function identity(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // It is not there yet; its directory may be.
    const directory = dirname(resolve(path));
    return directory === path ? path : join(identity(directory), basename(path));
  }
}
