/** A question and its answer, wherever the server forwards it to. */
import { latin1Of, RetrievalError, type Access } from '@retriever/driver';
import { readAnswer, type Answer, type Forward } from './answer.ts';
import { exchange } from './exchange.ts';
import type { Limits } from './options.ts';
import { readHost } from './place.ts';
import { keyOf, messageFor, prosperoPort, type Question, type Wish } from './question.ts';

export interface Context {
  readonly access: Access;
  readonly limits: Limits;
}

/** An answer, and who gave it to which question in the end. */
export interface Answered {
  readonly question: Question;
  readonly answer: Answer;
  /** As it came. */
  readonly octets: Uint8Array;
}

/** Lines of one answer that are worth showing. */
const maxShownLines = 2000;
const maxNotes = 50;

/** @throws RetrievalError `limit` for more forwards than allowed or a circle of them. */
export async function ask(first: Question, wish: Wish, { access, limits }: Context): Promise<Answered> {
  const asked = new Set<string>();
  for (let question = first; ;) {
    asked.add(keyOf(question));
    const answered = await askOnce(question, wish, { access, limits });
    const { forward } = answered.answer;
    if (!forward) return answered;
    question = forwarded(forward, question);
    const { host, port } = question.server;
    access.report({ type: 'note', text: `forwarded to ${host} port ${port}` });
    if (asked.has(keyOf(question))) throw new RetrievalError('limit', 'the servers forward in a circle');
    if (asked.size > limits.maxForwards)
      throw new RetrievalError('limit', `forwarded more than ${limits.maxForwards} times, the last to ${host}`);
  }
}

async function askOnce(question: Question, wish: Wish, { access, limits }: Context): Promise<Answered> {
  const message = messageFor(question, wish, limits.user);
  const octets = await exchange(message, question.server, access, limits);
  const answer = readAnswer(latin1Of(octets), {
    maxLinks: limits.maxLinks,
    report: atMost(maxShownLines, (text) => access.report({ type: 'received', text })),
    note: atMost(maxNotes, (text) => access.report({ type: 'note', text })),
  });
  return { question, answer, octets };
}

function forwarded({ host, hsoname, version, id }: Forward, { server }: Question): Question {
  const named = readHost(host, server);
  if (!named || hsoname === '') throw new RetrievalError('protocol', `forwarded to nowhere: ${host.slice(0, 200)}`);
  if (/[\0\r\n]/.test([hsoname, ...(id ?? [])].join('')))
    throw new RetrievalError('policy', 'forwarded to a name with CR, LF or NUL (RFC 1738 §6)');
  return { server: { host: named.host, port: named.port ?? prosperoPort }, hsoname, version, id };
}

function atMost(limit: number, report: (text: string) => void): (text: string) => void {
  let count = 0;
  return (text) => {
    count += 1;
    if (count <= limit) report(text);
  };
}
