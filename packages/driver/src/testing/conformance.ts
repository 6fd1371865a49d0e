/**
 * What every driver must do, whatever its protocol. Knows no test runner: it yields named checks that throw.
 *
 * @example
 * for (const check of driverConformance({ driver: finger(), url, serve, kind: 'content', octets })) test(check.name, check.run);
 */
import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict';
import { inspect } from 'node:util';
import { parse } from '@retriever/url';
import type { Driver, RetrievalRequest } from '../driver.ts';
import type { Retrieval } from '../retrieval.ts';
import { RetrievalError } from '../retrieval-error.ts';
import { scriptedPeer, type PeerScript, type ScriptedPeer } from './scripted-peer.ts';
import { testAccess, type TestAccess } from './test-access.ts';

/** One resource of a driver and how a peer serves it. */
export interface ConformanceCase {
  // oxlint-disable-next-line typescript/no-explicit-any -- a driver of any URL type can be checked
  readonly driver: Driver<any>;
  /** The resource's URL at the peer. */
  url(peer: { readonly host: string; readonly port: number }): string;
  /** Serves the resource on one connection. Leave out only for a driver that connects to nobody. */
  readonly serve?: PeerScript;
  /** Serves it but breaks off early in the body: the driver must fail the body. */
  readonly serveShort?: PeerScript;
  /** A URL that would smuggle a line end into the protocol: the driver must refuse it and send nothing. */
  readonly hostileUrl?: (peer: { readonly host: string; readonly port: number }) => string;
  readonly kind: Retrieval['kind'];
  /** The body, for `content`. */
  readonly octets?: Uint8Array;
  /** The entries' names, for `listing`. */
  readonly names?: readonly string[];
}

