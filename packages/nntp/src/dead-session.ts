/** What an error tells of the session it happened on. */
import { RetrievalError } from '@retriever/driver';
import type { NewsSession } from './session.ts';

/** Whether the session died under the request (400: the server ends it, RFC 3977 §3.2.1): worth another try if it had been idle. */
export function isDeadSession(error: unknown, session: NewsSession): boolean {
  if (!(error instanceof RetrievalError) || session.usable) return false;
  return error.code === 'incomplete' || error.code === 'protocol' || error.reply?.code === 400;
}
