/**
 * Answers to a form on their way to the server, RFC 1738 §3.4.9: the one place where CR LF may come out of a URL.
 *
 *     + [ view ] TAB 1 CR LF
 *     +-1 CR LF
 *     *( answer CR LF )
 *     . CR LF
 */
import { latin1Of, RetrievalError } from '@retriever/driver';

/** Whether a Gopher+ string means to be such a block: its first line ends with the data flag `1`. */
export function isAskBlock(octets: Uint8Array): boolean {
  return /^\+[^\t\r\n]*\t1\r\n/.test(latin1Of(octets.subarray(0, 256)));
}

/**
 * Refuses what is not exactly of the form above: any other line end could begin a line of another protocol (RFC 1738 §6).
 *
 * @throws RetrievalError `policy`; nothing has been sent then.
 */
export function requireAskBlock(octets: Uint8Array): void {
  const [command = '', header, ...lines] = latin1Of(octets).split('\r\n');
  const end = lines.splice(-2);
  const sound =
    /^\+[ -~]*\t1$/.test(command) &&
    header === '+-1' &&
    end[0] === '.' &&
    end[1] === '' &&
    lines.every((line) => line !== '.' && !hasControl(line));
  if (!sound)
    throw new RetrievalError(
      'policy',
      'the Gopher+ string is no block of answers as RFC 1738 §3.4.9 has it; nothing was sent',
    );
}

/** The octets that end lines in one protocol or another. */
function hasControl(line: string): boolean {
  return line.includes('\r') || line.includes('\n') || line.includes('\0');
}

/** What a person or a program answers to one question; see `askUrl`. */
export type AskAnswer = string | boolean | readonly string[];

/**
 * The block for these answers.
 *
 * @throws TypeError for an answer of one line that holds CR, LF or NUL.
 */
export function askBlock(answers: readonly AskAnswer[], view = ''): string {
  return [`+${view}\t1`, '+-1', ...answers.flatMap((answer) => answerLines(answer)), '.', ''].join('\r\n');
}

function answerLines(answer: AskAnswer): string[] {
  if (typeof answer === 'boolean') return [answer ? '1' : '0'];
  // AskL: the number of lines goes before them.
  const lines = typeof answer === 'string' ? [answer] : [String(answer.length), ...answer];
  for (const line of lines) {
    if (hasControl(line)) throw new TypeError('an answer is one line; give the lines of an AskL answer as an array');
  }
  // Only what would end the block is stuffed: the one server that takes answers, UMN gopherd, takes no dot away again.
  return lines.map((line) => (line === '.' ? '..' : line));
}
