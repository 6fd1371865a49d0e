import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const execute = promisify(execFile);
const root = join(import.meta.dirname, '../..');
let folder: string;

/** Packs every package as it would be published and installs the tarballs where nothing of this repository is near. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'retriever-package-'));
  await execute(process.execPath, [
    join(root, 'node_modules/typescript/bin/tsc'),
    '-b',
    join(root, 'tsconfig.build.json'),
  ]);
  const tarballs = new Map<string, string>();
  for (const name of await readdir(join(root, 'packages'))) {
    const target = join(folder, 'tarballs', name);
    await mkdir(target, { recursive: true });
    await execute('npx', ['-y', 'pnpm@12.21.0', 'pack', '--pack-destination', target], {
      cwd: join(root, 'packages', name),
    });
    const [tarball] = await readdir(target);
    const manifest = JSON.parse(await readFile(join(root, 'packages', name, 'package.json'), 'utf8')) as {
      name: string;
    };
    tarballs.set(manifest.name, `file:${join(target, tarball!)}`);
  }
  const manifest = {
    type: 'module',
    dependencies: Object.fromEntries(tarballs),
    // None of the packages is in a registry: wherever one depends on another, the tarball is meant.
    overrides: Object.fromEntries(tarballs),
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await execute('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function node(...args: string[]): Promise<string> {
  return (await execute(process.execPath, args, { cwd: folder })).stdout;
}

describe('the packages as published', () => {
  test('are imported from JavaScript and retrieve', async () => {
    await writeFile(join(folder, 'letter.txt'), 'Dear reader\n');
    await writeFile(
      join(folder, 'script.js'),
      `import { fetch } from 'retriever';
       import { parse } from '@retriever/url';
       const url = new URL('letter.txt', import.meta.url).href;
       console.log((await fetch(url)).status, parse(url).name, await (await fetch(url)).text());`,
    );
    expect(await node('script.js')).toBe('200 letter.txt Dear reader\n\n');
  });

  test('carry types that hold in strict TypeScript', async () => {
    await writeFile(
      join(folder, 'script.ts'),
      `import { fetch, retrieve, createClient, RetrievalError } from 'retriever';
       import { parse, type Url } from '@retriever/url';
       import type { Driver } from '@retriever/driver';
       import { driverConformance } from '@retriever/driver/testing';
       const url: Url = parse('ftp://h/a/b;type=i');
       if (url.grammar === 'ftp') { const code: 'a' | 'i' | 'd' | undefined = url.typecode; void code; }
       // @ts-expect-error -- only an FTP URL has a typecode
       void url.typecode;
       const retrieved = await retrieve('file:///');
       if (retrieved.kind === 'listing') for await (const { name, size } of retrieved.entries) { const n: number | undefined = size; void [n, name]; }
       const response: Response = await fetch('file:///', { method: 'HEAD' });
       // @ts-expect-error -- a redirect mode that does not exist
       await fetch('file:///', { redirect: 'sometimes' });
       const mine: Driver = { schemes: ['x-mine'], retrieve: () => Promise.reject(new RetrievalError('unsupported', 'no')) };
       void [createClient({ drivers: [mine] }), response, driverConformance];`,
    );
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          module: 'nodenext',
          target: 'es2024',
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          typeRoots: [join(root, 'node_modules/@types')],
          types: ['node'],
        },
        files: ['script.ts'],
      }),
    );
    expect(await node(join(root, 'node_modules/typescript/bin/tsc'), '-p', folder)).toBe('');
  });

  test('install the command', async () => {
    expect(await node('node_modules/.bin/retriever', '--version')).toMatch(/^retriever \d+\.\d+\.\d+/);
  });
});
