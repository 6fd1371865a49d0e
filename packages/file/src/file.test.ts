import { execFileSync } from 'node:child_process';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  RetrievalError,
  type Content,
  type Entry,
  type Listing,
  type Retrieval,
  type RetrievalRequest,
} from '@retriever/driver';
import { driverConformance, testAccess } from '@retriever/driver/testing';
import { encode, parse, type FileUrl } from '@retriever/url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { file, type FileOptions } from './file.ts';

let directory: string;
const octets = Buffer.from('0123456789');

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'retriever-file-'));
  await writeFile(join(directory, 'ten.txt'), octets);
  await writeFile(join(directory, 'empty'), '');
});
afterAll(() => rm(directory, { recursive: true }));

type More = Omit<RetrievalRequest, 'url'> & { readonly signal?: AbortSignal; readonly options?: FileOptions };

function urlOf(...names: readonly (string | Buffer)[]): string {
  return `file://${[directory, ...names.map((name) => encode(name))].join('/')}`;
}

async function retrieve(url: string, { signal, options, ...request }: More = {}): Promise<Retrieval> {
  return file(options).retrieve({ url: parse(url) as FileUrl, ...request }, testAccess(signal ? { signal } : {}));
}

async function content(url: string, more?: More): Promise<Content> {
  const retrieval = await retrieve(url, more);
  if (retrieval.kind !== 'content') throw new Error(`a ${retrieval.kind}`);
  return retrieval;
}

async function listing(url: string, more?: More): Promise<Listing> {
  const retrieval = await retrieve(url, more);
  if (retrieval.kind !== 'listing') throw new Error(`a ${retrieval.kind}`);
  return retrieval;
}

async function entries(url: string): Promise<Map<string, Entry>> {
  const found: Entry[] = [];
  for await (const entry of (await listing(url)).entries) found.push(entry);
  return new Map(found.map((entry) => [entry.name, entry]));
}

async function codeOf(doing: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await doing.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof RetrievalError ? error.code : String(error);
}

/** Open descriptors of this process beneath the test's directory. */
async function openFiles(): Promise<number> {
  const { readlink } = await import('node:fs/promises');
  const targets = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return targets.filter((target) => target.startsWith(directory)).length;
}

describe('the conformance suite', () => {
  const checks = driverConformance({ driver: file(), url: () => urlOf('ten.txt'), kind: 'content', octets });
  for (const check of checks) test(check.name, check.run);
});

describe('a file', () => {
  test('comes whole, with size, date and the media type its name stands for', async () => {
    await utimes(join(directory, 'ten.txt'), 0, 1_000_000);
    const { body, metadata } = await content(urlOf('ten.txt'));
    expect(metadata).toMatchObject({
      size: 10,
      mediaType: 'text/plain',
      modified: new Date(1_000_000_000),
      range: undefined,
    });
    expect(body.size).toBe(10);
    expect(Buffer.from(await body.bytes())).toEqual(octets);
  });

  test('is read through one buffer, and longer than it', async () => {
    const large = Buffer.alloc(3 * 1024 * 1024 + 17, 'abcdefg');
    await writeFile(join(directory, 'large'), large);
    const { body } = await content(urlOf('large'));
    const memory = new Set<ArrayBufferLike>();
    const parts: Buffer[] = [];
    await body.pipeTo((chunk) => {
      memory.add(chunk.buffer);
      parts.push(Buffer.from(chunk));
    });
    expect(Buffer.concat(parts).equals(large)).toBe(true);
    expect(memory.size).toBe(1);
  });

  test('may be empty', async () => {
    const { body, metadata } = await content(urlOf('empty'));
    expect(metadata.size).toBe(0);
    expect(await body.text()).toBe('');
  });

  test.runIf(process.platform === 'linux')(
    'is read to its end where the system tells size 0 for it (Linux, /proc)',
    async () => {
      const { body, metadata } = await content('file:///proc/self/status');
      expect(metadata.size).toBeUndefined();
      expect(await body.text()).toContain('Pid:');
    },
  );

  test.runIf(process.platform === 'linux')('may have any octets for a name', async () => {
    const name = Buffer.from([0x61, 0xff, 0x0a, 0x25, 0x3b, 0x3f, 0x23]);
    await writeFile(Buffer.concat([Buffer.from(`${directory}/`), name]), 'odd');
    expect(await (await content(urlOf(name))).body.text()).toBe('odd');
  });

  test('whose end is cut off while it is read is incomplete', async () => {
    const path = join(directory, 'shrinking');
    await writeFile(path, Buffer.alloc(3 * 1024 * 1024));
    const { body } = await content(urlOf('shrinking'));
    let cut: Promise<void> | undefined;
    const reading = body.pipeTo(() => (cut ??= truncate(path, 10)));
    expect(await codeOf(reading)).toBe('incomplete');
  });

  test('that grows while it is read ends where it ended when it was opened', async () => {
    const path = join(directory, 'growing');
    await writeFile(path, 'before');
    const { body } = await content(urlOf('growing'));
    await appendFile(path, 'after');
    expect(await body.text()).toBe('before');
  });

  test('gives nothing but its metadata when only that is wanted', async () => {
    const { body, metadata } = await content(urlOf('ten.txt'), { metadataOnly: true });
    expect(metadata.size).toBe(10);
    expect(await body.text()).toBe('');
  });

  test('is not sent again unless it changed', async () => {
    const modified = new Date(2_000_000_000);
    await writeFile(join(directory, 'dated'), 'x');
    await utimes(join(directory, 'dated'), modified, modified);
    const same = await content(urlOf('dated'), { ifModifiedSince: modified });
    expect(same.metadata.notModified).toBe(true);
    expect(await same.body.text()).toBe('');
    const changed = await content(urlOf('dated'), { ifModifiedSince: new Date(1_999_999_000) });
    expect(changed.metadata.notModified).toBeUndefined();
    await changed.body.cancel();
  });
});

