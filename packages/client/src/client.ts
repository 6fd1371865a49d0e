/** The client: puts drivers, policy, access and layers together. It knows no scheme by name. */
import type { ConnectionOptions } from 'node:tls';
import { RetrievalError, type Driver, type RetrievalRequest } from '@retriever/driver';
import { defaultPort, isReserved, parse, redact, type Url } from '@retriever/url';
import { adopted, inTime } from './adopt.ts';
import { systemLookup, type Lookup } from './dialler.ts';
import { failureOf } from './failure.ts';
import type { Handler, Layer, LayerRequest, Retrieved } from './layer.ts';
import { standardPolicy, verdictOf, type Policy } from './policy.ts';
import { Scope, type CredentialsSource, type ScopeOptions } from './scope.ts';
import { SessionPool, type SessionPoolOptions } from './session-pool.ts';
import { Trace, type TraceRecord } from './trace.ts';

export interface ClientOptions {
  /** One for each scheme, in any order; of two for one scheme the first is used. */
  // oxlint-disable-next-line typescript/no-explicit-any -- drivers of all URL types stand side by side
  readonly drivers: readonly Driver<any>[];
  /** What may be retrieved and connected to. Default: {@link standardPolicy}. */
  readonly policy?: Policy;
  /** Wrapped around every retrieval, the first outermost. Default: none. */
  readonly layers?: readonly Layer[];
  /** Asked when a server wants a login that the URL does not give. Default: nobody is. */
  readonly credentials?: CredentialsSource;
  /** Called with every trace record. */
  readonly trace?: (record: TraceRecord) => void;
  /** Trust (`ca`), client certificates and versions for TLS. Default: the platform's. */
  readonly tls?: ConnectionOptions;
  readonly timeouts?: Timeouts;
  /** Limits of the session pool. */
  readonly pool?: SessionPoolOptions;
  /** Resolves host names. Default: the system's resolver. */
  readonly lookup?: Lookup;
}

/** All in milliseconds; 0 means no limit. */
export interface Timeouts {
  /** From the look-up to the connected and secured socket. Default 30,000. */
  readonly connect?: number;
  /** Silence of the peer while an answer or octets are due. Default 60,000. */
  readonly idle?: number;
  /** A retrieval in all, references and body included. Default 0. */
  readonly total?: number;
}

export interface RetrieveOptions extends Omit<RetrievalRequest, 'url'> {
  /** Hand out a reference instead of following it, whatever layers there are. Default false. */
  readonly keepReference?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with every trace record of this retrieval, after the client's own listener. */
  readonly onTrace?: ((record: TraceRecord) => void) | undefined;
  /** Milliseconds for the retrieval in all; overrides the client's `timeouts.total`. */
  readonly timeout?: number | undefined;
}

export interface Client extends AsyncDisposable {
  /** The schemes there are drivers for. */
  readonly schemes: readonly string[];
  /**
   * Retrieves what a URL locates. Resolves when it is known to exist, its body unread.
   *
   * @throws RetrievalError when that fails; UrlSyntaxError for text that is no URL; the signal's reason when it aborts.
   */
  retrieve(url: string | Url, options?: RetrieveOptions): Promise<Retrieved>;
  /** Ends idle sessions now and the others when they come back. */
  close(): void;
}

/**
 * Puts a client together.
 *
 * @example
 * const client = createClient({ drivers: [ftp(), gopher()], layers: [follow()] });
 * const retrieved = await client.retrieve('gopher://gopher.example/');
 */
export function createClient(options: ClientOptions): Client {
  const drivers = driversByScheme(options.drivers);
  const policy = options.policy ?? standardPolicy();
  const pool = new SessionPool(options.pool);
  const { connect: connectTimeout = 30_000, idle: idleTimeout = 60_000, total = 0 } = options.timeouts ?? {};
  const scopeOptions: ScopeOptions = {
    dialler: {
      policy,
      connectTimeout,
      tls: options.tls ?? {},
      lookup: options.lookup ?? systemLookup,
    },
    pool,
    credentials: options.credentials,
    trace: options.trace,
    idleTimeout,
  };
  const base: Handler = (request) => retrieveOnce(request, drivers, policy, scopeOptions);
  const handler = (options.layers ?? []).reduceRight((next, layer) => layer(next), base);
  return {
    schemes: [...drivers.keys()],
    async retrieve(input, { timeout = total, ...request } = {}) {
      const url = typeof input === 'string' ? parse(input) : input;
      const trace = new Trace(url, bothOf(options.trace, request.onTrace));
      const deadlineAt = timeout > 0 ? Date.now() + timeout : undefined;
      return handler({ ...request, url, deadlineAt, trace: (event) => trace.report(event) });
    },
    close: () => pool.close(),
    async [Symbol.asyncDispose]() {
      pool.close();
    },
  };
}

type TraceListener = ((record: TraceRecord) => void) | undefined;

/** One hop: policy, then the driver in a scope of its own. */
async function retrieveOnce(
  request: LayerRequest,
  drivers: ReadonlyMap<string, Driver>,
  policy: Policy,
  options: ScopeOptions,
): Promise<Retrieved> {
  const { url, signal, deadlineAt, credentials, onTrace } = request;
  signal?.throwIfAborted();
  const driver = drivers.get(url.scheme);
  if (!driver) throw noDriver(url, drivers);
  const scope = new Scope(onTrace ? { ...options, trace: bothOf(options.trace, onTrace) } : options, {
    url,
    signal,
    deadlineAt,
    secrets: [credentials?.password],
  });
  try {
    await requireAdmitted(request, driver, policy, scope.signal);
    scope.waitForPeer();
    const retrieval = await inTime(driver.retrieve(request, scope.access), scope);
    scope.waitForCaller();
    return adopted(retrieval, scope);
  } catch (error) {
    scope.end();
    throw scope.failure(error);
  }
}

/** A listener that tells both, where there are two. */
function bothOf(first: TraceListener, second: TraceListener): TraceListener {
  if (!first || !second) return first ?? second;
  return (record) => {
    first(record);
    second(record);
  };
}

/** @throws RetrievalError `policy` when the URL is objected to. */
async function requireAdmitted(
  { url, from }: LayerRequest,
  { schemes }: Driver,
  policy: Policy,
  signal: AbortSignal,
): Promise<void> {
  const ownPorts = schemes.flatMap((scheme) => defaultPort(scheme) ?? []);
  const objection = await verdictOf(policy.url?.({ url, from, ownPorts }), signal);
  if (objection !== undefined) throw new RetrievalError('policy', `not allowed: ${objection}`);
}

function driversByScheme(drivers: readonly Driver[]): Map<string, Driver> {
  const byScheme = new Map<string, Driver>();
  for (const driver of drivers)
    for (const scheme of driver.schemes) if (!byScheme.has(scheme)) byScheme.set(scheme, driver);
  return byScheme;
}

function noDriver(url: Url, drivers: ReadonlyMap<string, Driver>): unknown {
  const known = [...drivers.keys()].map((scheme) => `${scheme}:`).join(' ');
  const why = isReserved(url.scheme)
    ? `${url.scheme}: is reserved by RFC 1738 §4, which gives it no meaning; a gateway can`
    : `no driver for ${url.scheme}: URLs`;
  return failureOf(new RetrievalError('unsupported', `${why} (${redact(url)}); there are drivers for ${known}`), url);
}
