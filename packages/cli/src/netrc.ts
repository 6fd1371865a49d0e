/**
 * `~/.netrc`: logins by host, as ftp(1) of 4.2BSD began it. No RFC has the format; curl's manual has.
 *
 * Words apart by white space: `machine HOST` or `default`, then `login`, `password`, `account`. A word may stand in quotes,
 * with `\"`, `\\`, `\n`, `\r` and `\t`. `macdef` at the beginning of a line goes
 * on to an empty line, `#` to the end of its line; both are skipped.
 */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Failure } from './failure.ts';
import type { Settings } from './settings.ts';

export interface NetrcEntry {
  /** In lower case; undefined for `default`, which is for any host. */
  readonly host: string | undefined;
  login?: string;
  password?: string;
  account?: string;
}

/** The entries of the file that the settings want; none where nothing was said of it. @throws Failure 26 */
export function netrcFor({ netrc, netrcFile }: Pick<Settings, 'netrc' | 'netrcFile'>): NetrcEntry[] {
  if (netrc === 'no') return [];
  const name = netrcFile ?? join(homedir(), '.netrc');
  try {
    return parseNetrc(readFileSync(name, 'utf8'));
  } catch (error) {
    // Nobody need have one; but who names a file means it.
    if (netrcFile === undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error instanceof Failure ? error : new Failure(26, `cannot read ${name}: ${(error as Error).message}`, error);
  }
}

/** The first entry for the host, and for the user where one is known already. */
export function netrcEntry(entries: readonly NetrcEntry[], host: string, user?: string): NetrcEntry | undefined {
  const wanted = host.toLowerCase();
  return entries.find(
    (entry) =>
      (entry.host === undefined || entry.host === wanted) && (user === undefined || (entry.login ?? user) === user),
  );
}

/** @throws Failure 26, without a word of what the file says. */
export function parseNetrc(text: string): NetrcEntry[] {
  const entries: NetrcEntry[] = [];
  const words = wordsOf(text);
  const value = (): string => {
    const { done, value: word } = words.next();
    if (done) throw new Failure(26, 'the netrc file ends where a value is due');
    return word;
  };
  for (const word of words) {
    const entry = entries.at(-1);
    const keyword = word.toLowerCase();
    switch (keyword) {
      case 'machine':
        entries.push({ host: value().toLowerCase() });
        break;
      case 'default':
        entries.push({ host: undefined });
        break;
      case 'login':
      case 'password':
      case 'account': {
        const said = value();
        if (entry) entry[keyword] ??= said;
        break;
      }
      // Whatever else there is, other programs may know it.
      default:
    }
  }
  return entries;
}

/** Words, quotes undone, without macros and comments. */
function* wordsOf(text: string): Generator<string, undefined> {
  const word =
    /[^\S\n]*(?:(\n)|#[^\n]*|"((?:[^"\\]|\\.)*)"|(macdef(?<=^[^\S\n]*macdef)\s[^]*?(?:\n[^\S\n]*\n|(?![^])))|([^\s"][^\s]*)|("))/my;
  for (let found = word.exec(text); found; found = word.exec(text)) {
    const [, , quoted, , plain, open] = found;
    if (open !== undefined) throw new Failure(26, 'the netrc file has a quotation mark without its partner');
    if (quoted !== undefined)
      yield quoted.replaceAll(/\\(.)/gs, (_, character: string) => escapes[character] ?? character);
    else if (plain !== undefined) yield plain;
  }
  return undefined;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