export interface ConformanceCheck {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** The checks for one case, each with a fresh peer. */
export function driverConformance(subject: ConformanceCase): ConformanceCheck[] {
  const { driver, serve, serveShort, hostileUrl } = subject;
  const checks: ConformanceCheck[] = [
    {
      name: 'names its schemes in lower case (RFC 1738 §2.1)',
      run: async () => schemesAreNamed(driver),
    },
    { name: `retrieves a ${subject.kind}`, run: () => retrieves(subject) },
    { name: 'does nothing once aborted', run: () => staysAway(subject) },
  ];
  if (serve) {
    checks.push(
      {
        name: 'understands a peer that sends octet by octet',
        run: () => retrieves(subject, { octetByOctet: true }),
      },
      {
        name: 'fails at once when aborted while the peer is silent',
        run: () => abandonsSilence(subject),
      },
      {
        name: 'leaves no connection open when its body is cancelled',
        run: () => closesOnCancel(subject, serve),
      },
      { name: 'fails when the peer closes without a word', run: () => failsOnEmptyPeer(subject) },
      {
        name: 'fails, and not for ever, when the peer sends noise',
        run: () => survivesNoise(subject),
      },
    );
  }
  if (serveShort)
    checks.push({
      name: 'fails a body that ends short',
      run: () => failsShortBody(subject, serveShort),
    });
  if (hostileUrl) {
    checks.push({
      name: 'refuses CR and LF before a byte is sent (RFC 1738 §6)',
      run: () => refusesInjection(subject, hostileUrl),
    });
  }
  return checks;
}

interface Scene extends AsyncDisposable {
  readonly peer: ScriptedPeer;
  readonly access: TestAccess;
  retrieve(): Promise<Retrieval>;
}

const silence: PeerScript = (connection) => connection.closed();

async function scene(
  subject: ConformanceCase,
  script: PeerScript = silence,
  options?: { octetByOctet?: boolean; signal?: AbortSignal; url?: string },
): Promise<Scene> {
  const peer = await scriptedPeer(script, { octetByOctet: options?.octetByOctet ?? false });
  const access = testAccess(options?.signal ? { signal: options.signal } : {});
  const url = parse(options?.url ?? subject.url(peer));
  return {
    peer,
    access,
    retrieve: () => subject.driver.retrieve({ url } satisfies RetrievalRequest, access),
    async [Symbol.asyncDispose]() {
      access.close();
      await peer[Symbol.asyncDispose]();
    },
  };
}

function schemesAreNamed(driver: Driver): void {
  ok(driver.schemes.length > 0, 'no schemes');
  for (const scheme of driver.schemes) ok(/^[a-z0-9+.-]+$/.test(scheme), `not a lower-case scheme: ${scheme}`);
}

async function retrieves(subject: ConformanceCase, options?: { octetByOctet: boolean }): Promise<void> {
  await using stage = await scene(subject, subject.serve, options);
  const retrieval = await stage.retrieve();
  strictEqual(retrieval.kind, subject.kind);
  if (retrieval.kind === 'content' && subject.octets) {
    deepStrictEqual(Buffer.from(await retrieval.body.bytes()), Buffer.from(subject.octets));
  }
  if (retrieval.kind === 'listing' && subject.names) {
    const names: string[] = [];
    for await (const entry of retrieval.entries) names.push(entry.name);
    deepStrictEqual(names, subject.names);
  }
}

async function staysAway(subject: ConformanceCase): Promise<void> {
  const signal = AbortSignal.abort();
  await using stage = await scene(subject, subject.serve, { signal });
  if (subject.kind === 'service' || subject.kind === 'mailbox') return;
  await rejects(stage.retrieve(), (error) => error === signal.reason);
  strictEqual(stage.peer.connections, 0);
}

async function abandonsSilence(subject: ConformanceCase): Promise<void> {
  const controller = new AbortController();
  await using stage = await scene(subject, silence, { signal: controller.signal });
  const failure = rejects(drain(stage.retrieve()), (error) => error === controller.signal.reason);
  setTimeout(() => controller.abort(), 20);
  await failure;
  await stage.peer.drained();
}

async function closesOnCancel(subject: ConformanceCase, serve: PeerScript): Promise<void> {
  await using stage = await scene(subject, serve);
  const retrieval = await stage.retrieve();
  if ('body' in retrieval) await retrieval.body?.cancel();
  for (const session of stage.access.idle.values()) session.close();
  for (const socket of stage.access.sockets) ok(socket.destroyed || socket.writableEnded, 'a socket was left open');
}

async function failsOnEmptyPeer(subject: ConformanceCase): Promise<void> {
  await using stage = await scene(subject, async () => undefined);
  const error = await failureOf(drain(stage.retrieve()));
  // A protocol without a reply (gopher) cannot tell an empty body from a dropped one; it may succeed with nothing.
  if (error !== undefined) ok(error instanceof RetrievalError, `not a RetrievalError: ${inspect(error)}`);
}

async function survivesNoise(subject: ConformanceCase): Promise<void> {
  await using stage = await scene(subject, async (connection) => {
    for (let n = 0; n < 64; n += 1) await connection.send(new Uint8Array(1024).fill(0xff));
  });
  const error = await failureOf(drain(stage.retrieve()));
  if (error !== undefined) ok(error instanceof RetrievalError, `not a RetrievalError: ${inspect(error)}`);
}

async function failsShortBody(subject: ConformanceCase, serveShort: PeerScript): Promise<void> {
  await using stage = await scene(subject, serveShort);
  const error = await failureOf(drain(stage.retrieve()));
  ok(error instanceof RetrievalError, `a short body passed for a whole one: ${inspect(error)}`);
}

async function refusesInjection(
  subject: ConformanceCase,
  hostileUrl: NonNullable<ConformanceCase['hostileUrl']>,
): Promise<void> {
  await using peer = await scriptedPeer(hangsUp);
  await using stage = await scene(subject, silence, { url: hostileUrl(peer) });
  await rejects(drain(stage.retrieve()), (error) => error instanceof RetrievalError && error.code === 'policy');
  strictEqual(peer.received, '');
}

/** Says nothing and closes soon, so that a driver that wrongly speaks to it fails instead of waiting for ever. */
const hangsUp: PeerScript = async (connection) => {
  await Promise.race([connection.line().catch(() => undefined), new Promise((resolve) => setTimeout(resolve, 50))]);
};

/** Reads whatever there is to read, to the end. */
async function drain(retrieving: Promise<Retrieval>): Promise<void> {
  const retrieval = await retrieving;
  if (retrieval.kind === 'listing') for await (const _ of retrieval.entries);
  else if ('body' in retrieval) await retrieval.body?.pipeTo(() => undefined);
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    return error;
  }
}
