/** The terminal in raw mode, and back to what it was however the process ends. */
import type { ReadStream } from 'node:tty';
import { Failure } from './failure.ts';

/** Signals that would end the process without a word; SIGINT and SIGTERM abort the transfer already. */
const endings = { SIGHUP: 129, SIGQUIT: 131 } as const;

/**
 * Puts the terminal into raw mode, where every key is an octet, until it is disposed.
 *
 * @param end - Ends the session with this failure when the terminal goes away.
 */
export function rawMode(terminal: ReadStream, end: (failure: Failure) => void): Disposable {
  const restore = (): void => setRaw(terminal, false);
  // Whoever stopped the process (SIGTSTP) had the terminal meanwhile. Node sets no mode twice.
  const resume = (): void => {
    setRaw(terminal, false);
    setRaw(terminal, true);
  };
  const onSignal = (name: keyof typeof endings): void => {
    restore();
    end(new Failure(endings[name], `ended by ${name}`));
  };
  const listeners = (Object.keys(endings) as (keyof typeof endings)[]).map(
    (name) => [name, () => onSignal(name)] as const,
  );
  // Also after an error that nobody caught.
  process.on('exit', restore);
  process.on('SIGCONT', resume);
  for (const [name, listener] of listeners) process.on(name, listener);
  setRaw(terminal, true);
  return {
    [Symbol.dispose]() {
      restore();
      process.off('exit', restore);
      process.off('SIGCONT', resume);
      for (const [name, listener] of listeners) process.off(name, listener);
    },
  };
}

/** A terminal that is gone has no mode to set. */
function setRaw(terminal: ReadStream, raw: boolean): void {
  try {
    terminal.setRawMode(raw);
  } catch {
    // Nothing is left to restore.
  }
}
