/** The control connection (RFC 959 §2.3): commands out, replies in, each reply given to its command in order. */
import type { Socket } from 'node:net';
import {
  commandLine,
  Dialogue,
  LineReader,
  RetrievalError,
  shownLine,
  socketSource,
  type TraceEvent,
} from '@retriever/driver';
import { isPreliminary, readReply, type FtpReply, type ReplyBounds } from './reply.ts';

export interface ControlConnectionOptions extends ReplyBounds {
  readonly maxReplyLineBytes: number;
  /** Where it leads, for errors. */
  readonly host: string;
}

/** A command on its way. Both promises may be ignored; a rejection of an ignored one harms nobody. */
export interface Exchange {
  /** The first reply: 1yz, or the final one. */
  readonly first: Promise<FtpReply>;
  /** The first reply that is not 1yz. */
  readonly final: Promise<FtpReply>;
}

interface PendingExchange {
  readonly first: PromiseWithResolvers<FtpReply>;
  readonly final: PromiseWithResolvers<FtpReply>;
  preliminaries: number;
}

/** A server has one thing to announce; a few more 1yz are tolerated, a flood is not. */
const maxPreliminaries = 8;

/** Commands are queued in order; any number may be outstanding (pipelining). */
export class ControlConnection extends Dialogue {
  /** Double 0xFF in arguments, as Telnet has it (RFC 959 §3.3): the BSD servers need it, vsftpd and Pure-FTPd cannot bear it. */
  doublesIac = false;
  readonly #options: ControlConnectionOptions;
  readonly #lines: LineReader;
  readonly #pending: PendingExchange[] = [];
  #reading = false;

  constructor(socket: Socket, options: ControlConnectionOptions, report: (event: TraceEvent) => void) {
    super(socket, options.host, report);
    this.#options = options;
    this.#lines = new LineReader(socketSource(socket), { maxLineBytes: options.maxReplyLineBytes });
  }

  protected override get due(): boolean {
    return this.#pending.length > 0 || this.#reading;
  }

  /** Waits for the reply that the server owes without being asked: the greeting. */
  greeting(): Exchange {
    return this.#await();
  }

  /**
   * Sends a command line. What it holds besides ASCII goes out as octets.
   *
   * @throws RetrievalError `policy` when a part holds CR, LF or NUL.
   */
  send(...parts: readonly (string | Uint8Array)[]): Exchange {
    return this.#write(commandLine(...(this.doublesIac ? parts.map(doubleIac) : parts)), shownLine(parts));
  }

  /** Sends a command whose argument nobody may see (PASS, ACCT). */
  sendSecret(verb: 'PASS' | 'ACCT', secret: Uint8Array): Exchange {
    return this.#write(commandLine(`${verb} `, secret), `${verb} ***`);
  }

  /** Sends a command and waits for its final reply. */
  command(...parts: readonly (string | Uint8Array)[]): Promise<FtpReply> {
    return this.send(...parts).final;
  }

  #write(line: Uint8Array, shown: string): Exchange {
    const exchange = this.#await();
    this.say(line, shown);
    return exchange;
  }

  #await(): Exchange {
    const pending: PendingExchange = {
      first: Promise.withResolvers(),
      final: Promise.withResolvers(),
      preliminaries: 0,
    };
    pending.first.promise.catch(() => undefined);
    pending.final.promise.catch(() => undefined);
    this.#pending.push(pending);
    if (!this.open)
      this.failure ??= new RetrievalError('incomplete', `the control connection to ${this.host} is closed`);
    if (this.failure !== undefined) this.#fail(this.failure);
    else if (!this.#reading) void this.#read();
    return { first: pending.first.promise, final: pending.final.promise };
  }

  /** Reads as long as replies are due, and not an octet longer: what follows AUTH's reply is not ours. */
  async #read(): Promise<void> {
    this.#reading = true;
    try {
      while (this.#pending.length > 0) this.#dispatch(this.#required(await this.#reply()));
      // A reply too many would pass for the answer to the next command.
      if (this.#lines.takeRest().length > 0)
        throw new RetrievalError('protocol', `${this.host} sent more replies than commands`);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#reading = false;
    }
  }

  #reply(): Promise<FtpReply | undefined> {
    return readReply(this.#lines, this.#options, (code, words) => this.#heard(code, words));
  }

  #required(reply: FtpReply | undefined): FtpReply {
    if (reply) return reply;
    throw new RetrievalError('incomplete', `${this.host} closed the control connection where a reply was due`);
  }

  #dispatch(reply: FtpReply): void {
    const [pending] = this.#pending;
    if (!pending) return;
    pending.first.resolve(reply);
    if (isPreliminary(reply)) {
      pending.preliminaries += 1;
      if (pending.preliminaries > maxPreliminaries)
        throw new RetrievalError(
          'limit',
          `${this.host} sent more than ${maxPreliminaries} preliminary replies to one command`,
        );
      return;
    }
    pending.final.resolve(reply);
    this.#pending.shift();
    // 421: the server closes the control connection; nobody else gets an answer (RFC 959 §4.2.2).
    if (reply.code === 421)
      throw new RetrievalError('incomplete', `${this.host} closes the session: 421 ${reply.text}`, {
        reply: { code: 421, text: reply.text },
      });
  }

  #heard(code: string, words: string): string {
    const shown = this.masked(words);
    this.report({ type: 'received', text: `${code}${shown}` });
    return shown;
  }

  #fail(error: unknown): void {
    this.failure ??= error;
    for (const pending of this.#pending.splice(0)) {
      pending.first.reject(error);
      pending.final.reject(error);
    }
  }
}

const IAC = 0xff;

const doubleIac = (part: string | Uint8Array): string | Uint8Array =>
  typeof part === 'string'
    ? part
    : Uint8Array.from([...part].flatMap((octet) => (octet === IAC ? [IAC, IAC] : [octet])));
