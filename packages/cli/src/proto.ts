/** `--proto` and `--proto-redir`: the schemes that may be used, in curl's notation: `=https`, `-all,http`, `+gopher`. */
import { schemes } from './drivers.ts';

interface Choice {
  /** What is allowed before anything is said. */
  readonly allowed: readonly string[];
  /** What `all` stands for. */
  readonly all: readonly string[];
}

/**
 * @param text - Schemes apart by commas; `+` allows one more (so does nothing), `-` one less, `=` this one alone; `all` is all.
 */
export function allowedSchemes(text: string, { allowed, all }: Choice, warn: (text: string) => void): string[] {
  let result = new Set(allowed);
  for (const word of text.split(',')) {
    const [, modifier, name = ''] = /^([+=-]?)(.*)$/s.exec(word.trim().toLowerCase()) ?? [];
    if (name === '') continue;
    if (name !== 'all' && !schemes.includes(name)) warn(`the scheme ${JSON.stringify(name)} is unknown`);
    const named = name === 'all' ? all : [name];
    if (modifier === '=') result = new Set(named);
    else if (modifier === '-') for (const scheme of named) result.delete(scheme);
    else for (const scheme of named) result.add(scheme);
  }
  return [...result];
}
