/** Runs the parse vectors of one scheme as tests; see README.md for the rows' form. */
import { describe, expect, test } from 'vitest';
import { format, parse, UrlSyntaxError, type Violation } from '../../packages/url/src/index.ts';
import vectors from './parse.json' with { type: 'json' };

interface Row {
  readonly text: string;
  readonly components?: object;
  readonly violations?: readonly (readonly [string, number])[];
  readonly url?: string;
  readonly error?: readonly [string, number];
}

export function caught(run: () => unknown): UrlSyntaxError {
  try {
    run();
  } catch (error) {
    if (error instanceof UrlSyntaxError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

function where({ rule, position }: Violation | UrlSyntaxError): [string, number] {
  return [rule, position];
}

export function testParseVectors(name: keyof typeof vectors): void {
  describe('parse vectors', () => {
    runRows(vectors[name] as unknown as Row[]);
  });
}

function runRows(rows: readonly Row[]): void {
  const fatal = rows.filter((row) => row.error !== undefined);
  const tolerated = rows.filter((row) => row.violations !== undefined);
  const conforming = rows.filter((row) => row.components !== undefined && row.violations === undefined);

  test.each(conforming)('$text conforms', ({ text, components }) => {
    const url = parse(text, { strict: true });
    expect(url.toJSON()).toEqual(components);
    expect(url.toString()).toBe(text);
    expect(format(url)).toBe(text);
    expect(parse(format({ ...url })).toJSON()).toEqual(components);
  });

  test.each(tolerated)('$text is tolerated, and refused when strict', ({ text, components, violations, url }) => {
    const parsed = parse(text);
    const { violations: _, ...rest } = parsed.toJSON();
    expect(rest).toEqual(components);
    expect(parsed.violations.map(where)).toEqual(violations);
    expect(parsed.violations).toEqual(parsed.violations.toSorted((a, b) => a.position - b.position));
    expect(parsed.toString()).toBe(url ?? text);
    const [rule, position] = violations![0]!;
    const error = caught(() => parse(text, { strict: true }));
    expect(error.rule).toBe(rule);
    // An error's position lies in the text given, a violation's in the URL without its wrapper.
    if (url === undefined) expect(error.position).toBe(position);
    else expect(text.slice(error.position)).toMatch(/^\s*(URL:|ftp:)/i);
  });

  test.each(fatal)('$text is no URL', ({ text, error }) => {
    expect(where(caught(() => parse(text)))).toEqual(error);
    expect(caught(() => parse(text, { strict: true }))).toBeInstanceOf(UrlSyntaxError);
  });
}
