/** `--connect`: a session with an interactive service, for a person at a terminal or for a script. */
import { isatty } from 'node:tty';
import { RetrievalError, type Service, type ServiceStream } from '@retriever/driver';
import { suggestedLogin } from './advice.ts';
import type { Messages } from './messages.ts';
import { pipedSession } from './piped-session.ts';
import type { Settings } from './settings.ts';
import type { StandardOutput } from './standard-output.ts';
import { lineForTerminal } from './terminal-text.ts';
import { terminalSession, type Screen } from './terminal-session.ts';

export interface SessionContext {
  readonly settings: Settings;
  readonly stdout: StandardOutput;
  readonly messages: Messages;
}

/**
 * Opens the session and resolves when it is over.
 *
 * @param write - Where the service's output goes, as it is.
 */
export async function openSession(
  service: Service,
  { settings: { maxTime, silent }, stdout, messages }: SessionContext,
  write: (octets: Uint8Array) => void | Promise<void>,
): Promise<void> {
  const stream = await service.open();
  const clock = maxTime === undefined ? undefined : setTimeout(() => stream.destroy(late(maxTime)), maxTime * 1000);
  try {
    if (!isatty(0)) return await pipedSession(stream, process.stdin, write);
    const login = suggestedLogin(service);
    if (login !== undefined && !silent) messages.line(login);
    const place = lineForTerminal(`${service.host} port ${service.port}`);
    await terminalSession(stream, place, process.stdin, screenOf(stream, stdout, messages, write));
  } finally {
    clearTimeout(clock);
    stream.destroy();
  }
}

/** What is typed is shown on the terminal even if the service's output goes elsewhere. */
function screenOf(stream: ServiceStream, stdout: StandardOutput, messages: Messages, write: Screen['write']): Screen {
  if (!stdout.isTerminal) return { write, show: (octets) => messages.raw(Buffer.from(octets).toString()) };
  // One after the other, in the order in which it came about.
  let last: Promise<void> = Promise.resolve();
  const writeInOrder = (octets: Uint8Array | string): Promise<void> =>
    (last = last.then(() => write(typeof octets === 'string' ? Buffer.from(octets) : octets)));
  return {
    write: writeInOrder,
    show: (octets) => void writeInOrder(octets).catch((error: Error) => stream.destroy(error)),
  };
}

function late(seconds: number): RetrievalError {
  return new RetrievalError('timeout', `the session took longer than ${seconds} s`);
}
