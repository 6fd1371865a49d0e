/** Retrieving a file: TYPE, SIZE, MDTM, EPSV, REST, RETR. */
import {
  emptyBody,
  latin1Of,
  mediaTypeOf,
  RetrievalError,
  textOf,
  type Content,
  type Metadata,
  rangeWithin,
} from '@retriever/driver';
import { stepsTo } from './directory.ts';
import { announcedSize, mdtmStep, sizeStep, type FileFacts } from './facts.ts';
import type { Job } from './job.ts';
import { takeSteps, type Step } from './pipelining.ts';
import { isComplete, refusal } from './reply.ts';
import type { FtpSession } from './session.ts';
import { offerStep, type PortOffer } from './passive.ts';
import { startTransfer } from './transfer.ts';
import { transferBody } from './transfer-body.ts';

/** @throws RetrievalError when the server refuses it; the lease is the caller's to end then. */
export async function retrieveContent(job: Job): Promise<Content> {
  const { lease, plan, request, access } = job;
  const { session } = lease;
  const facts: FileFacts = {};
  // SIZE means octets only in image type; without a transfer there is no other type to be in.
  const text = plan.typecode === 'a' && !request.metadataOnly;
  const offer: PortOffer = {};
  const surelyTransferred = !request.metadataOnly && request.ifModifiedSince === undefined;
  await takeSteps(session, [
    ...stepsTo(session, plan.cwds),
    ...typeStep(session, text ? 'A' : 'I'),
    ...(text ? [] : sizeStep(session, plan.name, facts)),
    ...mdtmStep(session, plan.name, facts),
    ...(surelyTransferred ? offerStep(session, offer) : []),
  ]);
  const known = metadataOf(job, facts);
  if (request.metadataOnly) {
    // Some servers know the time of a directory as well; SIZE is for files alone.
    if (facts.size === undefined && (facts.modified === undefined || facts.refusal)) throw noFacts(session, facts);
    return withoutBody(job, known);
  }
  if (isUnchanged(request.ifModifiedSince, facts)) return withoutBody(job, { ...known, notModified: true });
  const wanted = text ? undefined : wantedRange(job, facts);
  const command = ['RETR ', plan.name] as const;
  const transfer = await startTransfer(session, access, {
    command,
    what: `RETR ${textOf(plan.name)}`,
    restart: wanted?.start,
    offer,
  });
  const range = wanted && transfer.start === wanted.start ? wanted : undefined;
  const metadata: Metadata = {
    ...known,
    ...(range && { range }),
    reply: { code: transfer.opening.code, text: transfer.opening.text },
  };
  if (text)
    return {
      kind: 'content',
      metadata,
      body: transferBody(job, transfer, { sizes: [], localNewlines: job.settings.newline === 'local' }),
    };
  if (range && facts.size === undefined) {
    const stopAfter = range.end === undefined ? undefined : range.end - range.start + 1;
    return { kind: 'content', metadata, body: transferBody(job, transfer, { sizes: [], stopAfter }) };
  }
  if (range?.end !== undefined && facts.size !== undefined) {
    const size = range.end - range.start + 1;
    const stopAfter = range.end + 1 < facts.size ? size : undefined;
    return {
      kind: 'content',
      metadata,
      body: transferBody(job, transfer, { size, sizes: [size], stopAfter }),
    };
  }
  // A file that grows between SIZE and RETR has two sizes, each of them true.
  const sizes = [...new Set([facts.size, announcedSize(transfer.opening)].filter((size) => size !== undefined))];
  const size = sizes.length === 1 ? sizes[0] : undefined;
  return {
    kind: 'content',
    metadata: { ...metadata, ...(size !== undefined && { size }) },
    body: transferBody(job, transfer, { size, sizes }),
  };
}

/** TYPE (RFC 959 §4.1.2), unless it is in force already. */
export function typeStep(session: FtpSession, type: 'A' | 'I'): Step[] {
  if (session.type === type) return [];
  return [
    {
      command: [`TYPE ${type}`],
      heed(reply) {
        session.type = isComplete(reply) ? type : undefined;
        if (!isComplete(reply)) throw refusal(`TYPE ${type} at ${session.control.host}`, reply);
      },
    },
  ];
}

function metadataOf({ plan }: Job, { size, modified }: FileFacts): Metadata {
  const guess = mediaTypeOf(latin1Of(plan.segment));
  const mediaType = plan.typecode === 'a' && !guess?.startsWith('text/') ? 'text/plain' : guess;
  return {
    // Local line ends change the count: what SIZE says of the stored file is not the text's.
    ...(size !== undefined && plan.typecode !== 'a' && { size }),
    ...(modified && { modified }),
    ...(mediaType !== undefined && { mediaType }),
  };
}

function withoutBody({ lease }: Job, metadata: Metadata): Content {
  lease.end(true);
  return { kind: 'content', metadata, body: emptyBody() };
}

function noFacts(session: FtpSession, facts: FileFacts): RetrievalError {
  const where = session.control.host;
  return (
    facts.refusal ??
    new RetrievalError('unsupported', `${where} has neither SIZE nor MDTM; retrieve the whole object to learn of it`)
  );
}

/** Times of protocols have no fractions: they are compared in whole seconds. */
const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);

function isUnchanged(since: Date | undefined, { modified }: FileFacts): boolean {
  return since !== undefined && modified !== undefined && seconds(modified) <= seconds(since);
}

/** The range, if it can be had: of the version that the caller has the rest of, and a suffix of a size that is known. */
function wantedRange({ request: { range, ifRange } }: Job, facts: FileFacts): Metadata['range'] {
  if (!range || (facts.size === undefined && 'suffix' in range)) return undefined;
  // FTP has no entity tags, so none can match.
  if (
    ifRange !== undefined &&
    !(ifRange instanceof Date && facts.modified && seconds(ifRange) === seconds(facts.modified))
  )
    return undefined;
  // Without a size REST alone can tell whether there is such an octet.
  if (facts.size === undefined) return 'suffix' in range ? undefined : range;
  return rangeWithin(range, facts.size);
}
