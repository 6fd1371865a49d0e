/** What an error tells of the session it happened on. */
import { RetrievalError } from '@retriever/driver';
import type { WaisSession } from './session.ts';

/** Whether the session died under the request: worth another try if it had been idle. */
export const isDeadSession = (error: unknown, session: WaisSession): boolean =>
  error instanceof RetrievalError && error.code === 'incomplete' && !session.usable;
