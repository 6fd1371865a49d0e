/** @retriever/url in a browser: bundled without any import, and run on the shared vectors in headless Chromium. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from 'vite';

const execute = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const CHROMIUM = '/usr/bin/chromium';
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--virtual-time-budget=20000',
];

let folder: string;
let bundle: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'retriever-browser-'));
  bundle = await bundleUrl();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** One script that puts the package's exports into the global `retriever`. */
async function bundleUrl(): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    root,
    build: {
      write: false,
      minify: false,
      lib: { entry: join(root, 'packages/url/src/index.ts'), formats: ['iife'], name: 'retriever' },
    },
  });
  const [result] = [output].flat();
  if (result === undefined || !('output' in result)) throw new Error('Vite built nothing');
  return result.output[0].code;
}

/** Runs in the page: what differs from the vectors, one line each, or `ok` and their number. */
const CHECK = `
  const failures = [];
  let count = 0;
  const same = (a, b) => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
  const sorted = (v) => Array.isArray(v) ? v.map(sorted) : v !== null && typeof v === 'object'
    ? Object.fromEntries(Object.keys(v).sort().map((k) => [k, sorted(v[k])])) : v;
  const check = (name, actual, expected) => { count++; if (!same(actual, expected)) failures.push(name + ': ' + JSON.stringify(actual)); };
  const attempt = (run) => { try { return run(); } catch (error) {
    if (!(error instanceof retriever.UrlSyntaxError)) throw error;
    return { error: [error.rule, error.position] };
  } };
  for (const row of Object.values(vectors.parse).flat()) {
    check(row.text, attempt(() => {
      const { violations, ...components } = retriever.parse(row.text).toJSON();
      return { components, ...(violations && { violations: violations.map((v) => [v.rule, v.position]) }) };
    }), row.error ? { error: row.error } : { components: row.components, ...(row.violations && { violations: row.violations }) });
  }
  for (const row of Object.values(vectors.resolve).flat()) {
    const result = attempt(() => retriever.resolve(row.base, row.reference).toString());
    check(row.base + ' ' + row.reference, typeof result === 'string' ? result : null, row.url);
  }
  for (const row of vectors.extract) {
    check(row.text, retriever.extract(row.text).map((found) => found.text), row.urls.map((url) => url.text));
  }
  document.body.textContent = failures.length === 0 ? 'ok ' + count : failures.join('\\n');
`;

test('bundles for a browser without an import or a global of Node', () => {
  expect(bundle).not.toMatch(/\bnode:|\brequire\(|\bBuffer\b|\bprocess\b/);
  expect(bundle).toContain('UrlSyntaxError');
});

test('gives the vectors in Chromium', async () => {
  if (!existsSync(CHROMIUM)) throw new Error(`${CHROMIUM} is missing: install it with "apt-get install chromium"`);
  const [parse, resolve, extract] = await Promise.all(
    ['parse', 'resolve', 'extract'].map((name) => readFile(join(root, `test/vectors/${name}.json`), 'utf8')),
  );
  const vectors = `const vectors = { parse: ${parse}, resolve: ${resolve}, extract: ${extract} };`;
  // In a script a "<" of a vector could begin "</script>" or a comment.
  await writeFile(join(folder, 'check.js'), `${bundle}\n${vectors}\n${CHECK}`);
  const page = join(folder, 'page.html');
  await writeFile(page, '<!doctype html><meta charset="utf-8"><body>not run<script src="check.js"></script></body>');
  const flags = [...FLAGS, `--user-data-dir=${join(folder, 'profile')}`, '--dump-dom', `file://${page}`];
  const { stdout } = await execute(CHROMIUM, flags, { timeout: 60_000 });
  const text = /<body>([\s\S]*)<\/body>/.exec(stdout)?.[1]?.trim();
  expect(text).toMatch(/^ok \d{3}$/);
});
