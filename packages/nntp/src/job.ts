/** What the parts of one retrieval from one server share. */
import type { Access, HeldLease, RetrievalRequest } from '@retriever/driver';
import type { NewsUrl, NntpUrl } from '@retriever/url';
import type { AskedAhead } from './ahead.ts';
import type { NewsServer } from './news-server.ts';
import type { NntpSettings } from './options.ts';
import type { NewsSession } from './session.ts';

export interface Job {
  readonly request: RetrievalRequest<NewsUrl | NntpUrl>;
  readonly server: NewsServer;
  readonly settings: NntpSettings;
  readonly access: Access;
  readonly lease: HeldLease<NewsSession>;
  /** Where the article was asked for before the lease came. */
  readonly ahead: AskedAhead | undefined;
}