describe('a range', () => {
  test.each([
    [{ start: 3 }, '3456789', { start: 3, end: 9 }],
    [{ start: 3, end: 5 }, '345', { start: 3, end: 5 }],
    [{ start: 0, end: 0 }, '0', { start: 0, end: 0 }],
    [{ start: 8, end: 99 }, '89', { start: 8, end: 9 }],
    [{ suffix: 4 }, '6789', { start: 6, end: 9 }],
    [{ suffix: 99 }, '0123456789', { start: 0, end: 9 }],
  ])('%j is what it says', async (range, text, told) => {
    const { body, metadata } = await content(urlOf('ten.txt'), { range });
    expect(metadata).toMatchObject({ range: told, size: 10 });
    expect(body.size).toBe(text.length);
    expect(await body.text()).toBe(text);
  });

  test.each([
    [{ start: 10 }],
    [{ suffix: 0 }],
    [{ start: 5, end: 4 }],
    [{ start: -1 }],
    [{ start: 0.5 }],
    [{ start: NaN }],
  ])('%j lies outside', async (range) => {
    expect(await codeOf(retrieve(urlOf('ten.txt'), { range }))).toBe('range');
    expect(await openFiles()).toBe(0);
  });

  test('of an empty file lies outside', async () => {
    expect(await codeOf(retrieve(urlOf('empty'), { range: { start: 0 } }))).toBe('range');
  });

  test('of another version gives the whole file', async () => {
    const range = { start: 5 };
    const modified = (await content(urlOf('ten.txt'), { metadataOnly: true })).metadata.modified!;
    const same = await content(urlOf('ten.txt'), { range, ifRange: modified });
    expect(await same.body.text()).toBe('56789');
    for (const ifRange of [new Date(5000), '"tag"']) {
      const whole = await content(urlOf('ten.txt'), { range, ifRange });
      expect(whole.metadata.range).toBeUndefined();
      expect(await whole.body.text()).toBe('0123456789');
    }
  });
});

describe('a refusal', () => {
  test('says that nothing is there', async () => {
    expect(await codeOf(retrieve(urlOf('missing')))).toBe('not-found');
    expect(await codeOf(retrieve(urlOf('ten.txt', 'below')))).toBe('not-found');
    expect(await codeOf(retrieve(`${urlOf('ten.txt')}/`))).toBe('not-found');
    expect(await codeOf(retrieve(urlOf('x'.repeat(300))))).toBe('not-found');
  });

  test('comes at a loop of symbolic links', async () => {
    await symlink('loop', join(directory, 'loop'));
    expect(await codeOf(retrieve(urlOf('loop')))).toBe('refused');
  });

  test('never waits: a FIFO without a writer is refused at once', async () => {
    execFileSync('mkfifo', [join(directory, 'fifo')]);
    expect(await codeOf(retrieve(urlOf('fifo')))).toBe('refused');
  });

  test.runIf(process.platform === 'linux')('comes for devices', async () => {
    expect(await codeOf(retrieve('file:///dev/zero'))).toBe('refused');
  });

  test('comes for sockets, even where special files are allowed', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(directory, 'socket'), resolve));
    expect(await codeOf(retrieve(urlOf('socket')))).toBe('refused');
    expect(await codeOf(retrieve(urlOf('socket'), { options: { allowSpecial: true } }))).toBe('refused');
    server.close();
  });
});

