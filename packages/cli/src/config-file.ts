/**
 * `-K FILE`: options in a file, in curl's syntax.
 *
 * One option a line, long (`location`, with or without dashes) or short (`-L`); its value behind `=`, `:` or white space, in
 * quotes where it holds white space or begins with one of these. In quotes `\"`, `\\`, `\t`, `\n`, `\r` and `\v` are one
 * character. A line that begins with `#` is a comment.
 */
import { readFileSync } from 'node:fs';
import { Failure, UsageError } from './failure.ts';

/** A line's option, as it would stand on the command line. */
export interface ConfiguredOption {
  /** `--output`, `-o`. */
  readonly option: string;
  readonly value: string | undefined;
  /** Where it stands, for messages. */
  readonly line: number;
}

/** `-` is stdin. @throws Failure 26 when it cannot be read; UsageError for lines nobody understands. */
export function configuredOptions(file: string): ConfiguredOption[] {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new Failure(26, `cannot read the options in ${file}: ${(error as Error).message}`, error);
  }
  return parseConfig(text, file);
}

export function parseConfig(text: string, file: string): ConfiguredOption[] {
  return text.split(/\r?\n/).flatMap((line, at) => optionIn(line, at + 1, file) ?? []);
}

function optionIn(text: string, line: number, file: string): ConfiguredOption | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.startsWith('#')) return undefined;
  // Behind dashes an option ends at white space only, as on a command line.
  const [, name = '', rest = ''] =
    (trimmed.startsWith('-') ? /^(\S+)\s*(.*)$/s : /^([^\s=:]+)[\s=:]*(.*)$/s).exec(trimmed) ?? [];
  if (name === '') throw new UsageError(`${file}, line ${line}: there is no option`);
  const option = name.startsWith('-') ? name : `--${name}`;
  return {
    option,
    value: rest === '' || rest.startsWith('#') ? undefined : valueOf(rest, `${file}, line ${line}`),
    line,
  };
}

function valueOf(text: string, where: string): string {
  if (!text.startsWith('"')) {
    const [, value = '', garbage] = /^(\S+)\s*([^#\s].*)?/s.exec(text) ?? [];
    if (garbage !== undefined) throw new UsageError(`${where}: a value with spaces stands in quotes`);
    return value;
  }
  const quoted = /^"((?:[^"\\]|\\.)*)"/s.exec(text)?.[1];
  if (quoted === undefined) throw new UsageError(`${where}: a quotation mark has no partner`);
  return quoted.replaceAll(/\\(.)/gs, (_, character: string) => escapes[character] ?? character);
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', v: '\v' };
