/** Where something is: the hosts of Prospero's lines, `NAME` or `NAME(port)`, most often in upper case. */

export interface Place {
  readonly host: string;
  readonly port: number;
}

/** A host as a line names it; without a port it is the service's own. */
export interface NamedHost {
  readonly host: string;
  readonly port: number | undefined;
}

/**
 * Reads a host. `LOCALHOST` is the server's name for itself and would be another computer here: it becomes the host that
 * was asked, unless that one is this computer anyway.
 *
 * @returns Undefined where there is no host.
 */
export function readHost(text: string, asked: Place): NamedHost | undefined {
  const [, name = '', digits] = /^([^()\s]+)(?:\((\d{1,5})\))?$/.exec(text) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  if (name === '' || (port !== undefined && (port === 0 || port > 0xffff))) return undefined;
  const host = name.toLowerCase();
  return { host: host === 'localhost' && !isThisComputer(asked.host) ? asked.host : host, port };
}

function isThisComputer(host: string): boolean {
  return host.toLowerCase() === 'localhost' || host.startsWith('127.') || host === '::1';
}
