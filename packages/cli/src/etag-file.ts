/** `--etag-save` and `--etag-compare`: the version mark of an object, kept in a file. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Metadata } from '@retriever/driver';
import { Failure } from './failure.ts';

/**
 * The mark in the file, for If-None-Match.
 *
 * @param mayBeMissing - Nothing has been saved yet: that is so before the first time.
 * @throws Failure 26
 */
export function savedEtag(file: string, mayBeMissing: boolean): string {
  try {
    const etag = readFileSync(file, 'latin1').trim();
    return /[\r\n\0]/.test(etag) || etag === '' ? '""' : etag;
  } catch (error) {
    if (mayBeMissing && (error as NodeJS.ErrnoException).code === 'ENOENT') return '""';
    throw new Failure(26, `cannot read the ETag in ${file}: ${(error as Error).message}`, error);
  }
}

/** Keeps the mark of what came whole; an error page has none that anybody wants. @throws Failure 23 */
export function saveEtag(file: string, { etag, refusal, notModified }: Metadata): void {
  if (refusal || (notModified && etag === undefined)) return;
  try {
    writeFileSync(file, etag === undefined ? '' : `${etag}\n`, 'latin1');
  } catch (error) {
    throw new Failure(23, `cannot write the ETag to ${file}: ${(error as Error).message}`, error);
  }
}
