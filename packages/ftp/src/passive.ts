/** Data connections, passive only: EPSV (RFC 2428 §3), then PASV (RFC 959 §4.1.2). */
import { RetrievalError, type BodySource, type Dial } from '@retriever/driver';
import type { Step } from './pipelining.ts';
import { isComplete, refusal, wordsOf, type FtpReply } from './reply.ts';
import type { FtpSession } from './session.ts';

/** A data port that was asked for along with other commands: good for one data connection, and until the next is asked for. */
export interface PortOffer {
  reply?: FtpReply;
}

/** EPSV or PASV behind other steps, where that costs no round trip of its own; else `openData` asks when it is due. */
export function offerStep(session: FtpSession, offer: PortOffer): Step[] {
  if (!session.pipelining) return [];
  return [{ command: [passiveVerb(session)], heed: (reply) => void (offer.reply = reply) }];
}

/**
 * Opens a data connection. EPSV comes first; PASV also when the server's EPSV port cannot be reached, and from then on.
 *
 * Only the port is the server's to say: the address is the control connection's own (RFC 2577 §3; many servers behind
 * address translation announce one that nobody can reach).
 */
export async function openData(
  session: FtpSession,
  dial: Pick<Dial, 'connectForBody'>,
  offer: PortOffer = {},
): Promise<BodySource> {
  const { control, epsv } = session;
  const verb = passiveVerb(session);
  const reply = offer.reply ?? (await control.command(verb));
  if (isComplete(reply)) {
    try {
      return await connectData(session, dial, portIn(reply));
    } catch (error) {
      if (!epsv || isFinal(error)) throw error;
      control.report({ type: 'note', text: `no data connection by EPSV (${String(error)}); trying PASV` });
    }
  } else if (!epsv || reply.code === 421) {
    throw refusal(`${verb} at ${control.host}`, reply);
  }
  session.epsv = false;
  return openData(session, dial);
}

const passiveVerb = ({ epsv }: FtpSession): 'EPSV' | 'PASV' => (epsv ? 'EPSV' : 'PASV');

function connectData(
  { control, secured }: FtpSession,
  dial: Pick<Dial, 'connectForBody'>,
  port: number,
): Promise<BodySource> {
  return dial.connectForBody({
    host: control.host,
    port,
    beside: control.socket,
    ...(secured && { tls: { resume: control.socket, serverName: control.host } }),
  });
}

/** What PASV would not make better. */
const isFinal = (error: unknown): boolean =>
  !(error instanceof RetrievalError) || error.code === 'policy' || error.code === 'protocol' || error.code === 'limit';

const extended = /\(([!-~])\1\1(\d{1,6})\1\)/;
const classic = /(\d{1,3}),(\d{1,3}),(\d{1,3}),(\d{1,3}),(\d{1,3}),(\d{1,3})/;

/** The port in a 229 or 227 reply; either may answer either command. */
export function portIn(reply: FtpReply): number {
  const words = wordsOf(reply);
  const [, , text] = extended.exec(words) ?? [];
  const numbers = classic.exec(words)?.slice(1).map(Number);
  const port = text === undefined ? passivePort(numbers) : Number(text);
  if (port === undefined || port === 0 || port > 65_535) {
    throw new RetrievalError(
      'protocol',
      `no port in the reply to EPSV or PASV: ${reply.code} ${reply.text.slice(0, 80)}`,
      { reply },
    );
  }
  // A privileged port is somebody's service, not a data connection: a server must not make us talk to it.
  if (port < 1024)
    throw new RetrievalError(
      'policy',
      `the server wants a data connection to port ${port}; ports below 1024 are refused`,
      { reply },
    );
  return port;
}

function passivePort(numbers: readonly number[] | undefined): number | undefined {
  if (!numbers || numbers.some((number) => number > 255)) return undefined;
  const [high = 0, low = 0] = numbers.slice(4);
  return 256 * high + low;
}
