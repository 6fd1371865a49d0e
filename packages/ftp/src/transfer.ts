/** One transfer: a data connection, the command that fills it, and the proof that all of it came. */
import { RetrievalError, type BodySink, type BodySource, type Dial } from '@retriever/driver';
import type { Exchange } from './control-connection.ts';
import { openData, type PortOffer } from './passive.ts';
import { isComplete, refusal, type FtpReply } from './reply.ts';
import type { FtpSession } from './session.ts';

export interface Transfer {
  /** The command and the host, for errors. */
  readonly what: string;
  readonly data: BodySource;
  readonly exchange: Exchange;
  /** The reply that announced the data: 150, 125, or a server in a hurry's 226. */
  readonly opening: FtpReply;
  /** The offset that the server agreed to with REST; else 0. */
  readonly start: number;
}

export interface TransferCommand {
  readonly command: readonly (string | Uint8Array)[];
  /** The command as text, for errors. */
  readonly what: string;
  /** Octets to skip; only in image type. */
  readonly restart?: number | undefined;
  /** The data port, if it was asked for before. */
  readonly offer?: PortOffer | undefined;
}

/** @throws RetrievalError when the server refuses the command; the session is in order then. */
export async function startTransfer(
  session: FtpSession,
  dial: Pick<Dial, 'connectForBody'>,
  { command, what, restart = 0, offer }: TransferCommand,
): Promise<Transfer> {
  const { control } = session;
  const data = await openData(session, dial, offer);
  try {
    // BSD servers forget a REST that comes before EPSV, and then send the whole file.
    const rest = restart > 0 ? control.send(`REST ${restart}`) : undefined;
    if (!session.pipelining) await rest?.final;
    const exchange = control.send(...command);
    const start = (await rest?.final)?.code === 350 ? restart : 0;
    const opening = await exchange.first;
    if (opening.code >= 300) throw refusal(`${what} at ${control.host}`, opening);
    return { what: `${what} at ${control.host}`, data, exchange, opening, start };
  } catch (error) {
    data.destroy();
    throw error;
  }
}

/** What makes a transfer complete besides its end and its 2yz. */
export interface Completeness {
  /** The numbers of octets, each of which is right; none: nobody told. */
  readonly sizes: readonly number[];
  /** Stop after this many octets, though more would come. */
  readonly stopAfter?: number | undefined;
  /** More octets than this are an error. */
  readonly maxBytes?: number | undefined;
}

/**
 * Pushes the data into the sink. Resolves with whether the session is in order afterwards.
 *
 * Complete means all of: the data connection ended, the server said 2yz, and the count is as announced.
 *
 * @throws RetrievalError `incomplete` otherwise.
 */
export async function pumpTransfer(
  { what, data, exchange }: Transfer,
  sink: BodySink,
  { sizes, stopAfter, maxBytes }: Completeness,
): Promise<boolean> {
  const most = Math.min(maxBytes ?? Infinity, sizes.length > 0 ? Math.max(...sizes) : Infinity);
  let count = 0;
  const take = (chunk: Uint8Array): void | Promise<void> => {
    if (stopAfter !== undefined && count + chunk.length >= stopAfter)
      return lastOf(chunk.subarray(0, stopAfter - count), sink);
    count += chunk.length;
    if (count > most) throw tooMuch(what, most, maxBytes);
    return sink(chunk);
  };
  let grace: NodeJS.Timeout | undefined;
  let over = false;
  // A server that gave up may leave the data connection open: only what is on its way there is worth waiting for.
  exchange.final.then(
    (reply) => {
      if (!isComplete(reply) && !over) grace = setTimeout(() => data.destroy(), graceMs);
    },
    () => undefined,
  );
  try {
    await data.pump(take);
  } catch (error) {
    data.destroy();
    if (error === reachedEnd) return false;
    if (!(error instanceof RetrievalError) || error.code !== 'incomplete') throw error;
    await final(what, exchange, count);
    throw error;
  } finally {
    over = true;
    clearTimeout(grace);
  }
  // ProFTPD sends its 226 only after the client closed the data connection.
  data.destroy();
  await final(what, exchange, count);
  if (sizes.length > 0 && !sizes.includes(count)) {
    throw new RetrievalError(
      'incomplete',
      `${what} brought ${count} octets where ${sizes.join(' or ')} were announced; try again`,
    );
  }
  return true;
}

/** Milliseconds that octets sent before a refusal have to arrive. */
const graceMs = 1000;

/** What a range's last octet ends: not the server's idea, so the session is not in order. */
const reachedEnd = new Error('the end of the range was reached');

async function lastOf(chunk: Uint8Array, sink: BodySink): Promise<void> {
  await sink(chunk);
  throw reachedEnd;
}

function tooMuch(what: string, most: number, maxBytes: number | undefined): RetrievalError {
  if (most === maxBytes) return new RetrievalError('limit', `${what} brought more than ${maxBytes} octets`);
  return new RetrievalError('protocol', `${what} brought more than the ${most} octets that were announced; try again`, {
    temporary: true,
  });
}

/** Waits for the proof. 4yz and 552 say that the body ended short (RFC 959 §4.2.2), and so does anything else behind octets. */
async function final(what: string, exchange: Exchange, count: number): Promise<void> {
  const reply = await finalReply(what, exchange, count);
  if (isComplete(reply)) return;
  if (reply.code >= 500 && reply.code !== 552 && count === 0) throw refusal(what, reply);
  throw new RetrievalError('incomplete', `${what} ended after ${count} octets: ${reply.code} ${reply.text}`, {
    reply: { code: reply.code, text: reply.text },
    temporary: reply.code < 500,
  });
}

async function finalReply(what: string, exchange: Exchange, count: number): Promise<FtpReply> {
  try {
    return await exchange.final;
  } catch (error) {
    if (!(error instanceof RetrievalError) || error.code !== 'incomplete') throw error;
    throw new RetrievalError(
      'incomplete',
      `${what}: ${count} octets came, but the server never said that this is all: ${error.message}`,
      { cause: error },
    );
  }
}
