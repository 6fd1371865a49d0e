/** Files of this machine through the client. */
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, follow, type TraceRecord } from '@retriever/client';
import { file } from '@retriever/file';
import { http } from '@retriever/http';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

const records: TraceRecord[] = [];
const client = createClient({
  drivers: [file(), http()],
  layers: [follow()],
  trace: (record) => void records.push(record),
});
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'retriever-file-'));
  await writeFile(join(directory, 'a b.txt'), 'text');
  await writeFile(join(directory, 'sparse'), '');
  await truncate(join(directory, 'sparse'), 1024 ** 3);
});
afterAll(async () => {
  client.close();
  await rm(directory, { recursive: true });
});

test('a file, and a part of it', async () => {
  const url = `file://${directory}/a%20b.txt`;
  const whole = await client.retrieve(url);
  expect(whole.kind === 'content' && (await whole.body.text())).toBe('text');
  const part = await client.retrieve(url, { range: { start: 1, end: 2 } });
  expect(part.kind === 'content' && [part.metadata.range, await part.body.text()]).toEqual([
    { start: 1, end: 2 },
    'ex',
  ]);
});

test('a directory, whose entries lead to its files', async () => {
  const listing = await client.retrieve(`file://localhost${directory}`);
  if (listing.kind !== 'listing') throw new Error(`a ${listing.kind}`);
  const urls: string[] = [];
  for await (const entry of listing.entries) urls.push(entry.url!);
  expect(new Set(urls)).toEqual(new Set([`file://${directory}/a%20b.txt`, `file://${directory}/sparse`]));
  for (const url of urls) expect((await client.retrieve(url, { metadataOnly: true })).kind).toBe('content');
});

test('no connection is made for any of it', async () => {
  await expect(client.retrieve(`file://${inject('web').host}/etc/passwd`)).rejects.toMatchObject({
    code: 'unsupported',
  });
  expect(records.filter((record) => record.type === 'connecting' || record.type === 'resolved')).toEqual([]);
});

test('no redirect leads to a file', async () => {
  const url = `http://${inject('web').host}/redirect/302?to=file://${directory}/a%20b.txt`;
  await expect(client.retrieve(url)).rejects.toMatchObject({ code: 'policy' });
});

test('1 GiB passes through without staying', async () => {
  const retrieved = await client.retrieve(`file://${directory}/sparse`);
  if (retrieved.kind !== 'content') throw new Error(`a ${retrieved.kind}`);
  const before = process.memoryUsage.rss();
  let octets = 0;
  let most = 0;
  await retrieved.body.pipeTo((chunk) => {
    octets += chunk.length;
    most = Math.max(most, process.memoryUsage.rss());
  });
  expect(octets).toBe(1024 ** 3);
  expect(most - before).toBeLessThan(64 * 1024 * 1024);
});

test('an abort rejects with its reason', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const retrieved = await client.retrieve(`file://${directory}/sparse`, { signal: controller.signal });
  if (retrieved.kind !== 'content') throw new Error(`a ${retrieved.kind}`);
  await expect(retrieved.body.pipeTo(() => controller.abort(reason))).rejects.toBe(reason);
});
