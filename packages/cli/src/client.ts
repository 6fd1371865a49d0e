/** The client the settings ask for. */
import { readFileSync } from 'node:fs';
import {
  createClient,
  follow,
  limit,
  retry,
  standardPolicy,
  type Client,
  type ClientOptions,
  type Layer,
  type Policy,
  type TraceRecord,
} from '@retriever/client';
import { askForLogin } from './ask.ts';
import { askingOnce } from './asking-once.ts';
import { lazyDrivers } from './drivers.ts';
import { Failure } from './failure.ts';
import type { Settings } from './settings.ts';

/** curl's default. */
const defaultMaxRedirects = 50;

export interface ClientHooks {
  readonly trace?: (record: TraceRecord) => void;
  /** Wrapped around every hop, closest to the driver: sees references that are followed. */
  readonly hops: Layer;
}

/** Typed entries are best told by MLSD; a listing printed as it comes is for reading, as `ls -l` has it. */
function listCommand({ listOnly, json }: Settings): 'auto' | 'list' | 'nlst' {
  return listOnly ? 'nlst' : json ? 'auto' : 'list';
}

export function clientFor(settings: Settings, { trace, hops }: ClientHooks): Client {
  const { maxRedirects = defaultMaxRedirects, maxFilesize, connectTimeout, maxTime, ftpMethod, ftpAccount } = settings;
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
    policy: policyFor(settings),
    layers: [
      limit(maxFilesize === undefined ? {} : { maxBytes: maxFilesize }),
      follow({ maxReferences: maxRedirects < 0 ? Infinity : maxRedirects }),
      retry({
        attempts: settings.retry + 1,
        ...(settings.retryDelay !== undefined && {
          delay: settings.retryDelay * 1000,
          maxDelay: settings.retryDelay * 1000,
        }),
      }),
      hops,
    ],
    credentials: askingOnce(askForLogin),
    tls: tlsFor(settings),
    ...(settings.parallelMaxHost > 0 && { pool: { maxSessionsPerHost: settings.parallelMaxHost } }),
    timeouts: {
      ...(connectTimeout !== undefined && { connect: connectTimeout * 1000 }),
      ...(maxTime !== undefined && { total: Math.ceil(maxTime * 1000) }),
    },
    ...(trace && { trace }),
  });
}

function policyFor({ allowPorts, ipFamily }: Settings): Policy {
  const standard = standardPolicy({ allowedPorts: allowPorts });
  if (ipFamily === undefined) return standard;
  return {
    ...standard,
    address: ({ family }) => (family === ipFamily ? undefined : `-${ipFamily} allows IPv${ipFamily} addresses only`),
  };
}

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
