/** A connection to a news server (RFC 3977 §3): commands out, responses in, in order; any number may be outstanding. */
import type { Socket } from 'node:net';
import {
  commandLine,
  Dialogue,
  LineReader,
  RetrievalError,
  shownLine,
  socketSource,
  type OctetSource,
  type TraceEvent,
} from '@retriever/driver';
import { Block, maxVainBytes } from './block.ts';
import { parseResponse, refusal, type Response } from './response.ts';

export interface ConnectionOptions {
  /** Where it leads, for errors. */
  readonly host: string;
  readonly maxLineBytes: number;
}

/** A command line, in parts that make one line. */
export interface Command {
  readonly line: readonly (string | Uint8Array)[];
  /** The response that a text follows; none of the command's responses has one if left out. */
  readonly textAfter?: number | undefined;
  /** Learns from the answer, whatever it is, and may read the text behind it. */
  readonly heed?: (answer: Answer) => void | Promise<void>;
}

/** A response, and the text that follows it. */
export interface Answer extends Response {
  readonly block?: Block;
}

/** Commands sent before their turn: behind the one whose answer somebody else is reading. */
export interface Ahead {
  /** `waiting` for the turn, `taken` by who sent it, or `lost`: read past, or withdrawn. */
  state: 'waiting' | 'taken' | 'lost';
}

/** What the server owes: the response to a command. */
interface Due extends Omit<Command, 'line'> {
  readonly ahead?: Ahead;
}

export class NewsConnection extends Dialogue {
  readonly #source: RereadableSource;
  readonly #lines: LineReader;
  /** The responses that are due, in order. At first it is the greeting. */
  readonly #owed: Due[] = [{}];
  #block: Block | undefined;

  constructor(socket: Socket, options: ConnectionOptions, report: (event: TraceEvent) => void) {
    super(socket, options.host, report);
    this.#source = new RereadableSource(socketSource(socket));
    this.#lines = new LineReader(this.#source, { maxLineBytes: options.maxLineBytes });
  }

  protected override get due(): boolean {
    return this.owed || !this.#textRead;
  }

  /** Whether a response is due. */
  get owed(): boolean {
    return this.#owed.length > 0;
  }

  /** What others sent before their turn may be owed still. */
  override get usable(): boolean {
    if (!this.owed) return super.usable && !this.#source.holdsOctets;
    return this.open && this.#textRead && this.#owed.every(({ ahead }) => ahead && ahead.state !== 'taken');
  }

  /**
   * Sends a command. What it holds besides ASCII goes out as octets.
   *
   * @throws RetrievalError `policy` when a part holds CR, LF or NUL.
   */
  send({ line, textAfter }: Command): void {
    this.#write(commandLine(...line), shownLine(line), { textAfter });
  }

  /**
   * Sends commands before their turn (RFC 3977 §3.5). Once that has come and they are `taken`, {@link response} gives their
   * responses; who reads a response without having taken them reads past them.
   */
  sendAhead(commands: readonly Command[], report: (event: TraceEvent) => void): Ahead {
    const ahead: Ahead = { state: 'waiting' };
    this.together(() => {
      for (const { line, ...due } of commands)
        this.#write(commandLine(...line), shownLine(line), { ...due, ahead }, report);
    });
    return ahead;
  }

  /** Sends the password, which nobody may see. */
  sendPassword(password: Uint8Array): void {
    this.#write(commandLine('AUTHINFO PASS ', password), 'AUTHINFO PASS ***');
  }

  /** Reads past what is due before the response to these commands. */
  async reach(ahead: Ahead): Promise<void> {
    await this.#orFail(() => this.#passOthers(ahead));
  }

  /**
   * The next response. A text that follows it must be read before the response after it.
   *
   * @throws RetrievalError `incomplete` when the server closed, `refused` for 400, with which it says that it will.
   */
  response(): Promise<Answer> {
    return this.#orFail(async () => {
      if (!this.#textRead) throw new TypeError('the text before this response has not been read');
      await this.#passOthers();
      return this.#next();
    });
  }

  /** After STARTTLS nobody greets (RFC 4642 §2.2.2). */
  expectNoGreeting(): this {
    this.#owed.length = 0;
    return this;
  }

  /** Whether the text behind the last response was read to its end. */
  get #textRead(): boolean {
    return this.#block?.ended ?? true;
  }

  async #next(): Promise<Answer> {
    const line = await this.#lines.line();
    this.#source.unread(this.#lines.takeRest());
    if (!line) throw new RetrievalError('incomplete', `${this.host} closed the connection where a response was due`);
    const response = parseResponse(line, (text) => this.masked(text));
    this.report({ type: 'received', text: `${response.code} ${response.text}` });
    const due = this.#owed.shift();
    // RFC 3977 §3.2.1: the server closes the connection; nobody else gets an answer.
    if (response.code === 400) throw refusal(`a request to ${this.host}`, response);
    this.#block = response.code === due?.textAfter ? new Block(this.#source, this.host) : undefined;
    return { ...response, ...(this.#block && { block: this.#block }) };
  }

  /** Whatever goes wrong with reading, nobody knows what comes next. */
  async #orFail<T>(read: () => Promise<T>): Promise<T> {
    try {
      if (this.failure !== undefined) throw this.failure as Error;
      return await read();
    } catch (error) {
      this.failure ??= error;
      throw error;
    }
  }

  /** Reads past what others sent before their turn: they gave up, or will ask again. */
  async #passOthers(until?: Ahead): Promise<void> {
    for (;;) {
      const { ahead, heed } = this.#owed[0] ?? {};
      if (!ahead || ahead === until || ahead.state === 'taken') return;
      ahead.state = 'lost';
      this.report({ type: 'note', text: 'reading past a response that somebody else asked for' });
      const answer = await this.#next();
      await heed?.(answer);
      await answer.block?.skip(maxVainBytes).catch((cause: unknown) => {
        throw new RetrievalError('incomplete', `the session with ${this.host} is not worth keeping`, { cause });
      });
    }
  }

  #write(line: Uint8Array, shown: string, due: Due = {}, report = this.report): void {
    this.#owed.push(due);
    this.say(line, shown, report);
  }
}

/** Octets that were read too far are read again. */
class RereadableSource implements OctetSource {
  readonly #source: OctetSource;
  #held: Uint8Array | undefined;

  constructor(source: OctetSource) {
    this.#source = source;
  }

  get holdsOctets(): boolean {
    return this.#held !== undefined;
  }

  unread(octets: Uint8Array): void {
    if (octets.length > 0) this.#held = octets;
  }

  async read(): Promise<Uint8Array | undefined> {
    const held = this.#held;
    this.#held = undefined;
    return held ?? this.#source.read();
  }
}
