/** Asks a person at the terminal; nobody is asked where there is none. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { isatty } from 'node:tty';
import type { Credentials, Realm } from '@retriever/driver';
import { Failure, UsageError } from './failure.ts';
import type { Settings } from './settings.ts';
import { lineForTerminal } from './terminal-text.ts';

/**
 * The answer to a server that asks (RFC 1738 §3.2.1).
 *
 * Not over HTTP, where the question is a page that may be wanted for itself: `-u` answers there, as with curl.
 */
export async function askForLogin({ scheme, host, wanted, user, prompt }: Realm): Promise<Credentials | undefined> {
  if (!canAsk() || scheme === 'http' || scheme === 'https') return undefined;
  if (prompt !== undefined) process.stderr.write(`${host}: ${lineForTerminal(prompt)}\n`);
  if (wanted === 'account') return { account: await ask(`Account for ${user ?? host}: `) };
  const name = user ?? (await ask(`User at ${host}: `, { echo: true }));
  return { user: name, password: await ask(`Password for ${name} at ${host}: `) };
}

/** `-u USER` leaves the password to be asked for. @throws UsageError where nobody can be asked. */
export async function withPassword(settings: Settings): Promise<Settings> {
  const { user } = settings;
  if (user === undefined || user.includes(':')) return settings;
  if (!canAsk()) {
    throw new UsageError(
      `there is no terminal to ask for the password of ${JSON.stringify(user)} on; use -u USER:PASSWORD`,
    );
  }
  return { ...settings, user: `${user}:${await ask(`Password for ${user}: `)}` };
}

/** Both ends must be a person's: a script's stdin holds no password. */
function canAsk(): boolean {
  return isatty(0) && isatty(2);
}

async function ask(question: string, { echo = false } = {}): Promise<string> {
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const output = echo ? process.stderr : silence;
  const terminal = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  // Only now: who answers at once must not find the terminal echoing still.
  process.stderr.write(lineForTerminal(question));
  const gaveUp = new Promise<never>((_resolve, reject) => {
    // In raw mode Ctrl-C is an octet like any other: here it becomes what it is everywhere else, the end of the command.
    terminal.on('SIGINT', () => {
      process.emit('SIGINT');
      reject(new Failure(130, 'interrupted'));
    });
    // Ctrl-D is an end without an answer.
    terminal.on('close', () => reject(new Failure(67, 'nobody answered')));
  });
  try {
    return await Promise.race([terminal.question(''), gaveUp]);
  } finally {
    terminal.close();
    gaveUp.catch(() => undefined);
    if (!echo) process.stderr.write('\n');
  }
}
