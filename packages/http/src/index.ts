/** The driver for `http:` and `https:` URLs. */
export { http, type HttpOptions } from './http.ts';
