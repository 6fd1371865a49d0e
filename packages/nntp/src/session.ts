/** A session with a news server, which outlives the retrieval that opened it, and what must be remembered of it. */
import { latin1Of, type Access, type Dial, type Session } from '@retriever/driver';
import { NewsConnection, type Answer, type Command } from './connection.ts';
import type { NewsServer } from './news-server.ts';
import type { NntpSettings } from './options.ts';
import { refusal } from './response.ts';
import { startTls } from './secure.ts';

export class NewsSession implements Session {
  readonly connection: NewsConnection;
  /** The newsgroup that GROUP selected, as latin1; undefined when none is, or nobody knows. */
  group: string | undefined;
  /** The one that will be selected when all that is due has come, if all goes well; as latin1. */
  groupAhead: string | undefined;
  /** Whether AUTHINFO was accepted. */
  authenticated = false;
  /** Whether AUTHINFO, though nobody asked for it, was answered that there is no such thing. */
  refusesLogin = false;
  /** Whether MODE READER was sent: once is enough (RFC 3977 §5.3). */
  askedForReader = false;
  /** What CAPABILITIES answered; undefined when it was not asked, or something changed since. */
  capabilities: Capabilities | undefined;

  constructor(connection: NewsConnection) {
    this.connection = connection;
  }

  get usable(): boolean {
    return this.connection.usable;
  }

  /** Sends one command and waits for its response. */
  command(...line: Command['line']): Promise<Answer> {
    this.connection.send({ line });
    return this.connection.response();
  }

  /** DATE, which every answer to, also 500, is a sign of life. */
  async keepAlive(): Promise<void> {
    await this.command('DATE');
  }

  close(): void {
    this.connection.close();
  }
}

/** Arguments by label in upper case (RFC 3977 §5.2); empty where the server does not know the command (RFC 977). */
export type Capabilities = ReadonlyMap<string, readonly string[]>;

/** Everything that makes two sessions differ. Holds the password: never shown. */
export function sessionKey(server: NewsServer, { tls }: Pick<NntpSettings, 'tls'>): string {
  const { host, port, implicitTls, user, password } = server;
  const login = [user, password].map((octets) => (octets === undefined ? null : latin1Of(octets)));
  return JSON.stringify(['nntp', host.toLowerCase(), port, implicitTls || tls, ...login]);
}

/** Connects, waits for the greeting, and secures. Nobody logs in before the server wants it. */
export async function openSession(
  server: NewsServer,
  settings: NntpSettings,
  dial: Dial,
  report: Access['report'],
): Promise<NewsSession> {
  const { host, port, implicitTls } = server;
  const socket = await dial.connect({ host, port, ...(implicitTls && { tls: { serverName: host } }) });
  const options = { host, maxLineBytes: settings.maxLineBytes };
  const plain = new NewsConnection(socket, options, report);
  const greeting = await plain.response();
  // 200: posting allowed, 201: not (RFC 3977 §5.1); an FTP or mail server says 220.
  if (greeting.code !== 200 && greeting.code !== 201) throw refusal(`the connection to ${host}`, greeting);
  if (implicitTls || settings.tls === 'never') return new NewsSession(plain);
  return new NewsSession(await startTls(plain, settings.tls, dial, options));
}
