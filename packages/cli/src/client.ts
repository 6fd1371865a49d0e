/** The client the settings ask for. */
import { readFileSync } from 'node:fs';
import {
  createClient,
  follow,
  limit,
  minimumRate,
  retry,
  standardPolicy,
  throttle,
  type Client,
  type ClientOptions,
  type CredentialsSource,
  type Layer,
  type LayerRequest,
  type Policy,
  type TraceRecord,
} from '@retriever/client';
import { askForLogin } from './ask.ts';
import { askingOnce } from './asking-once.ts';
import { lazyDrivers, schemes } from './drivers.ts';
import { Failure } from './failure.ts';
import { netrcFor } from './netrc.ts';
import { netrcAccounts, netrcLogins } from './netrc-logins.ts';
import { allowedSchemes } from './proto.ts';
import { retryOptions } from './retrying.ts';
import type { Settings } from './settings.ts';

/** curl's default. */
const defaultMaxRedirects = 50;

export interface ClientHooks {
  readonly trace?: (record: TraceRecord) => void;
  /** Wrapped around every hop, closest to the driver: sees references that are followed. */
  readonly hops: Layer;
  readonly warn?: (text: string) => void;
  /** Whether there is another attempt for who asked this. Default: as many as `--retry` says. */
  readonly mayRetry?: (request: LayerRequest) => boolean;
  /** Asks a person for a login. Default: {@link askForLogin}. */
  readonly ask?: CredentialsSource;
}

/** Typed entries are best told by MLSD; a listing printed as it comes is for reading, as `ls -l` has it. */
function listCommand({ listOnly, json }: Settings): 'auto' | 'list' | 'nlst' {
  return listOnly ? 'nlst' : json ? 'auto' : 'list';
}

/** @throws Failure 26 or 77 when a file that the settings name cannot be read. */
export function clientFor(
  settings: Settings,
  { trace, hops, warn = () => undefined, ask = askForLogin, mayRetry = () => true }: ClientHooks,
): Client {
  const { maxRedirects = defaultMaxRedirects, maxFilesize, connectTimeout, maxTime, ftpMethod, ftpAccount } = settings;
  const netrc = settings.user === undefined ? netrcFor(settings) : [];
  return createClient({
    drivers: lazyDrivers({
      ftp: {
        method: ftpMethod,
        account: ftpAccount,
        epsv: settings.epsv,
        tls: settings.ftpTls,
        list: listCommand(settings),
      },
      gopher: { allowAskBlock: settings.allowAsk },
      // curl's limit for the heads of a response.
      http: { maxHeaderBytes: 300 * 1024 },
    }),
    policy: policyFor(settings, warn),
    layers: [
      ...rateLayers(settings),
      limit(maxFilesize === undefined ? {} : { maxBytes: maxFilesize }),
      follow({ maxReferences: maxRedirects < 0 ? Infinity : maxRedirects }),
      netrcLogins(netrc, settings),
      retry(retryOptions(settings, mayRetry)),
      hops,
    ],
    credentials: askingOnce(netrcAccounts(netrc, ask)),
    tls: tlsFor(settings),
    ...(settings.parallelMaxHost > 0 && { pool: { maxSessionsPerHost: settings.parallelMaxHost } }),
    timeouts: {
      ...(connectTimeout !== undefined && { connect: connectTimeout * 1000 }),
      ...(maxTime !== undefined && { total: Math.ceil(maxTime * 1000) }),
    },
    ...(trace && { trace }),
  });
}

/** `--limit-rate`, and `-Y` with `-y`: one without the other has curl's defaults. */
function rateLayers({ limitRate, speedLimit, speedTime }: Settings): Layer[] {
  const { least, time } = { least: speedLimit ?? 1, time: (speedTime ?? 30) * 1000 };
  const watched = (speedLimit !== undefined || speedTime !== undefined) && least > 0 && time > 0;
  return [
    ...(limitRate ? [throttle({ bytesPerSecond: limitRate })] : []),
    ...(watched ? [minimumRate({ bytesPerSecond: least, time })] : []),
  ];
}

function policyFor({ allowPorts, ipFamily, proto, protoRedir }: Settings, warn: (text: string) => void): Policy {
  const usable = proto === undefined ? schemes : allowedSchemes(proto, { allowed: schemes, all: schemes }, warn);
  // A redirect into a file would show a server what is on this machine: that must be said by name.
  const referable =
    protoRedir === undefined
      ? undefined
      : allowedSchemes(
          protoRedir,
          { allowed: referableByDefault, all: schemes.filter((name) => name !== 'file') },
          warn,
        );
  const standard = standardPolicy({
    allowedPorts: allowPorts,
    ...(referable && { referableSchemes: referable, referableFrom: {} }),
  });
  return {
    ...standard,
    url(question) {
      const { url, from } = question;
      if (schemes.includes(url.scheme) && !usable.includes(url.scheme)) return `--proto allows no ${url.scheme}: URL`;
      if (from && referable && !referable.includes(url.scheme)) return `--proto-redir allows no ${url.scheme}: URL`;
      return standard.url?.(question);
    },
    ...(ipFamily !== undefined && {
      address: ({ family }) => (family === ipFamily ? undefined : `-${ipFamily} allows IPv${ipFamily} addresses only`),
    }),
  };
}

const referableByDefault = ['http', 'https', 'ftp', 'ftps'];

function tlsFor({ insecure, cacert }: Settings): NonNullable<ClientOptions['tls']> {
  return {
    ...(insecure && { rejectUnauthorized: false }),
    ...(cacert !== undefined && { ca: certificates(cacert) }),
  };
}

function certificates(name: string): Buffer {
  try {
    return readFileSync(name);
  } catch (error) {
    throw new Failure(77, `cannot read the certificates in ${name}: ${(error as Error).message}`, error);
  }
}
