/** Media types guessed from names, for protocols that do not tell (FTP, file, gopher). */
import { lookup } from 'mrmime';

/** The media type a name's suffix stands for; `.gz` and the like stand for themselves, not for what is inside. Undefined when unknown. */
export function mediaTypeOf(name: string): string | undefined {
  if (!name.includes('.')) return undefined;
  // The table is a plain object: of `x.constructor` it makes a function.
  const type: unknown = lookup(name);
  return typeof type === 'string' ? type : undefined;
}
