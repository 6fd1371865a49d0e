/** Retrieving an article (RFC 3977 §6.2): its exact octets as the body, its header as metadata. */
import { emptyBody, shownLine, type Access, type BodySink, type Content, type Metadata } from '@retriever/driver';
import { AskedAhead } from './ahead.ts';
import { articleDate } from './article-date.ts';
import type { Answer, Command } from './connection.ts';
import { maxVainBytes, type Block } from './block.ts';
import { converseAsReader, groupStep, groupSteps, outcome, sequence, type Step } from './converse.ts';
import { readHead } from './head.ts';
import { fieldNamed, type RawField } from './header.ts';
import { displayText, plainText } from './display-text.ts';
import type { Job } from './job.ts';
import type { NntpSettings } from './options.ts';
import { isMissing, refusal } from './response.ts';
import { sessionBody } from './session-body.ts';
import type { Wish } from './wish.ts';

export type ArticleWish = Extract<Wish, { kind: 'article' | 'number' }>;

/** A command that asks for an article or its head, and the code of the response that brings it. */
interface Question {
  readonly verb: 'ARTICLE' | 'HEAD';
  readonly code: 220 | 221;
}

const article: Question = { verb: 'ARTICLE', code: 220 };
const headAlone: Question = { verb: 'HEAD', code: 221 };

/** What a retrieval asks for first. */
const firstQuestion = ({ metadataOnly, ifModifiedSince }: Job['request']): Question =>
  metadataOnly || ifModifiedSince ? headAlone : article;

/** What the retrieval may ask before the session is its own; undefined where it needs a session for itself. */
export function askAhead(
  request: Job['request'],
  wish: Wish,
  { pipelining }: NntpSettings,
  report: Access['report'],
): AskedAhead | undefined {
  if (!pipelining || (wish.kind !== 'article' && wish.kind !== 'number')) return undefined;
  const command = commandFor(wish, firstQuestion(request));
  return new AskedAhead(command, wish.kind === 'number' ? wish.group : undefined, report);
}

/** @throws RetrievalError when the server refuses it; the lease is the caller's to end then. */
export async function retrieveArticle(job: Job, wish: ArticleWish): Promise<Content> {
  const { metadataOnly, ifModifiedSince } = job.request;
  if (metadataOnly || ifModifiedSince) {
    const { metadata } = await headOf(job, wish);
    const notModified = !metadataOnly && isUnchanged(ifModifiedSince, metadata.modified);
    if (metadataOnly || notModified) {
      job.lease.end();
      return { kind: 'content', metadata: { ...metadata, ...(notModified && { notModified }) }, body: emptyBody() };
    }
  }
  const { answer, block } = await request(job, wish, article);
  job.lease.doneSending();
  const head = await readHead(block, job.settings.maxHeaderBytes);
  const pump = async (sink: BodySink): Promise<void> => {
    for (const part of head.octets) await sink(part);
    await block.pump(sink);
  };
  return { kind: 'content', metadata: metadataOf(answer, head.fields), body: sessionBody(job, pump) };
}

async function headOf(job: Job, wish: ArticleWish): Promise<{ metadata: Metadata }> {
  const { answer, block } = await request(job, wish, headAlone);
  if (job.request.metadataOnly) job.lease.doneSending();
  const head = await readHead(block, job.settings.maxHeaderBytes);
  await block.skip(maxVainBytes);
  return { metadata: metadataOf(answer, head.fields) };
}

/** Asks for the article, or its head. @throws RetrievalError when there is none. */
async function request(job: Job, wish: ArticleWish, question: Question): Promise<{ answer: Answer; block: Block }> {
  const command = commandFor(wish, question);
  let asked = await job.ahead?.take(job.lease.session);
  const answer = await converseAsReader(job, () => {
    const steps = asked;
    asked = undefined;
    return wish.kind === 'article' ? ask(job, [command], steps) : byNumber(job, wish.group, command, steps);
  });
  if (!answer.block) throw refusal(`${shownLine(command.line)} at ${job.server.host}`, answer);
  return { answer, block: answer.block };
}

const commandFor = (wish: ArticleWish, { verb, code }: Question): Command => ({
  line: [`${verb} `, wish.kind === 'article' ? wish.messageId : wish.number],
  textAfter: code,
});

/** The answer to the steps, or to those taken before their turn. */
const ask = (job: Job, steps: readonly Step[], asked?: readonly Step[]): Promise<Answer> =>
  asked ? outcome(job.lease.session, asked) : sequence(job, steps);

/** GROUP and the command in one segment; the command alone while the group is in force. */
async function byNumber(job: Job, group: Uint8Array, command: Command, asked?: readonly Step[]): Promise<Answer> {
  const steps = asked ?? [...groupSteps(job, group), command];
  const answer = await ask(job, steps, asked);
  if (steps.length > 1 || !isMissing(answer)) return answer;
  // Articles that came after GROUP may be seen only after the next one.
  return sequence(job, [groupStep(job.lease.session, group), command]);
}

/** Fields whose values have a syntax of their own, without encoded-words (RFC 2047 §5). */
const structured = new Set([
  'message-id',
  'references',
  'in-reply-to',
  'date',
  'newsgroups',
  'followup-to',
  'path',
  'xref',
  'content-type',
  'content-transfer-encoding',
  'content-disposition',
  'mime-version',
  'lines',
  'bytes',
  'supersedes',
  'distribution',
  'injection-date',
  'expires',
  'control',
]);

function metadataOf({ code, text }: Answer, fields: readonly RawField[]): Metadata {
  const modified = articleDate(fieldNamed(fields, 'date') ?? '');
  return {
    mediaType: 'message/rfc822',
    ...(modified && { modified }),
    reply: { code, text },
    headers: fields.map(([name, value]) => [
      name,
      structured.has(name.toLowerCase()) ? plainText(value) : displayText(value),
    ]),
  };
}

/** Times of protocols have no fractions: they are compared in whole seconds. */
const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);

function isUnchanged(since: Date | undefined, modified: Date | undefined): boolean {
  return since !== undefined && modified !== undefined && seconds(modified) <= seconds(since);
}
