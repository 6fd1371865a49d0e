/** Policy: what may be retrieved and where a connection may go. Asked for every URL, every connection and every address. */
import { defaultPort, type Url } from '@retriever/url';
import { aborted } from './aborted.ts';

/** Each hook answers why not, or undefined where it has no objection. */
export interface Policy {
  /** Asked for the caller's URL and again for every URL that a peer's reference leads to. */
  url?(request: UrlQuestion): Verdict | Promise<Verdict>;
  /** Asked before a name is looked up: control connections, data connections, datagrams alike. */
  connection?(request: ConnectionQuestion): Verdict | Promise<Verdict>;
  /** Asked for each address that a name stands for; the addresses objected to are not tried. */
  address?(request: AddressQuestion): Verdict | Promise<Verdict>;
}

/** Why not, in words that end a sentence beginning with "not allowed: "; undefined for yes. */
export type Verdict = string | undefined;

/** The verdict asked for, or the signal's reason if that comes first; most policies answer at once. */
export function verdictOf(asked: Verdict | Promise<Verdict>, signal: AbortSignal): Verdict | Promise<Verdict> {
  return typeof asked === 'object' ? aborted(asked, signal) : asked;
}

export interface UrlQuestion {
  readonly url: Url;
  /** The URL whose reference (an HTTP redirect) led here; undefined for the caller's own. */
  readonly from?: Url | undefined;
  /** Default ports of the driver's schemes (RFC 1738 §3): 21 and 990 for ftp. */
  readonly ownPorts: readonly number[];
}

export interface ConnectionQuestion {
  readonly url: Url;
  readonly host: string;
  readonly port: number;
  readonly transport: 'tcp' | 'udp';
  /** Whether it goes beside an open connection, to the same address (FTP data). */
  readonly beside: boolean;
}

export interface AddressQuestion extends ConnectionQuestion {
  readonly address: string;
  readonly family: 4 | 6;
}

export interface StandardPolicyOptions {
  /** Ports allowed although they are another protocol's. Default: none. */
  readonly allowedPorts?: readonly number[];
  /** Schemes that a reference may lead to from another scheme. Default: http, https, ftp, ftps. */
  readonly referableSchemes?: readonly string[];
  /**
   * By the referring scheme: what its references may lead to besides. Default: prospero to the protocols of its access
   * methods, gopher, wais and telnet, since RFC 1738 §3.11 makes it a directory of them.
   */
  readonly referableFrom?: Readonly<Record<string, readonly string[]>>;
}

const directories = { prospero: ['gopher', 'wais', 'telnet'] };

/**
 * The default policy: no port of another protocol (RFC 1738 §6), and no reference out of the network's harmless schemes,
 * above all none to `file:`.
 */
export function standardPolicy({
  allowedPorts = [],
  referableSchemes = ['http', 'https', 'ftp', 'ftps'],
  referableFrom = directories,
}: StandardPolicyOptions = {}): Policy {
  const isReferable = (from: Url, to: Url): boolean =>
    from.scheme === to.scheme ||
    referableSchemes.includes(to.scheme) ||
    (Object.hasOwn(referableFrom, from.scheme) && referableFrom[from.scheme]!.includes(to.scheme));
  return {
    url({ url, from, ownPorts }) {
      const port = 'port' in url ? url.port : undefined;
      if (port === 0) return 'port 0 is no port to connect to';
      if (port !== undefined && foreignPorts.has(port) && !ownPorts.includes(port) && !allowedPorts.includes(port)) {
        return `port ${port} is another protocol's (RFC 1738 §6)`;
      }
      if (from && !isReferable(from, url)) return `a ${from.scheme}: URL may not lead to a ${url.scheme}: URL`;
      return undefined;
    },
    connection({ url, port, transport }) {
      // Prospero's servers may send a client's datagrams elsewhere; the URL's own port has been asked about.
      const own = 'port' in url ? url.port : undefined;
      if (transport !== 'udp' || port === own) return undefined;
      if (port === 0) return 'port 0 is no port to send to';
      return foreignPorts.has(port) && !allowedPorts.includes(port)
        ? `port ${port} is another protocol's (RFC 1738 §6)`
        : undefined;
    },
  };
}

/**
 * Privileged ports with a protocol of their own, most of them textual: what the Fetch standard calls bad ports, below
 * 1024, and the default ports of RFC 1738's schemes.
 */
const foreignPorts: ReadonlySet<number> = new Set([
  1,
  7,
  9,
  11,
  13,
  15,
  17,
  19,
  20,
  21,
  22,
  23,
  25,
  37,
  42,
  43,
  53,
  69,
  77,
  79,
  87,
  95,
  101,
  102,
  103,
  104,
  109,
  110,
  111,
  113,
  115,
  117,
  119,
  123,
  135,
  137,
  139,
  143,
  161,
  179,
  389,
  427,
  465,
  512,
  513,
  514,
  515,
  526,
  530,
  531,
  532,
  540,
  548,
  554,
  556,
  563,
  587,
  601,
  636,
  989,
  990,
  993,
  995,
  ...['ftp', 'http', 'https', 'gopher', 'nntp', 'telnet', 'wais'].flatMap((scheme) => defaultPort(scheme) ?? []),
]);
