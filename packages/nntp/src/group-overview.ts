/** Listing a newsgroup: GROUP, then OVER, else XOVER (RFC 2980 §2.8), else the heads of its articles. */
import { RetrievalError, textOf, type Listing, type Metadata } from '@retriever/driver';
import { groupSpan } from './article-number.ts';
import { capabilitySteps } from './capabilities.ts';
import type { Answer } from './connection.ts';
import { converse, converseAsReader, groupStep, groupSteps, sequence } from './converse.ts';
import { articleUrls } from './entry-url.ts';
import { pumpHeads } from './heads.ts';
import type { Job } from './job.ts';
import { emptyListing, listingOf } from './listing.ts';
import { overviewEntry } from './overview.ts';
import { isDone, isUnknownCommand, refusal } from './response.ts';
import { boundedSink, sessionBody } from './session-body.ts';
import type { ArticleRange, Wish } from './wish.ts';

export type GroupWish = Extract<Wish, { kind: 'group' }>;

/** @throws RetrievalError when there is no such group; the lease is the caller's to end then. */
export async function listArticles(job: Job, { group, range }: GroupWish): Promise<Listing> {
  const selected = await converseAsReader(job, () =>
    // Though the group may be in force, its numbers may be old.
    sequence(job, [...capabilitySteps(job), groupStep(job.lease.session, group)]),
  );
  if (!isDone(selected)) throw refusal(`GROUP ${textOf(group)} at ${job.server.host}`, selected);
  const metadata: Metadata = { reply: { code: selected.code, text: selected.text } };
  const wanted = range ?? wholeGroup(job, selected);
  if (!wanted || job.request.metadataOnly) return nothing(job, metadata);
  const overview = await startOverview(job, group, wanted);
  if (overview === 'empty') return nothing(job, metadata);
  const { maxListingBytes } = job.settings;
  const body = sessionBody(job, (sink) => {
    const bounded = boundedSink(sink, maxListingBytes);
    return overview === 'none' ? pumpHeads(job, group, wanted, bounded) : overview.pump(bounded);
  });
  const urlOf = articleUrls(job.request.url);
  return listingOf(body, metadata, (line) => overviewEntry(line, urlOf), job.settings);
}

function nothing({ lease }: Job, metadata: Metadata): Listing {
  lease.end();
  return emptyListing(metadata);
}

/** All that GROUP tells of; undefined for an empty group, of whose forms RFC 3977 §6.1.1.2 has three. */
function wholeGroup({ server }: Job, selected: Answer): ArticleRange | undefined {
  const span = groupSpan(selected.words);
  if (!span) {
    throw new RetrievalError(
      'protocol',
      `GROUP at ${server.host} was answered 211 without numbers: ${selected.text.slice(0, 80)}`,
    );
  }
  const { count, low, high } = span;
  return count === 0n || high < low ? undefined : { low: `${low}`, high: `${high}` };
}

/** The overview's text; `empty`: no article has such a number; `none`: the server has no overview. */
async function startOverview(
  job: Job,
  group: Uint8Array,
  { low, high = '' }: ArticleRange,
): Promise<NonNullable<Answer['block']> | 'empty' | 'none'> {
  for (const verb of verbs(job)) {
    const line = [`${verb} ${low}-${high}`];
    const answer = await converse(job, () => sequence(job, [...groupSteps(job, group), { line, textAfter: 224 }]));
    if (answer.block) return answer.block;
    if (answer.code === 420 || answer.code === 423) return 'empty';
    if (!isUnknownCommand(answer)) throw refusal(`${line[0]} at ${job.server.host}`, answer);
  }
  return 'none';
}

function verbs({ settings, lease }: Job): readonly string[] {
  if (settings.overview === 'head') return [];
  if (settings.overview !== 'auto') return [settings.overview.toUpperCase()];
  return lease.session.capabilities?.has('OVER') ? ['OVER', 'XOVER'] : ['XOVER'];
}
