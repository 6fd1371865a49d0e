/** Listing a directory: MLSD where FEAT offers it, else LIST; NLST for `;type=d` (RFC 1738 §3.2.2). */
import { emptyBody, RetrievalError, textOf, type Body, type Listing, type Metadata } from '@retriever/driver';
import { typeStep } from './content.ts';
import { requireMoved, stepsTo } from './directory.ts';
import type { Job } from './job.ts';
import { entriesOf } from './listing/entries.ts';
import { listParser, mlsdParser } from './listing/list-parser.ts';
import type { LineParser } from './listing/listed-line.ts';
import { namesParser } from './listing/names.ts';
import { directoryUrl } from './listing/url-base.ts';
import { offerStep, type PortOffer } from './passive.ts';
import { takeSteps, type Step } from './pipelining.ts';
import { isComplete, isUnknownCommand, refusal, wordsOf } from './reply.ts';
import type { FtpSession } from './session.ts';
import { startTransfer, type Transfer } from './transfer.ts';
import { transferBody } from './transfer-body.ts';

/** Where a listing is taken. */
interface Place {
  /** The arguments of the CWDs that lead there. */
  readonly cwds: readonly Uint8Array[];
  /** What the listing command gets; empty: nothing. */
  readonly argument: Uint8Array;
  /** The directory's URL segments. */
  readonly directories: readonly Uint8Array[];
}

type Verb = 'MLSD' | 'LIST' | 'NLST';

const nothing = new Uint8Array(0);

/** A URL with an empty name: the directory itself. */
export function listDirectory(job: Job): Promise<Listing> {
  const { cwds, name, directories } = job.plan;
  // `nocwd` leaves the path, which ends in `/`, to the command.
  return list(job, { cwds, argument: name, directories });
}

/** A URL whose name turned out to be a directory. @throws RetrievalError when it is none. */
export async function listName(job: Job): Promise<Listing> {
  const { name, directories, segment } = job.plan;
  const { session } = job.lease;
  const cwds = [...job.plan.cwds, name];
  await takeSteps(session, stepsTo(session, cwds));
  // These may well lead to where the session was.
  if (!/^\.{1,2}$/.test(textOf(name))) await requireMoved(session);
  return list(job, { cwds, argument: nothing, directories: [...directories, segment] });
}

/** `;type=d`: NLST of the name, in the last directory. */
export async function listNames(job: Job): Promise<Listing> {
  const { lease, plan, request } = job;
  const { session } = lease;
  const { cwds, name, directories, segment } = plan;
  const inside =
    segment.length > 0 ? directoryUrl(request.url, [...directories, segment]) : directoryUrl(request.url, directories);
  // A pattern's or a file's own name comes back as it is: such an entry stands beside the name, not in it.
  const beside = (rawName: Uint8Array): boolean => isPattern(segment) || Buffer.compare(rawName, segment) === 0;
  const options = {
    parser: async () => namesParser(name),
    baseFor: (rawName: Uint8Array) => (beside(rawName) ? directoryUrl(request.url, directories) : inside),
    text: true,
  };
  const offer: PortOffer = {};
  await takeSteps(session, [
    ...stepsTo(session, cwds),
    ...typeStep(session, 'A'),
    ...(request.metadataOnly ? [] : offerStep(session, offer)),
  ]);
  if (request.metadataOnly) {
    if (name.length > 0) await requireDirectory(job);
    return emptyListing(job);
  }
  try {
    const transfer = await start(job, 'NLST', name, offer);
    const head = await headOf(transfer);
    if (head) return listingOf(job, transfer, options, head);
  } catch (error) {
    if (!isNothingThere(error)) throw error;
    // inetutils answers 550 for an empty directory; with a name, CWD tells it from a missing one.
    if (name.length === 0 && !/no files/i.test(error.reply?.text ?? '')) throw error;
    if (name.length > 0) await requireDirectory(job, error);
    return emptyListing(job);
  }
  // vsftpd answers 226 and no octet for a missing name as well as for an empty directory.
  if (name.length > 0) await requireDirectory(job);
  return emptyListing(job);
}

/** The first octets; undefined when the listing is over without any, and 2yz was said. @throws RetrievalError when it was not. */
async function headOf({ data, exchange, what }: Transfer): Promise<Uint8Array | undefined> {
  const head = await data.read();
  if (head) return head;
  data.destroy();
  const reply = await exchange.final;
  if (!isComplete(reply)) throw refusal(what, reply);
  return undefined;
}

