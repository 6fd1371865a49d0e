/** Runs the `@example` snippets of this package's docstrings; a comment behind an expression is what it evaluates to. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as api from './index.ts';

const directory = new URL('./', import.meta.url);
const sources = readdirSync(directory).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));

interface Example {
  readonly code: string;
  readonly expected: readonly string[];
}

/** The snippets of a file, each `expression; // value` turned into a call that records the expression's value. */
function examplesOf(name: string): Example[] {
  const text = readFileSync(new URL(name, directory), 'utf8');
  return Array.from(text.matchAll(/```ts\n([^]*?)```/g), ([, snippet]) => {
    const lines = snippet!.replaceAll(/^ *\* ?/gm, '').replaceAll(/;\n\/\/ /g, '; // ');
    const expected: string[] = [];
    const code = lines.replaceAll(
      /^( *)([^\n/][^\n]*); \/\/ (.*)$/gm,
      (_, indent: string, expression: string, value: string) => {
        expected.push(value);
        return `${indent}record(${expression});`;
      },
    );
    return { code, expected };
  });
}

function written(value: unknown): string {
  if (value instanceof Uint8Array) return `Uint8Array of '${api.decodeText(api.encode(value))}'`;
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  return typeof value === 'string' ? `'${value}'` : String(value);
}

describe.each(sources.map((name) => [name, examplesOf(name)] as const).filter(([, found]) => found.length > 0))(
  'the examples of %s',
  (_, examples) => {
    test.each(examples)('say what happens: $expected', ({ code, expected }) => {
      const results: string[] = [];
      const names = Object.keys(api);
      const values: unknown[] = Object.values(api);
      // oxlint-disable-next-line typescript/no-implied-eval -- the code is ours, out of our own docstrings
      const run = new Function('record', ...names, code) as (...parameters: unknown[]) => void;
      run((value: unknown) => results.push(written(value)), ...values);
      expect(results).toEqual(expected);
      expect(expected).not.toEqual([]);
    });
  },
);