describe('a special file, where allowed', () => {
  const options = { allowSpecial: true };

  test.runIf(process.platform === 'linux')('is read as far as the caller likes (a device)', async () => {
    const { body, metadata } = await content('file:///dev/zero', { options });
    expect(metadata.size).toBeUndefined();
    expect(await codeOf(body.bytes({ maxBytes: 5_000_000 }))).toBe('limit');
  });

  test('is read until its writer ends (a FIFO)', async () => {
    execFileSync('mkfifo', [join(directory, 'pipe')]);
    const writing = writeFile(join(directory, 'pipe'), 'through the pipe');
    const { body } = await content(urlOf('pipe'), { options });
    expect(await body.text()).toBe('through the pipe');
    await writing;
  });

  test('is given up on abort while its writer is awaited', async () => {
    execFileSync('mkfifo', [join(directory, 'silent')]);
    const controller = new AbortController();
    const waiting = retrieve(urlOf('silent'), { options, signal: controller.signal });
    const reason = new Error('enough');
    setTimeout(() => controller.abort(reason), 20);
    await expect(waiting).rejects.toBe(reason);
    // Lets the thread that waits in open(2) go.
    await writeFile(join(directory, 'silent'), '').catch(() => undefined);
  });
});

describe('a directory', () => {
  beforeAll(async () => {
    await mkdir(join(directory, 'dir', 'sub'), { recursive: true });
    await writeFile(join(directory, 'dir', 'page.html'), '<p>', { mode: 0o640 });
    await writeFile(join(directory, 'dir', 'a b#c%'), '');
    await symlink('page.html', join(directory, 'dir', 'link'));
    await symlink('/nowhere', join(directory, 'dir', 'broken'));
    await utimes(join(directory, 'dir', 'page.html'), 0, 86_400);
    execFileSync('mkfifo', [join(directory, 'dir', 'fifo')]);
  });

  test('lists typed entries', async () => {
    const found = await entries(urlOf('dir', ''));
    expect([...found.keys()].toSorted()).toEqual(['a b#c%', 'broken', 'fifo', 'link', 'page.html', 'sub']);
    expect(found.get('page.html')).toEqual({
      name: 'page.html',
      rawName: Buffer.from('page.html'),
      kind: 'file',
      url: urlOf('dir', 'page.html'),
      size: 3,
      modified: new Date(86_400_000),
      precision: 'second',
      mediaType: 'text/html',
      facts: { 'unix.mode': '0640' },
    });
    expect(found.get('sub')).toMatchObject({ kind: 'directory', url: `${urlOf('dir', 'sub')}/` });
    expect(found.get('link')).toMatchObject({ kind: 'link', linkTarget: 'page.html' });
    expect(found.get('broken')).toMatchObject({ kind: 'link', linkTarget: '/nowhere' });
    expect(found.get('fifo')?.kind).toBe('other');
    expect(found.get('a b#c%')?.url).toBe(`${urlOf('dir')}/a%20b%23c%25`);
  });

  test('gives the same entries without the slash at its end, and through localhost or dot segments', async () => {
    const urls = async (url: string): Promise<unknown> =>
      new Set([...(await entries(url)).values()].map((entry) => entry.url));
    const expected = await urls(urlOf('dir', ''));
    expect(await urls(urlOf('dir'))).toEqual(expected);
    expect(await urls(urlOf('dir').replace('file://', 'file://localhost'))).toEqual(expected);
    expect(await urls(urlOf('dir').replace('file://', 'file:'))).toEqual(expected);
  });

  test('each entry can be retrieved by its URL', async () => {
    for (const { url, kind } of (await entries(urlOf('dir'))).values()) {
      if (kind === 'file') await (await content(url!)).body.cancel();
      if (kind === 'directory') expect((await entries(url!)).size).toBe(0);
    }
  });

  test('reads as names, one a line', async () => {
    const text = await (await listing(urlOf('dir'))).body.text();
    expect(text.split('\n').toSorted()).toEqual(['', 'a b#c%', 'broken', 'fifo', 'link', 'page.html', 'sub/']);
  });

  test('the root of the system lists too', async () => {
    const found = await entries('file:///');
    expect(found.get('tmp')?.url).toBe('file:///tmp/');
  });

  test('of many entries is listed whole, and closed when the caller stops early', async () => {
    await mkdir(join(directory, 'many'));
    await Promise.all(Array.from({ length: 500 }, (_, n) => writeFile(join(directory, 'many', `f${n}`), '')));
    expect((await entries(urlOf('many'))).size).toBe(500);
    for await (const entry of (await listing(urlOf('many'))).entries) {
      expect(entry.kind).toBe('file');
      break;
    }
    const { body } = await listing(urlOf('many'));
    for await (const chunk of body) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    await expect.poll(openFiles).toBe(0);
  });

  test.runIf(process.platform === 'linux')('keeps the octets of odd names', async () => {
    await mkdir(join(directory, 'odd'));
    const rawName = Buffer.from([0xe9, 0x0a]);
    await writeFile(Buffer.concat([Buffer.from(`${directory}/odd/`), rawName]), 'odd');
    const entry = (await entries(urlOf('odd'))).get('é\n');
    expect(Buffer.from(entry!.rawName)).toEqual(rawName);
    expect(entry!.url).toBe(`${urlOf('odd')}/%E9%0A`);
    expect(await (await content(entry!.url!)).body.text()).toBe('odd');
  });
});