const isPattern = (name: Uint8Array): boolean => /[*?[]/.test(textOf(name));

const isNothingThere = (error: unknown): error is RetrievalError =>
  error instanceof RetrievalError && (error.reply?.code === 550 || error.reply?.code === 450);

/** Proves that the name is a directory by changing to it. @throws `first` if it is final (ProFTPD's 450 is not), or the refusal of that CWD. */
async function requireDirectory({ lease, plan }: Job, first?: RetrievalError): Promise<void> {
  try {
    await takeSteps(lease.session, stepsTo(lease.session, [...plan.cwds, plan.name]));
  } catch (error) {
    throw first && !first.temporary && error instanceof RetrievalError && error.reply ? first : error;
  }
}

async function list(job: Job, place: Place): Promise<Listing> {
  const { session } = job.lease;
  const { list: wanted } = job.settings;
  const { metadataOnly } = job.request;
  await takeSteps(session, [
    ...stepsTo(session, place.cwds),
    ...(wanted === 'auto' && !metadataOnly ? featuresStep(session) : []),
  ]);
  if (metadataOnly) {
    if (place.argument.length > 0) await requireDirectory(job);
    return emptyListing(job);
  }
  const verb = wanted === 'auto' ? bestVerb(session) : verbs[wanted];
  try {
    return await listBy(job, place, verb);
  } catch (error) {
    // 450 of a directory that was entered: no files there (RFC 959 §5.4).
    if (place.argument.length === 0 && error instanceof RetrievalError && error.reply?.code === 450)
      return emptyListing(job);
    const refused = error instanceof RetrievalError && error.reply && isUnknownCommand(error.reply);
    if (wanted !== 'auto' || verb !== 'MLSD' || !refused) throw error;
    session.features = new Set();
    return listBy(job, place, 'LIST');
  }
}

async function listBy(job: Job, { argument, directories }: Place, verb: Verb): Promise<Listing> {
  // RFC 3659 §7.2: MLSD is sent as if in image type, whatever TYPE says.
  const { session } = job.lease;
  const offer: PortOffer = {};
  await takeSteps(session, [...(verb === 'MLSD' ? [] : typeStep(session, 'A')), ...offerStep(session, offer)]);
  const base = directoryUrl(job.request.url, directories);
  const options = { parser: parsers[verb], baseFor: () => base, text: verb !== 'MLSD' };
  const transfer = await start(job, verb, argument, offer);
  if (argument.length === 0) return listingOf(job, transfer, options);
  // Without a CWD before it, an empty listing may mean that there is no such directory (vsftpd, Pure-FTPd).
  const head = await headOf(transfer);
  if (head) return listingOf(job, transfer, options, head);
  await requireDirectory(job);
  return emptyListing(job);
}

const parsers: Readonly<Record<Verb, () => Promise<LineParser>>> = {
  MLSD: async () => mlsdParser(),
  LIST: () => listParser(),
  NLST: async () => namesParser(),
};

const verbs = { mlsd: 'MLSD', list: 'LIST', nlst: 'NLST' } as const;

const bestVerb = ({ features }: FtpSession): Verb => (features?.has('MLST') ? 'MLSD' : 'LIST');

/** FEAT (RFC 2389 §3.2): a line a feature, its name first. Asked once a session. */
function featuresStep(session: FtpSession): Step[] {
  if (session.features) return [];
  return [
    {
      command: ['FEAT'],
      heed(reply) {
        if (reply.code === 421) throw refusal(`FEAT at ${session.control.host}`, reply);
        const lines = isComplete(reply) ? wordsOf(reply).split('\n').slice(1, -1) : [];
        session.features = new Set(lines.map((line) => (line.trim().split(' ')[0] ?? '').toUpperCase()));
      },
    },
  ];
}

function start({ lease, access }: Job, verb: Verb, argument: Uint8Array, offer: PortOffer): Promise<Transfer> {
  const command = argument.length > 0 ? [`${verb} `, argument] : [verb];
  return startTransfer(lease.session, access, {
    command,
    what: argument.length > 0 ? `${verb} ${textOf(argument)}` : verb,
    offer,
  });
}

interface LinesOptions {
  readonly parser: () => Promise<LineParser>;
  readonly baseFor: (rawName: Uint8Array) => string;
  /** Whether it comes in ASCII type, whose line ends are made local. */
  readonly text: boolean;
}

function listingOf(
  job: Job,
  transfer: Transfer,
  { parser, baseFor, text: isText }: LinesOptions,
  head?: Uint8Array,
): Listing {
  const { maxListingBytes, maxListingLineBytes, maxEntries, newline } = job.settings;
  const localNewlines = isText && newline === 'local';
  const body = transferBody(job, transfer, { sizes: [], head, maxBytes: maxListingBytes, localNewlines });
  const { code, text } = transfer.opening;
  return listingWith(
    body,
    { reply: { code, text } },
    { parser, baseFor, maxLineBytes: maxListingLineBytes, maxEntries },
  );
}

function listingWith(body: Body, metadata: Metadata, options: Parameters<typeof entriesOf>[1]): Listing {
  return { kind: 'listing', entries: { [Symbol.asyncIterator]: () => entriesOf(body, options) }, body, metadata };
}

function emptyListing({ lease }: Job): Listing {
  lease.end(true);
  return { kind: 'listing', entries: { async *[Symbol.asyncIterator]() {} }, body: emptyBody(), metadata: {} };
}
