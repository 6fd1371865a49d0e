/** A session with a WAIS server: after Init, any number of requests of any database, one after another. */
import { RetrievalError, type Access, type Dial, type Session } from '@retriever/driver';
import type { WaisUrl } from '@retriever/url';
import { WaisConnection } from './connection.ts';
import { initRequest, largestMessage, readInitResponse } from './init.ts';
import type { WaisSettings } from './options.ts';

export class WaisSession implements Session {
  readonly connection: WaisConnection;
  /** The longest reply the server sends, in octets. */
  readonly messageBytes: number;

  constructor(connection: WaisConnection, messageBytes: number) {
    this.connection = connection;
    this.messageBytes = messageBytes;
  }

  get usable(): boolean {
    return this.connection.usable;
  }

  close(): void {
    this.connection.close();
  }
}

const portOf = ({ port = 210 }: WaisUrl): number => port;

/** WAIS has no login: a session is for whoever talks to the server. */
export const sessionKey = (url: WaisUrl, { messageBytes, maxMessageBytes }: WaisSettings): string =>
  JSON.stringify(['wais', url.host.toLowerCase(), portOf(url), messageBytes, maxMessageBytes]);

export async function openSession(
  url: WaisUrl,
  settings: WaisSettings,
  dial: Dial,
  report: Access['report'],
): Promise<WaisSession> {
  const socket = await dial.connect({ host: url.host, port: portOf(url) });
  const { maxMessageBytes } = settings;
  const messageBytes = Math.min(settings.messageBytes, maxMessageBytes);
  const connection = new WaisConnection(socket, { host: url.host, maxMessageBytes }, report);
  return new WaisSession(connection, await agreedSize(connection, messageBytes));
}

/** What the server refuses here it does nevertheless: searching works after Result 0, and without Init altogether. */
async function agreedSize(connection: WaisConnection, wanted: number): Promise<number> {
  const reply = await connection.ask(initRequest(wanted), `Init for search, replies up to ${wanted} octets`);
  const assumed = Math.min(wanted, largestMessage);
  if (reply.length === 0) return assumed;
  const { accepted, messageBytes = assumed, server } = readInitResponse(reply);
  const agreed = Math.min(wanted, messageBytes);
  connection.received(
    `InitResponse ${accepted ? 'accepted' : 'not accepted'}, replies up to ${messageBytes} octets, ${server}`,
  );
  if (!accepted)
    connection.report({ type: 'note', text: `${connection.host} did not accept Init; searching all the same` });
  if (agreed > 0) return agreed;
  throw new RetrievalError('protocol', `${connection.host} would send replies of no octets at all`);
}
