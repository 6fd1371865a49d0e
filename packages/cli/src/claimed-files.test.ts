import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ClaimedFiles } from './claimed-files.ts';

test('a file belongs to whom claims it first, under whatever name', () => {
  const directory = mkdtempSync(join(tmpdir(), 'retriever-claims-'));
  try {
    mkdirSync(join(directory, 'd'));
    symlinkSync('d', join(directory, 'link'));
    const claims = new ClaimedFiles();
    const [one, other] = [{}, {}];
    claims.claim(join(directory, 'd/f'), one);
    claims.claim(join(directory, 'd/f'), one);
    claims.claim(join(directory, 'd/g'), other);
    for (const name of ['d/f', 'd/../d/f', 'link/f'])
      expect(() => claims.claim(`${directory}/${name}`, other)).toThrow('each wants its own file');
    claims.claim(join(directory, 'link/new/f'), one);
    mkdirSync(join(directory, 'd/new'));
    expect(() => claims.claim(join(directory, 'd/new/f'), other)).toThrow('each wants its own file');
    for (const owner of [one, other]) claims.claim('/dev/null', owner);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
