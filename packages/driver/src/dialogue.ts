/** A connection on which lines go out and answers come back in order (FTP's control connection, a news session). */
import type { Socket } from 'node:net';
import type { TraceEvent } from './access.ts';
import { latin1Of, textOf } from './octet-text.ts';
import { RetrievalError } from './retrieval-error.ts';

/** The parts of a line for people to read. */
export const shownLine = (parts: readonly (string | Uint8Array)[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : textOf(part))).join('');

/**
 * What such dialogues have in common, whatever their answers look like: sending, tracing without secrets, noticing octets
 * that nobody asked for, giving up the socket for TLS, and taking leave.
 *
 * How answers are read, and to whom they belong, is the subclass's: it says when something is `due`.
 */
export abstract class Dialogue {
  readonly socket: Socket;
  /** Where it leads, for errors. */
  readonly host: string;
  /** Where the trace goes: to the retrieval that holds the session now. */
  report: (event: TraceEvent) => void;
  /** Why nobody knows what comes next. */
  protected failure: unknown;
  readonly #secrets = new Set<string>();
  #closed = false;

  constructor(socket: Socket, host: string, report: (event: TraceEvent) => void) {
    this.socket = socket;
    this.host = host;
    this.report = report;
    socket.on('readable', this.#unasked);
  }

  /** Whether anything is due from the server; when nothing is, octets and an end are a fault. */
  protected abstract get due(): boolean;

  /** Whether lines can still be sent and answers read. */
  protected get open(): boolean {
    return !this.#closed && this.failure === undefined && !this.socket.destroyed;
  }

  /** Whether commands can be sent and each answer will belong to its command. */
  get usable(): boolean {
    return this.open && !this.due && this.socket.readableLength === 0;
  }

  /** Hides these octets wherever the server may repeat them. */
  keepSecret(secret: Uint8Array): void {
    if (secret.length === 0) return;
    this.#secrets.add(textOf(secret)).add(latin1Of(secret));
  }

  /** The server's words without secrets. */
  protected masked(words: string): string {
    let shown = words;
    for (const secret of this.#secrets) shown = shown.replaceAll(secret, '***');
    return shown;
  }

  /** Sends what `send` sends in one segment. */
  together<T>(send: () => T): T {
    this.socket.cork();
    try {
      return send();
    } finally {
      this.socket.uncork();
    }
  }

  /**
   * Sends a line, if it can be sent still.
   *
   * @param shown The line as the trace may show it.
   */
  protected say(line: Uint8Array, shown: string, report: (event: TraceEvent) => void = this.report): void {
    if (!this.open) return;
    report({ type: 'sent', text: shown });
    this.socket.write(line);
  }

  /**
   * Gives up the socket, for TLS.
   *
   * @param command What the server agreed to it with, for the error.
   * @throws RetrievalError `protocol` when the server sent more than its answer: somebody injected it.
   */
  detach(command: string): Socket {
    const inOrder = this.usable;
    this.socket.off('readable', this.#unasked);
    this.#closed = true;
    if (inOrder) return this.socket;
    throw new RetrievalError(
      'protocol',
      `${this.host} sent clear text between ${command} and the handshake; somebody may have injected it`,
    );
  }

  /** Takes leave (QUIT) when nothing is outstanding, and closes. */
  close(): void {
    if (this.#closed) return;
    const polite = this.usable && !this.due;
    if (polite) this.say(farewell, 'QUIT');
    this.#closed = true;
    if (polite) this.socket.destroySoon();
    else this.socket.destroy();
  }

  /** Octets or an end that nobody asked for: a farewell to an idle session, or a lost place among the answers. */
  readonly #unasked = (): void => {
    if (!this.due) this.failure ??= new RetrievalError('incomplete', `${this.host} ended the idle session`);
  };
}

const farewell = Buffer.from('QUIT\r\n');
