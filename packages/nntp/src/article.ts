/** Retrieving an article (RFC 3977 §6.2): its exact octets as the body, its header as metadata. */
import { emptyBody, type BodySink, type Content, type Metadata } from '@retriever/driver';
import type { Block } from './block.ts';
import { articleDate } from './article-date.ts';
import { shownLine, type Answer, type Command } from './connection.ts';
import { converseAsReader, groupStep, groupSteps, maxVainBytes, sequence } from './converse.ts';
import { readHead } from './head.ts';
import { fieldNamed, type RawField } from './header.ts';
import { displayText, plainText } from './display-text.ts';
import type { Job } from './job.ts';
import { isMissing, refusal } from './response.ts';
import { sessionBody } from './session-body.ts';
import type { Wish } from './wish.ts';

export type ArticleWish = Extract<Wish, { kind: 'article' | 'number' }>;

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
  const { answer, block } = await request(job, wish, 'ARTICLE', 220);
  const head = await readHead(block, job.settings.maxHeaderBytes);
  const pump = async (sink: BodySink): Promise<void> => {
    for (const part of head.octets) await sink(part);
    await block.pump(sink);
  };
  return { kind: 'content', metadata: metadataOf(answer, head.fields), body: sessionBody(job, pump) };
}

async function headOf(job: Job, wish: ArticleWish): Promise<{ metadata: Metadata }> {
  const { answer, block } = await request(job, wish, 'HEAD', 221);
  const head = await readHead(block, job.settings.maxHeaderBytes);
  await block.skip(maxVainBytes);
  return { metadata: metadataOf(answer, head.fields) };
}

/** Asks for the article, or a part of it. @throws RetrievalError when there is none. */
async function request(
  job: Job,
  wish: ArticleWish,
  verb: 'ARTICLE' | 'HEAD',
  code: number,
): Promise<{ answer: Answer; block: Block }> {
  const line: Command['line'] = [`${verb} `, wish.kind === 'article' ? wish.messageId : wish.number];
  const attempt =
    wish.kind === 'article' ? () => sequence(job, [{ line, textAfter: code }]) : () => byNumber(job, wish, line, code);
  const answer = await converseAsReader(job, attempt);
  if (!answer.block) throw refusal(`${shownLine(line)} at ${job.server.host}`, answer);
  return { answer, block: answer.block };
}

/** GROUP and ARTICLE in one segment; ARTICLE alone while the group is in force. */
async function byNumber(
  job: Job,
  wish: Extract<ArticleWish, { kind: 'number' }>,
  line: Command['line'],
  textAfter: number,
): Promise<Answer> {
  const steps = groupSteps(job, wish.group);
  const answer = await sequence(job, [...steps, { line, textAfter }]);
  if (steps.length > 0 || !isMissing(answer)) return answer;
  // Articles that came after GROUP may be seen only after the next one.
  return sequence(job, [groupStep(job, wish.group), { line, textAfter }]);
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
