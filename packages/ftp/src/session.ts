/** A login that outlives the retrieval that opened it (RFC 1738 §3.2.5), and what must be remembered of it. */
import type { Access, Dial, Session } from '@retriever/driver';
import type { FtpUrl } from '@retriever/url';
import { ControlConnection } from './control-connection.ts';
import type { Identity } from './identity.ts';
import { identityKey, login } from './login.ts';
import type { FtpSettings } from './options.ts';
import { takesPipelining } from './pipelining.ts';
import { isComplete, refusal, type FtpReply } from './reply.ts';
import { authTls, protectData } from './secure.ts';

export class FtpSession implements Session {
  readonly control: ControlConnection;
  /** Whether data connections are secured. */
  readonly secured: boolean;
  /** Whether commands may be sent before the replies to earlier ones came. */
  readonly pipelining: boolean;
  /** The segments given to CWD since login, in order; undefined when a failure left it in doubt. */
  directories: readonly Uint8Array[] | undefined = [];
  /** The answer to PWD at login; null when the server gave none that is absolute; undefined when it was not asked. */
  home: Uint8Array | null | undefined;
  /** The TYPE in force. RFC 959 §5.1: A at first; not relied upon. */
  type: 'A' | 'I' | undefined;
  /** What FEAT offers, in upper case; undefined when it was not asked. */
  features: ReadonlySet<string> | undefined;
  /** Whether EPSV is worth a try. */
  epsv: boolean;
  /** Commands that the server does not know. */
  readonly unknown: Set<string> = new Set();

  constructor(
    control: ControlConnection,
    options: { readonly secured: boolean; readonly pipelining: boolean; readonly epsv: boolean },
  ) {
    this.control = control;
    this.secured = options.secured;
    this.pipelining = options.pipelining;
    this.epsv = options.epsv;
  }

  get usable(): boolean {
    return this.control.usable;
  }

  async keepAlive(): Promise<void> {
    const reply = await this.control.command('NOOP');
    if (reply.code === 421) throw refusal(`NOOP at ${this.control.host}`, reply);
  }

  close(): void {
    this.control.close();
  }
}

export interface SessionTarget {
  readonly url: FtpUrl;
  readonly identity: Identity;
  readonly settings: FtpSettings;
}

const portOf = (url: FtpUrl): number => url.port ?? (url.scheme === 'ftps' ? 990 : 21);

/** Everything that makes two sessions differ. Holds the password: never shown. */
export function sessionKey({ url, identity, settings }: SessionTarget): string {
  return JSON.stringify([
    url.scheme,
    url.host.toLowerCase(),
    portOf(url),
    settings.tls,
    settings.account ?? null,
    settings.method,
    ...identityKey(identity),
  ]);
}

/** Connects, secures and logs in. */
export async function openSession(
  target: SessionTarget,
  dial: Dial,
  access: Pick<Access, 'credentials' | 'report'>,
): Promise<FtpSession> {
  const { url, identity, settings } = target;
  const implicit = url.scheme === 'ftps';
  const port = portOf(url);
  const options = { ...settings, host: url.host };
  const report = (event: Parameters<Access['report']>[0]): void => access.report(event);
  const socket = await dial.connect({ host: url.host, port, ...(implicit && { tls: { serverName: url.host } }) });
  const plain = new ControlConnection(socket, options, report);
  const greeting = await greet(plain);
  const control = implicit || settings.tls === 'never' ? plain : await authTls(plain, settings.tls, dial, options);
  const pipelining = settings.pipelining === 'auto' ? takesPipelining(greeting) : settings.pipelining;
  await login(control, {
    identity,
    pipelining,
    account: settings.account,
    scheme: url.scheme,
    port,
    credentials: (realm) => access.credentials(realm),
  });
  const secured = (implicit || control !== plain) && (await protectData(control, !implicit && settings.tls === 'try'));
  return new FtpSession(control, { secured, pipelining, epsv: settings.epsv });
}

async function greet(control: ControlConnection): Promise<FtpReply> {
  // 120: ready in nnn minutes; 220 follows (RFC 959 §5.4).
  const reply = await control.greeting().final;
  if (!isComplete(reply)) throw refusal(`the connection to ${control.host}`, reply);
  return reply;
}
