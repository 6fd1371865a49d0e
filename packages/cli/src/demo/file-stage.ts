/** `file:`: a temporary directory. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Stage } from './stage.ts';

export const fileStage: Stage = {
  scheme: 'file',
  async open() {
    const directory = mkdtempSync(join(tmpdir(), 'retriever-'));
    writeFileSync(join(directory, 'note.txt'), 'A file of this computer is a URL like any other.\n');
    return {
      origin: pathToFileURL(directory).href,
      scenes: ({ file }) => [{ title: 'a file of this computer', url: `${file}/note.txt` }],
      close: () => rmSync(directory, { recursive: true, force: true }),
    };
  },
};
