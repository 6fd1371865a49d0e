/** Listing newsgroups: LIST COUNTS (RFC 6048 §3) or LIST ACTIVE, with the descriptions of LIST NEWSGROUPS (RFC 3977 §7.6). */
import { latin1Of, LineReader, textOf, type Entry, type Listing } from '@retriever/driver';
import { numberOf } from './article-number.ts';
import type { Block } from './block.ts';
import { capabilitySteps } from './capabilities.ts';
import type { Answer, Command } from './connection.ts';
import { converse, modeReader, sequence, type Step } from './converse.ts';
import { displayText, plainText } from './display-text.ts';
import { groupUrls } from './entry-url.ts';
import type { Job } from './job.ts';
import { emptyListing, listingOf } from './listing.ts';
import { logInUnasked } from './login.ts';
import { isUnknownCommand, refusal } from './response.ts';
import { boundedSink, sessionBody } from './session-body.ts';

/** Descriptions by group; both latin1, one character an octet. */
type Descriptions = ReadonlyMap<string, string>;

/** @param wildmat Which groups; undefined: all. */
export async function listGroups(job: Job, wildmat: Uint8Array | undefined): Promise<Listing> {
  await becomeReader(job);
  if (job.request.metadataOnly) {
    job.lease.end();
    return emptyListing({});
  }
  const descriptions = new Map<string, string>();
  const answer = await startList(job, wildmat, descriptions);
  const { block } = answer;
  if (!block) throw refusal(`LIST at ${job.server.host}`, answer);
  const body = sessionBody(job, (sink) => block.pump(boundedSink(sink, job.settings.maxListingBytes)));
  const urlOf = groupUrls(job.request.url);
  const metadata = { reply: { code: answer.code, text: answer.text } };
  return listingOf(body, metadata, (line) => groupEntry(line, descriptions, urlOf), job.settings);
}

/** Which groups there are may depend on the mode and on the login: nothing would tell that some are missing. */
async function becomeReader(job: Job): Promise<void> {
  const { session } = job.lease;
  const steps = capabilitySteps(job);
  if (steps.length > 0) await converse(job, () => sequence(job, steps));
  // RFC 3977 §5.2.2: MODE-READER means that MODE READER must be sent.
  if (session.capabilities?.has('MODE-READER') && !session.askedForReader) await modeReader(job);
  await logInUnasked(job);
  const again = capabilitySteps(job);
  if (again.length > 0) await sequence(job, again);
}

/** Reads the descriptions, and returns the answer whose text is the list of groups. */
async function startList(job: Job, wildmat: Uint8Array | undefined, into: Map<string, string>): Promise<Answer> {
  const argument = wildmat ? [' ', wildmat] : [];
  const offers = job.lease.session.capabilities?.get('LIST');
  const variants = [
    ...(offers?.includes('COUNTS') ? ['LIST COUNTS'] : []),
    'LIST ACTIVE',
    ...(wildmat ? [] : ['LIST']),
  ];
  let described = false;
  let answer: Answer | undefined;
  for (const variant of variants) {
    const list: Step = { line: [variant, ...argument], textAfter: 215 };
    const describe = descriptionStep(job, ['LIST NEWSGROUPS', ...argument], into);
    answer = await converse(job, () => sequence(job, described ? [list] : [describe, list]));
    described = true;
    if (!isUnknownCommand(answer)) break;
  }
  if (!answer) throw new TypeError('no variant of LIST');
  return answer;
}

/** LIST NEWSGROUPS, which not every server has. */
function descriptionStep({ settings, access }: Job, line: Command['line'], into: Map<string, string>): Step {
  return {
    line,
    textAfter: 215,
    optional: true,
    async heed({ block }) {
      into.clear();
      if (
        block &&
        !(await readDescriptions(block, settings.maxDescriptionBytes, settings.maxOverviewLineBytes, into))
      ) {
        access.report({ type: 'note', text: 'some descriptions of groups are left out: there are too many' });
      }
    },
  };
}

/** Returns whether all of them were kept. */
async function readDescriptions(
  block: Block,
  maxBytes: number,
  maxLineBytes: number,
  into: Map<string, string>,
): Promise<boolean> {
  const lines = new LineReader(block, { maxLineBytes });
  let count = 0;
  for (let line = await lines.line(); line; line = await lines.line()) {
    count += line.length;
    if (count > maxBytes) continue;
    // A tab by RFC 3977 §7.6.2; sn sends a space.
    const [, name, description] = /^([^\s]+)\s+(.*)$/.exec(latin1Of(line)) ?? [];
    if (name !== undefined && description !== undefined) into.set(name, description);
  }
  return count <= maxBytes;
}

/**
 * `group high low status` (RFC 3977 §7.6.3), or `group high low count status` (RFC 6048 §3.2).
 *
 * Facts: `low`, `high`, `count` where the server counts, `status` (`y` posting allowed, `n` not, `m` moderated, …) and
 * `description`.
 */
export function groupEntry(
  line: Uint8Array,
  descriptions: Descriptions,
  urlOf: (name: Uint8Array) => string | undefined,
): Entry {
  const [name = '', high, low, ...rest] = latin1Of(line).trim().split(/\s+/);
  const count = rest.length > 1 ? numberOf(rest[0]) : undefined;
  const status = rest.at(-1);
  const rawName = line.slice(0, name.length);
  const description = descriptions.get(name);
  const url = urlOf(rawName);
  return {
    name: textOf(rawName),
    rawName,
    kind: 'directory',
    ...(url !== undefined && { url }),
    facts: {
      ...numberFact('low', low),
      ...numberFact('high', high),
      ...(count !== undefined && { count }),
      ...(status !== undefined && { status: plainText(status) }),
      ...(description !== undefined && { description: displayText(description) }),
    },
  };
}

/** INN pads numbers with zeros; one beyond 2^53 stays text. */
function numberFact(name: string, digits: string | undefined): Record<string, number | string> {
  const stripped = digits?.replace(/^0+(?=\d)/, '');
  if (stripped === undefined || !/^\d{1,20}$/.test(stripped)) return {};
  return { [name]: numberOf(stripped) ?? stripped };
}
