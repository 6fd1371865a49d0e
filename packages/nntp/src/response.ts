/** Responses (RFC 3977 §3.2): a status line of three digits and words, and what a refusal means to a retrieval. */
import { latin1Of, RetrievalError, textOf, type Reply, type RetrievalErrorCode } from '@retriever/driver';

/** A status line. `text` is for people: a secret in it is masked, so nothing may be read out of it. */
export interface Response extends Reply {
  /** The words as latin1, for reading numbers out of; never to be shown. */
  readonly words: string;
}

const statusLine = /^([1-5][0-9][0-9])(?: |$)/;

/** @throws RetrievalError `protocol` for a line that is no status line. */
export function parseResponse(line: Uint8Array, masked: (text: string) => string): Response {
  const [start, code] = statusLine.exec(latin1Of(line.subarray(0, 4))) ?? [];
  if (start === undefined) {
    const shown = JSON.stringify(masked(textOf(line)).slice(0, 80));
    throw new RetrievalError('protocol', `the server sent a line that is no NNTP response: ${shown}`);
  }
  const words = line.subarray(start.length);
  return { code: Number(code), text: masked(textOf(words)), words: latin1Of(words) };
}

/** 2xx: the command was done. */
export const isDone = (response: Reply): boolean => response.code >= 200 && response.code < 300;
/** The server does not know the command, or not so (RFC 3977 §3.2.1; INN answers 503 where it has no overview). */
export const isUnknownCommand = ({ code }: Reply): boolean => code === 500 || code === 501 || code === 503;

/** No such group, number or message-id; sn answers 430 to a number. */
export const isMissing = ({ code }: Reply): boolean => code === 411 || code === 423 || code === 430;

/**
 * The error a refusal amounts to.
 *
 * @param what What was refused, and where: `ARTICLE <id> at news.example.org`.
 */
export function refusal(what: string, response: Reply): RetrievalError {
  const { code, advice = '' } = meaning(response);
  const words = response.text.slice(0, 300);
  return new RetrievalError(code, `${what} was answered ${response.code} ${words}${advice && `; ${advice}`}`, {
    reply: { code: response.code, text: response.text },
    // RFC 3977 §3.2.1: 400 and 403 are the server's trouble of the moment.
    temporary: response.code === 400 || response.code === 403,
  });
}

function meaning({ code }: Reply): { code: RetrievalErrorCode; advice?: string } {
  if (code < 400 && code !== 381) return { code: 'protocol', advice: 'the server answered out of turn' };
  switch (code) {
    case 400:
    case 403:
      return { code: 'refused', advice: 'try again later' };
    case 411:
    case 423:
    case 430:
      return { code: 'not-found' };
    case 381:
    case 480:
    case 481:
    case 482:
      return { code: 'credentials', advice: 'give a user and a password that the server takes' };
    case 483:
      return { code: 'refused', advice: "use an nntps: or snews: URL or the option tls: 'require'" };
    default:
      return { code: 'refused' };
  }
}
