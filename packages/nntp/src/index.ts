/** `@retriever/nntp`: the driver for `news:`, `snews:`, `nntp:` and `nntps:` URLs. */
export { nntp } from './driver.ts';
export type { NntpOptions } from './options.ts';
