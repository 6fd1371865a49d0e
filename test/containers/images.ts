import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { run, step, succeeds } from './command.ts';

const folders = join(import.meta.dirname, '../../docker');

export type ImageName = 'ftp' | 'gopher' | 'web' | 'telnet' | 'news';

/** Builds what is missing, and returns each image's tag. A tag names its folder's content, so no image is ever stale. */
export async function ensureImages(): Promise<Record<ImageName, string>> {
  const base = `retriever-test/base:${contentHash('base')}`;
  if (!(await exists(base))) {
    await step('make the base image', () => twice(() => run(join(folders, 'base/make.sh'), [base])));
  }
  const [ftp, gopher, web, telnet, news] = await Promise.all([
    build('ftp', base),
    build('gopher', base),
    build('web', base),
    build('telnet', base),
    build('news', base),
  ]);
  return { ftp, gopher, web, telnet, news };
}

async function build(name: ImageName, base: string): Promise<string> {
  const tag = `retriever-test/${name}:${contentHash('base', name)}`;
  if (await exists(tag)) return tag;
  // --network=host: apt reaches its mirror as the host does, also where a proxy listens on the loopback address
  const args = ['build', '--quiet', '--network=host', '--build-arg', `BASE=${base}`, '--tag', tag, join(folders, name)];
  await step(`build the image ${name}`, () => twice(() => run('docker', args)));
  return tag;
}

async function exists(tag: string): Promise<boolean> {
  return await succeeds('docker', ['image', 'inspect', tag]);
}

/** A package mirror fails now and then; the finished layers of the first attempt are kept. */
async function twice<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    process.stderr.write(`[containers] trying again after: ${String(error)}\n`);
    return await work();
  }
}

function contentHash(...names: string[]): string {
  const hash = createHash('sha256');
  for (const name of names) {
    const files = readdirSync(join(folders, name), { recursive: true, encoding: 'utf8' }).toSorted();
    for (const file of files) {
      const path = join(folders, name, file);
      const status = statSync(path);
      if (!status.isFile()) continue;
      hash.update(`${name}/${file}\0${status.mode & 0o111 ? 'x' : '-'}${status.size}\0`).update(readFileSync(path));
    }
  }
  return hash.digest('hex').slice(0, 12);
}
