/** What an error tells of the session it happened on. */
import { RetrievalError } from '@retriever/driver';
import type { FtpSession } from './session.ts';

/** After a mere refusal, the server's or ours, the session goes on; after anything else nobody knows what it is about to say. */
export function leavesInOrder(error: unknown): boolean {
  if (!(error instanceof RetrievalError)) return false;
  if (error.code === 'range' || error.code === 'unsupported') return true;
  return error.reply !== undefined && error.reply.code >= 400 && error.reply.code !== 421;
}

/** Whether the session died under the request: worth another try if it had been idle. */
export function isDeadSession(error: unknown, session: FtpSession): boolean {
  if (!(error instanceof RetrievalError)) return false;
  if (error.reply?.code === 421) return true;
  return !session.usable && (error.code === 'incomplete' || error.code === 'protocol');
}
