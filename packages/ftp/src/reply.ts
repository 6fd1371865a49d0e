/** Replies (RFC 959 §4.2): one reader for single and multi-line replies, and what a refusal means to a retrieval. */
import {
  latin1Of,
  RetrievalError,
  textOf,
  type LineReader,
  type Reply,
  type RetrievalErrorCode,
} from '@retriever/driver';

/** A reply as it came. `text` is for people: a secret in it is masked, so nothing may be read out of it. */
export interface FtpReply extends Reply {
  /** The lines without their code, as sent. */
  readonly lines: readonly Uint8Array[];
}

/** A reply's words as latin1, for reading numbers and names out of; never to be shown. */
export const wordsOf = ({ lines }: FtpReply): string => lines.map(latin1Of).join('\n');

export interface ReplyBounds {
  readonly maxReplyBytes: number;
  readonly maxReplyLines: number;
}

/** `ddd`, then a space, a hyphen for a multi-line reply, or nothing. */
const opening = /^([1-5][0-9][0-9])([ -]|$)/;

/**
 * Reads one reply; undefined when the server closed before its first octet.
 *
 * @param heard Called with each line's code and words, for the trace; returns the words with secrets masked.
 * @throws RetrievalError `protocol` for a line without a code, `limit` for a reply without an end, `incomplete` for half a reply.
 */
export async function readReply(
  lines: LineReader,
  bounds: ReplyBounds,
  heard: (code: string, words: string) => string,
): Promise<FtpReply | undefined> {
  const first = lines.lineAtHand() ?? (await lines.line());
  if (!first) return undefined;
  const [start = '', code = '', mark] = opening.exec(latin1Of(first.subarray(0, 4))) ?? [];
  const octets = [first.subarray(start.length)];
  const texts = [heard(start, textOf(first.subarray(start.length)))];
  if (code === '') {
    const shown = JSON.stringify(texts.join().slice(0, 80));
    throw new RetrievalError('protocol', `the server sent a line that is no FTP reply: ${shown}`);
  }
  let total = first.length;
  for (let open = mark === '-'; open;) {
    const line = lines.lineAtHand() ?? (await lines.requireLine());
    total += line.length;
    if (octets.length >= bounds.maxReplyLines || total > bounds.maxReplyBytes) {
      throw new RetrievalError(
        'limit',
        `the server's reply ${code} does not end: more than ${octets.length} lines or ${total} octets`,
      );
    }
    const [prefix = '', again, ending] = opening.exec(latin1Of(line.subarray(0, 4))) ?? [];
    // RFC 959 §4.2: ends with a line that begins with the same code and a space. A bare code is tolerated.
    open = again !== code || ending === '-';
    const words = line.subarray(again === code ? prefix.length : 0);
    octets.push(words);
    texts.push(heard(again === code ? prefix : '', textOf(words)));
  }
  return { code: Number(code), text: texts.join('\n'), lines: octets };
}

/** 1yz: positive preliminary reply. */
export const isPreliminary = (reply: Reply): boolean => reply.code < 200;
/** 2yz: positive completion reply. */
export const isComplete = (reply: Reply): boolean => reply.code >= 200 && reply.code < 300;
/** The server does not know the command at all. */
export const isUnknownCommand = (reply: Reply): boolean => reply.code === 500 || reply.code === 502;

const crowded = /too many|maximum|limit|busy|try again/i;
const forbidden = /permission|denied|not allowed|prohibited|forbidden|not permitted/i;

/**
 * The error a refusal amounts to.
 *
 * @param what What was refused, and where: `RETR motd at ftp.example.org`.
 */
export function refusal(what: string, reply: Reply): RetrievalError {
  const { code, advice } = meaning(reply);
  const words = reply.text.replaceAll('\n', ' ').slice(0, 300);
  return new RetrievalError(code, `${what} was answered ${reply.code} ${words}${advice && `; ${advice}`}`, {
    reply: { code: reply.code, text: reply.text },
    // RFC 959 §4.2.1: 4yz is transient, 5yz permanent. A full server is not a wrong password.
    temporary: reply.code < 500 || (reply.code === 530 && crowded.test(reply.text)),
  });
}

function meaning({ code, text }: Reply): { code: RetrievalErrorCode; advice: string } {
  if (code < 400) return { code: 'protocol', advice: 'the server answered out of turn' };
  switch (code) {
    case 425:
      return { code: 'unreachable', advice: 'the server could not open the data connection' };
    case 530:
      // ProFTPD answers PASS with 530 when it is full; vsftpd answers USER with 530 when it wants TLS.
      if (crowded.test(text)) return { code: 'refused', advice: 'try again later' };
      if (/encrypt|tls|ssl/i.test(text))
        return { code: 'refused', advice: "use an ftps: URL or the option tls: 'require'" };
      return { code: 'credentials', advice: 'give a user and a password that the server takes' };
    case 332:
    case 532:
      return { code: 'credentials', advice: 'the server wants an account' };
    case 522:
      return { code: 'refused', advice: 'the server did not take the TLS data connection' };
    case 550:
      return { code: forbidden.test(text) ? 'refused' : 'not-found', advice: '' };
    default:
      return { code: 'refused', advice: code < 500 ? 'try again later' : '' };
  }
}
