/** Changing directories: one CWD a segment (RFC 1738 §3.2.2), and what a reused session may skip (§3.2.5). */
import { RetrievalError, textOf } from '@retriever/driver';
import type { Step } from './pipelining.ts';
import { isComplete, refusal, type FtpReply } from './reply.ts';
import type { FtpSession } from './session.ts';

/** The session cannot get to the directory in a way that RFC 1738 §3.2.5 allows; a new one can. */
export class NeedsNewSession extends Error {
  override readonly name = 'NeedsNewSession';
}

/** The steps from where the session is to the directories of a URL. */
export function stepsTo(session: FtpSession, directories: readonly Uint8Array[]): Step[] {
  const { directories: here } = session;
  // The same commands since login lead to the same place; so does going on from there.
  if (here && startsWith(directories, here))
    return [...askHome(session, here, directories), ...cwdSteps(session, here, directories.slice(here.length))];
  if (!session.home) throw new NeedsNewSession('the login directory is not known');
  return [homeStep(session, session.home), ...cwdSteps(session, [], directories)];
}

/** Goes to the directories. @throws RetrievalError when a CWD is refused. */
function cwdSteps(session: FtpSession, from: readonly Uint8Array[], segments: readonly Uint8Array[]): Step[] {
  return segments.map((segment, at) => ({
    command: ['CWD ', segment],
    heed(reply) {
      // RFC 959 §5.4 lists 250; 200 and 257 are seen.
      session.directories = isComplete(reply) ? [...from, ...segments.slice(0, at + 1)] : undefined;
      if (!isComplete(reply)) throw refusal(`CWD ${textOf(segment)} at ${session.control.host}`, reply);
    },
  }));
}

/**
 * Proves by PWD that the last CWD led somewhere: some servers answer 250 to every CWD.
 *
 * @throws RetrievalError `not-found` when it did not.
 */
export async function requireMoved(session: FtpSession): Promise<void> {
  if (!session.home) return;
  const path = absolutePath(await session.control.command('PWD'));
  if (!path || Buffer.compare(path, session.home) !== 0) return;
  const reply = { code: 250, text: '' };
  throw new RetrievalError('not-found', `CWD at ${session.control.host} led nowhere`, { reply });
}

/** PWD before the first CWD: the only moment at which it tells the login directory. */
function askHome(session: FtpSession, here: readonly Uint8Array[], directories: readonly Uint8Array[]): Step[] {
  if (session.home !== undefined || here.length > 0 || directories.length === 0) return [];
  return [{ command: ['PWD'], heed: (reply) => void (session.home = absolutePath(reply) ?? null) }];
}

function homeStep(session: FtpSession, home: Uint8Array): Step {
  return {
    command: ['CWD ', home],
    heed(reply) {
      session.directories = isComplete(reply) ? [] : undefined;
      if (!isComplete(reply)) throw new NeedsNewSession(`CWD to the login directory was answered ${reply.code}`);
    },
  };
}

const QUOTE = 0x22;
const SLASH = 0x2f;
/** NUL, CR and 0xFF: what a command line cannot hold, or not alike on all servers. */
const doubtful = [0x00, 0x0d, 0xff];

/**
 * The absolute path in a 257 reply: between quotes, quotes inside doubled (RFC 959 Appendix II).
 *
 * Undefined when there is none, and when it is in doubt: Pure-FTPd and inetutils do not double quotes, vsftpd doubles 0xFF.
 */
function absolutePath(reply: FtpReply): Uint8Array | undefined {
  const [line] = reply.lines;
  if (reply.code !== 257 || !line) return undefined;
  const start = line.indexOf(QUOTE) + 1;
  const end = line.indexOf(QUOTE, start);
  const path = line.subarray(start, end);
  return path[0] === SLASH && line.lastIndexOf(QUOTE) === end && !doubtful.some((octet) => path.includes(octet))
    ? Uint8Array.from(path)
    : undefined;
}

function startsWith(whole: readonly Uint8Array[], start: readonly Uint8Array[]): boolean {
  return (
    start.length <= whole.length &&
    start.every((segment, at) => Buffer.compare(segment, whole[at] ?? new Uint8Array()) === 0)
  );
}
