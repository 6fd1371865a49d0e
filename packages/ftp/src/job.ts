/** What the parts of one retrieval share. */
import type { Access, HeldLease, RetrievalRequest } from '@retriever/driver';
import type { FtpUrl } from '@retriever/url';
import type { FtpSettings } from './options.ts';
import type { Plan } from './plan.ts';
import type { FtpSession } from './session.ts';

export interface Job {
  readonly request: RetrievalRequest<FtpUrl>;
  readonly plan: Plan;
  readonly settings: FtpSettings;
  readonly access: Access;
  readonly lease: HeldLease<FtpSession>;
}
