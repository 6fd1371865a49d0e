/** The driver for `file:` URLs. */
export { file, type FileOptions } from './file.ts';
