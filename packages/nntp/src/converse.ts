/** Commands to a server that may first want MODE READER or a login; then they are repeated. */
import { latin1Of } from '@retriever/driver';
import { maxVainBytes } from './block.ts';
import type { Answer, Command } from './connection.ts';
import type { Job } from './job.ts';
import { logIn, logInUnasked } from './login.ts';
import { isDone, isMissing, isUnknownCommand, refusal } from './response.ts';
import type { NewsSession } from './session.ts';

/** A command among others; but for the last one's, what is left of the text behind its answer is forgotten. */
export interface Step extends Command {
  /** Whether the steps behind it make sense without it. Default false. */
  readonly optional?: boolean;
}

/**
 * Takes the steps, in one segment where allowed (RFC 3977 §3.5), and returns the last one's answer, or the first refusal.
 * Every response was read then, but for the text behind the last.
 */
export async function sequence({ lease, settings }: Job, steps: readonly Step[]): Promise<Answer> {
  const { connection } = lease.session;
  if (!settings.pipelining) return outcome(lease.session, steps, (step) => connection.send(step));
  connection.together(() => steps.forEach((step) => connection.send(step)));
  return outcome(lease.session, steps);
}

/** The outcome of steps, sent already or each by `send`, as {@link sequence} gives it. */
export async function outcome(
  { connection }: NewsSession,
  steps: readonly Step[],
  send?: (step: Step) => void,
): Promise<Answer> {
  let refused: Answer | undefined;
  let answer: Answer | undefined;
  for (const [at, step] of steps.entries()) {
    send?.(step);
    answer = await connection.response();
    if (!refused) await step.heed?.(answer);
    // Behind a refused GROUP, an article of the group selected before may come.
    if (refused || at < steps.length - 1) await answer.block?.skip(maxVainBytes);
    if (!isDone(answer) && !step.optional) refused ??= answer;
    if (refused && send) break;
  }
  if (!answer) throw new TypeError('no steps to take');
  return refused ?? answer;
}

/**
 * Makes the attempt; where the server wants MODE READER (401) or a login (480) first, sees to it and makes it again.
 *
 * @param attempt Leaves nothing unread but the text behind its answer.
 */
export async function converse(job: Job, attempt: () => Promise<Answer>): Promise<Answer> {
  const { session } = job.lease;
  for (;;) {
    const answer = await attempt();
    if (answer.code === 480 && !session.authenticated) await logIn(job, answer);
    else if (answer.code === 401 && !session.askedForReader) await modeReader(job);
    // INN hides behind "no such article" what only a login may see: a login that was given is worth a try.
    else if (!isMissing(answer) || !(await logInUnasked(job))) return answer;
  }
}

/** Like {@link converse}, for commands that every reader's server knows: a transit server of old does not (RFC 3977 §5.3). */
export async function converseAsReader(job: Job, attempt: () => Promise<Answer>): Promise<Answer> {
  const answer = await converse(job, attempt);
  if (answer.code !== 500 || job.lease.session.askedForReader) return answer;
  await modeReader(job);
  return converse(job, attempt);
}

/** MODE READER. Nothing is sent behind it before its response (RFC 3977 §3.5, §5.3). */
export async function modeReader({ lease: { session } }: Job): Promise<void> {
  session.askedForReader = true;
  const answer = await session.command('MODE READER');
  session.group = undefined;
  session.capabilities = undefined;
  // A server that does not know the command has but one mode.
  if (!isDone(answer) && !isUnknownCommand(answer)) throw refusal(`MODE READER at ${session.connection.host}`, answer);
}

/** GROUP. */
export function groupStep(session: NewsSession, group: Uint8Array): Step {
  return {
    line: ['GROUP ', group],
    heed(answer) {
      // A group that is refused leaves the one before in force (RFC 3977 §6.1.1.2); better select anew.
      session.group = isDone(answer) ? latin1Of(group) : undefined;
    },
  };
}

/** GROUP, unless it is in force already; behind what others sent ahead, nobody knows which one is. */
export const groupSteps = ({ lease: { session } }: Job, group: Uint8Array): Step[] =>
  session.group === latin1Of(group) && !session.connection.owed ? [] : [groupStep(session, group)];
