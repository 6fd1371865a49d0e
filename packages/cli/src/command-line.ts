/** Reads a command line by the table of options, the way curl reads its own. */
import { configuredOptions } from './config-file.ts';
import { UsageError } from './failure.ts';
import { options } from './options.ts';
import type { Option } from './options/option.ts';
import { defaultSettings, type Settings } from './settings.ts';

export const commands = ['get', 'ls', 'parse', 'extract', 'demo', 'help'] as const;
export type Command = (typeof commands)[number];

export interface CommandLine {
  readonly command: Command;
  readonly settings: Settings;
}

/** A file of options that leads to itself ends there. */
const deepest = 10;

const byShort = new Map(options.flatMap((option) => (option.short ? [[option.short, option] as const] : [])));
const byLong = new Map(options.map((option) => [option.long, option] as const));

/**
 * What the arguments after the program's name say. The first that is no option may name the command; default `get`.
 *
 * @throws UsageError
 */
export function readCommandLine(args: readonly string[]): CommandLine {
  const settings = defaultSettings();
  const reader = new ArgumentReader(args);
  let command: Command | undefined;
  for (let argument = reader.next(); argument !== undefined; argument = reader.next()) {
    if (!reader.literal && argument === '--') reader.literal = true;
    else if (!reader.literal && argument.startsWith('--')) readLong(argument, reader, settings);
    // A dash alone is an argument: `extract -` reads stdin.
    else if (!reader.literal && argument.length > 1 && argument.startsWith('-')) readShorts(argument, reader, settings);
    else if (command === undefined && settings.urls.length === 0 && isCommand(argument)) command = argument;
    else settings.urls.push(argument);
  }
  return { command: command ?? 'get', settings };
}

class ArgumentReader {
  readonly #args: readonly string[];
  #at = 0;
  /** After `--` nothing is an option any more. */
  literal = false;

  /** Files of options that led here. */
  readonly #depth: number;

  constructor(args: readonly string[], depth = 0) {
    this.#args = args;
    this.#depth = depth;
  }

  get atEnd(): boolean {
    return this.#at >= this.#args.length;
  }

  /** For `-K`, which may stand in a file, too. */
  readMore(settings: Settings): (file: string) => void {
    return (file) => readConfig(file, settings, this.#depth + 1);
  }

  next(): string | undefined {
    return this.#args[this.#at++];
  }

  valueOf(option: string): string {
    const value = this.next();
    if (value === undefined) throw new UsageError(`option ${option} wants a value`);
    return value;
  }
}

/** `--name`, `--name=value`, `--name value`, `--no-name`, and unambiguous beginnings of names. */
function readLong(argument: string, reader: ArgumentReader, settings: Settings): void {
  const equals = argument.indexOf('=');
  const name = argument.slice(2, equals < 0 ? undefined : equals);
  const attached = equals < 0 ? undefined : argument.slice(equals + 1);
  const exact = byLong.get(name);
  const negated = exact || !name.startsWith('no-') ? undefined : byLong.get(name.slice(3));
  const option = exact ?? negated ?? byBeginning(name);
  if (!option) throw new UsageError(`option --${name} is unknown`);
  if ('take' in option) {
    if (negated) throw new UsageError(`option --${name} is unknown`);
    option.take(settings, attached ?? reader.valueOf(`--${name}`), reader.readMore(settings));
  } else {
    if (attached !== undefined) throw new UsageError(`option --${name} takes no value`);
    option.set(settings, !negated);
  }
}

/** The options in a file. @throws UsageError that tells the line. */
function readConfig(file: string, settings: Settings, depth: number): void {
  if (depth > deepest) throw new UsageError(`--config ${file}: it is the file number ${depth} that another leads to`);
  for (const { option, value, line } of configuredOptions(file)) {
    const reader = new ArgumentReader(value === undefined ? [] : [value], depth);
    try {
      if (option.startsWith('--')) readLong(option, reader, settings);
      else readShorts(option, reader, settings);
      if (!reader.atEnd) throw new UsageError(`option ${nameIn(option)} takes no value`);
    } catch (error) {
      throw error instanceof UsageError ? new UsageError(`${file}, line ${line}: ${error.message}`) : error;
    }
  }
}

/** Without the value that hangs on it, which may be a password. */
function nameIn(option: string): string {
  return option.startsWith('--') ? option.replace(/=.*/s, '') : option.slice(0, 2);
}

function byBeginning(name: string): Option | undefined {
  const candidates = name.length < 2 ? [] : options.filter(({ long }) => long.startsWith(name));
  if (candidates.length > 1) {
    const names = candidates.map(({ long }) => `--${long}`).join(', ');
    throw new UsageError(`option --${name} is ambiguous: ${names}`);
  }
  return candidates[0];
}

/** `-sSL`, `-ofile`, `-o file`: letters stick together until one takes the rest as its value. */
function readShorts(argument: string, reader: ArgumentReader, settings: Settings): void {
  for (let at = 1; at < argument.length; at += 1) {
    const letter = argument[at]!;
    const option = byShort.get(letter);
    if (!option) throw new UsageError(`option -${letter} is unknown`);
    if ('take' in option) {
      const rest = argument.slice(at + 1);
      option.take(settings, rest === '' ? reader.valueOf(`-${letter}`) : rest, reader.readMore(settings));
      return;
    }
    option.set(settings, true);
  }
}

function isCommand(word: string): word is Command {
  return (commands as readonly string[]).includes(word);
}
