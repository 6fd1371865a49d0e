/**
 * Commands that need not wait for each other's replies.
 *
 * RFC 959 says nothing of pipelining. Most servers take it, but some embedded ones read one packet as one command and
 * then owe replies for ever, which cannot be told from slowness; so only software known to take it gets it.
 */
import type { FtpReply } from './reply.ts';
import type { FtpSession } from './session.ts';

/** Servers that were given USER to QUIT in one segment and answered every command. */
const known = /vsftpd|proftpd|pure-ftpd|inetutils/i;

export function takesPipelining(greeting: FtpReply): boolean {
  return known.test(greeting.text);
}

/** A command, and what its reply means: `heed` throws when the steps behind it are pointless. */
export interface Step {
  readonly command: readonly (string | Uint8Array)[];
  heed(reply: FtpReply): void;
}

/** Takes the steps in order, stopping at the first that fails; in one segment where the session allows it. */
export async function takeSteps(session: FtpSession, steps: readonly Step[]): Promise<void> {
  if (!session.pipelining) {
    for (const step of steps) step.heed(await session.control.command(...step.command));
    return;
  }
  const exchanges = session.control.together(() =>
    steps.map((step) => ({ step, exchange: session.control.send(...step.command) })),
  );
  let failure: { readonly error: unknown } | undefined;
  for (const { step, exchange } of exchanges) {
    // Every reply is waited for, so that the next command meets a session in order.
    const reply = await exchange.final;
    if (failure) continue;
    try {
      step.heed(reply);
    } catch (error) {
      failure = { error };
    }
  }
  if (failure) throw failure.error;
}
