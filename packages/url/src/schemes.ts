/** What is known of schemes by their names alone. */

const PORTS: Readonly<Record<string, number>> = {
  ftp: 21,
  ftps: 990,
  http: 80,
  https: 443,
  gopher: 70,
  gophers: 70,
  news: 119,
  nntp: 119,
  snews: 563,
  nntps: 563,
  telnet: 23,
  wais: 210,
  prospero: 1525,
};

/** "Proposed at various times" and left undefined, RFC 1738 §4. */
const RESERVED: ReadonlySet<string> = new Set(['afs', 'mid', 'cid', 'nfs', 'tn3270', 'mailserver', 'z39.50']);

/**
 * The port of a scheme's URLs that name none, or `undefined` for a scheme without one.
 *
 * @example
 * ```ts
 * defaultPort('gopher'); // 70
 * ```
 */
export function defaultPort(scheme: string): number | undefined {
  const name = scheme.toLowerCase();
  return Object.hasOwn(PORTS, name) ? PORTS[name] : undefined;
}

/**
 * Whether RFC 1738 §4 reserves a scheme's name without defining it.
 *
 * @example
 * ```ts
 * isReserved('z39.50'); // true
 * ```
 */
export function isReserved(scheme: string): boolean {
  return RESERVED.has(scheme.toLowerCase());
}

/**
 * Whether a scheme is experimental, that is begins with `x-` (RFC 1738 §4).
 *
 * @example
 * ```ts
 * isExperimental('x-notes'); // true
 * ```
 */
export function isExperimental(scheme: string): boolean {
  return scheme.toLowerCase().startsWith('x-');
}
