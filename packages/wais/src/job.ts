/** What the parts of one retrieval share. */
import { textOf, type Access, type HeldLease, type RetrievalRequest } from '@retriever/driver';
import type { WaisUrl } from '@retriever/url';
import type { WaisSettings } from './options.ts';
import type { WaisSession } from './session.ts';

export interface Job {
  readonly request: RetrievalRequest<WaisUrl>;
  readonly settings: WaisSettings;
  readonly access: Access;
  readonly lease: HeldLease<WaisSession>;
}

export const databaseOf = ({ request }: Job): Uint8Array => request.url.octets.database;

/** The database as errors and traces name it. */
export const shownDatabase = (job: Job): string => JSON.stringify(textOf(databaseOf(job)));

export function note({ access }: Job, text: string): void {
  access.report({ type: 'note', text });
}
