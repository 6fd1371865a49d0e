/**
 * A body on its way into a file.
 *
 * The file is opened at the first octet: a transfer that is refused leaves an older file as it was. What came of a transfer
 * that breaks off stays under the final name, where `-C -` finds it.
 */
import {
  closeSync,
  constants,
  existsSync,
  futimesSync,
  mkdirSync,
  openSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from './failure.ts';

export interface FileOutputOptions {
  /** Make missing directories. */
  readonly createDirs: boolean;
  /** Never overwrite: take the first free of NAME, NAME.1, NAME.2 … */
  readonly noClobber: boolean;
  /** The name is not the user's own: a symbolic link by that name is not followed. */
  readonly derivedName: boolean;
  /** The name is the server's: nothing that exists is overwritten. */
  readonly newOnly: boolean;
}

/** curl gives up there, too. */
const maxNumberedNames = 100;

export class FileOutput {
  /** The name the octets go to; with `noClobber` known for certain only when the first came. */
  path: string;
  /** Go on at the file's end instead of from its beginning; to be set before the first octet. */
  append = false;
  readonly #options: FileOutputOptions;
  #fd: number | undefined;
  /** How the file was opened first. */
  #begun: 'anew' | 'at its end' | undefined;
  /** The file is this transfer's own, from an attempt that broke off. */
  #again = false;

  constructor(path: string, options: FileOutputOptions) {
    this.path = path;
    this.#options = options;
  }

  /** @throws Failure 23 */
  write(chunk: Uint8Array): void {
    const fd = (this.#fd ??= this.#open());
    try {
      for (let at = 0; at < chunk.length;) at += writeSync(fd, chunk, at);
    } catch (error) {
      throw this.#failure('write', error);
    }
  }

  /** The body is complete: an empty one makes an empty file. */
  complete(modified?: Date): void {
    this.#fd ??= this.#open();
    if (modified) futimesSync(this.#fd, modified, modified);
    this.close();
  }

  /** What came does not count, or is there to go on with: the next octet opens the same file again. */
  restart(): void {
    this.close();
    this.#again = this.#begun !== undefined;
    this.append = false;
  }

  /** Takes away what this transfer wrote. A file that it never opened or had a part before, and a device, stay. */
  remove(): void {
    this.close();
    if (this.#begun === 'anew' && statSync(this.path, { throwIfNoEntry: false })?.isFile()) unlinkSync(this.path);
  }

  /** Whether a file was opened: a transfer that failed before left nothing. */
  get opened(): boolean {
    return this.#fd !== undefined;
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #open(): number {
    const { createDirs, noClobber, newOnly, derivedName } = this.#options;
    const { O_WRONLY, O_CREAT, O_APPEND, O_TRUNC, O_EXCL, O_NOFOLLOW } = constants;
    if (createDirs) this.#makeDirs();
    const exclusive = (newOnly || noClobber) && !this.append && !this.#again;
    const flags =
      O_WRONLY | O_CREAT | (this.append ? O_APPEND : exclusive ? O_EXCL : O_TRUNC) | (derivedName ? O_NOFOLLOW : 0);
    const wanted = this.path;
    for (let number = 0; ; number += 1) {
      this.path = number === 0 ? wanted : `${wanted}.${number}`;
      try {
        const fd = openSync(this.path, flags, 0o666);
        this.#begun ??= this.append ? 'at its end' : 'anew';
        return fd;
      } catch (error) {
        const taken = (error as NodeJS.ErrnoException).code === 'EEXIST';
        if (!(taken && noClobber) || number === maxNumberedNames) throw this.#failure('open', error);
      }
    }
  }

  #makeDirs(): void {
    const directory = dirname(this.path);
    if (existsSync(directory)) return;
    try {
      mkdirSync(directory, { recursive: true });
    } catch (error) {
      throw this.#failure('make the directory of', error);
    }
  }

  #failure(what: string, error: unknown): Failure {
    const { code, message } = error as NodeJS.ErrnoException;
    const hint =
      code === 'ENOENT'
        ? ' (--create-dirs makes directories)'
        : code === 'ELOOP'
          ? ' (a symbolic link; -o NAME follows it)'
          : '';
    return new Failure(23, `cannot ${what} ${this.path}: ${message.replace(/, \w+( '.*')?$/, '')}${hint}`, error);
  }
}
