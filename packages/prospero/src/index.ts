/** `prospero:` URLs, RFC 1738 §3.11. */
export { prospero } from './prospero.ts';
export type { ProsperoOptions } from './options.ts';
export { archieUrl, type ArchieQuery } from './archie.ts';
