/** A scripted UMN gopherd: it answers as the real one did, octet for octet, in the transcript beside this file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PeerConnection, PeerScript } from '@retriever/driver/testing';

/** One request and its answer, as latin1. */
export interface Exchange {
  readonly sent: string;
  readonly answer: string;
  /** False where the transcript leaves out the end of the answer, or there was none. */
  readonly whole: boolean;
}

const letters: Readonly<Record<string, string>> = { t: '\t', r: '\r', n: '\n' };

/** The transcript's exchanges. Where it has one twice, the server's set-up was mended in between: the later one counts. */
export const exchanges: readonly Exchange[] = readTranscript(
  readFileSync(join(import.meta.dirname, 'umn-gopherd-3.0.5.txt'), 'utf8'),
);

/** Plays the server on one connection. */
export const umnGopherd: PeerScript = async (connection) => {
  await connection.send(answerTo(await requestOf(connection)));
};

/** What UMN gopherd answered to the octets of a request, its data block included. */
export function answerTo(request: string): string {
  const answer =
    exchanges.find(({ sent }) => sent === request) ?? exchanges.find(({ sent }) => sent === brief(request));
  if (answer?.whole) return answer.answer;
  return `0'${request.split(/[\t\r]/, 1)[0]}' does not exist!!\t\terror.host\t1\r\n.\r\n`;
}

/**
 * The Gopher+ request as the transcript has it, without the empty search of RFC 1738 §3.4.3. Whether the real server takes
 * that for an answerable request is not in the transcript, except for a data block: there it does not.
 */
export function brief(request: string): string {
  return /\t1\r\n/.test(request) ? request : request.replace(/^([^\t]*)\t\t(?=[+!$])/, '$1\t');
}

/** One request, its data block included. */
export async function requestOf(connection: PeerConnection): Promise<string> {
  let request = `${await connection.line()}\r\n`;
  if (!request.endsWith('\t1\r\n')) return request;
  for (let line = ''; line !== '.';) {
    line = await connection.line();
    request += `${line}\r\n`;
  }
  return request;
}

function readTranscript(text: string): Exchange[] {
  const found = new Map<string, Exchange>();
  for (const section of text.split(/^--- /m).slice(1)) {
    const [title = '', ...lines] = section.split('\n');
    const answer = lines.filter((line) => line.startsWith('< ')).map((line) => line.slice(2));
    const whole = lines.some((line) => line.startsWith('## EOF')) && !answer.some((line) => line.startsWith('... '));
    const octets = answer.map((line) => unescaped(line.replace(/ {3}\(no newline\)$/, ''))).join('');
    const sent = unescaped(title);
    found.set(sent, { sent, answer: octets, whole });
  }
  return [...found.values()];
}

function unescaped(text: string): string {
  return text.replace(/\\(?:x([\da-f]{2})|(.))/g, (_, hex?: string, letter = '') =>
    hex === undefined ? (letters[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
