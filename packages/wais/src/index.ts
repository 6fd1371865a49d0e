/** `@retriever/wais`: the driver for `wais:` URLs. */
export { wais } from './wais.ts';
export type { WaisOptions } from './options.ts';
