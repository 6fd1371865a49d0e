/** `@retriever/ftp`: the driver for `ftp:` and `ftps:` URLs. */
export { ftp } from './driver.ts';
export type { FtpOptions } from './options.ts';