describe('a root', () => {
  let options: FileOptions;
  beforeAll(async () => {
    await mkdir(join(directory, 'root', 'inner'), { recursive: true });
    await writeFile(join(directory, 'root', 'inner', 'in'), 'in');
    await writeFile(join(directory, 'rooted'), 'out');
    await symlink('inner/in', join(directory, 'root', 'good'));
    await symlink('../ten.txt', join(directory, 'root', 'bad'));
    await symlink(directory, join(directory, 'root', 'up'));
    options = { root: join(directory, 'root') };
  });

  test('lets everything beneath it through, links that stay there included', async () => {
    expect(await (await content(urlOf('root', 'inner', 'in'), { options })).body.text()).toBe('in');
    expect(await (await content(urlOf('root', 'good'), { options })).body.text()).toBe('in');
    expect((await listing(urlOf('root'), { options })).kind).toBe('listing');
    expect((await listing(urlOf('root', ''), { options })).kind).toBe('listing');
    expect(await codeOf(retrieve(urlOf('root', 'missing'), { options }))).toBe('not-found');
  });

  test('keeps everything else out: names, dot segments, links, and whether there is such a file', async () => {
    for (const url of [
      urlOf('ten.txt'),
      urlOf('rooted'),
      urlOf('missing'),
      urlOf('root', '..', 'ten.txt'),
      urlOf('root', '..', 'missing'),
      urlOf('root', 'bad'),
      urlOf('root', 'up', 'ten.txt'),
      urlOf('root', 'up', ''),
      'file:///etc/passwd',
      'file:///',
    ]) {
      expect([url, await codeOf(retrieve(url, { options }))]).toEqual([url, 'policy']);
    }
    expect(await openFiles()).toBe(0);
  });

  test('may itself be reached by a link', async () => {
    await symlink('root', join(directory, 'alias'));
    const { body } = await content(urlOf('alias', 'good'), { options: { root: join(directory, 'alias') } });
    expect(await body.text()).toBe('in');
  });
});

describe('handles', () => {
  test('are closed when the sink fails, whose error stays its own', async () => {
    const error = Object.assign(new Error('disk full'), { code: 'ENOSPC', errno: -28, syscall: 'write' });
    await expect((await content(urlOf('ten.txt'))).body.pipeTo(() => Promise.reject(error))).rejects.toBe(error);
    expect(await openFiles()).toBe(0);
  });

  test('are closed when a body is read, cancelled, failed or aborted', async () => {
    await (await content(urlOf('ten.txt'))).body.bytes();
    await (await content(urlOf('ten.txt'))).body.cancel();
    await (await content(urlOf('ten.txt'))).body.pipeTo(() => Promise.reject(new Error('sink'))).catch(() => undefined);
    const controller = new AbortController();
    const unread = await content(urlOf('ten.txt'), { signal: controller.signal });
    const reading = await content(urlOf('ten.txt'), { signal: controller.signal });
    const stuck = reading.body.pipeTo(async () => controller.abort());
    await expect(stuck).resolves.toBeUndefined();
    await expect(unread.body.bytes()).rejects.toBe(controller.signal.reason);
    await expect.poll(openFiles).toBe(0);
  });

  test('belong to the file that was opened, whatever its name means later', async () => {
    const path = join(directory, 'moving');
    await writeFile(path, 'first');
    const { body } = await content(urlOf('moving'));
    await rename(path, `${path}.old`);
    await writeFile(path, 'second');
    expect(await body.text()).toBe('first');
  });
});
