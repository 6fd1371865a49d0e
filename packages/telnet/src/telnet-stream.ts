/** A telnet session as a stream: data in and out, the protocol of RFC 854 between. */
import { Duplex } from 'node:stream';
import { ascii, connectionLost, RetrievalError, type ServiceStream, type TraceEvent } from '@retriever/driver';
import { BINARY, commandName, ECHO, NAWS, optionName, requestName, TTYPE, type Verb } from './codes.ts';
import { encodeData, encodeRequest, encodeTerminalType, encodeWindowSize } from './encode.ts';
import { Negotiation, type Side } from './negotiation.ts';
import { TelnetParser } from './parser.ts';

export interface TelnetStreamOptions {
  /** The terminal's name, as RFC 1091 has it told to the server. */
  readonly terminalType: string;
  /** In characters; 0 leaves it to the server (RFC 1073). */
  readonly windowSize: { readonly columns: number; readonly rows: number };
  /** Ask for 8-bit data both ways (RFC 856). */
  readonly binary: boolean;
  readonly report: (event: TraceEvent) => void;
}

/** RFC 1091: the server wants the terminal type. */
const SEND = 1;

/** A peer may negotiate for ever; nobody reads a trace of it. */
const maxReports = 512;

/**
 * A negotiated session over a connection.
 *
 * Reading gives the data that the server sends, as octets: commands taken out, doubled 0xFF undone, the NUL after a CR
 * dropped. Writing takes octets of data: `\r` is the Enter key, which any telnetd understands; `\r\n`, written in one piece,
 * is the line end of RFC 854, but where the server asked for BINARY (inetutils telnetd does) its terminal takes it for two.
 * What is written after the server closed is lost. Ending it closes our direction only; destroying it the connection.
 *
 * Other commands of the server (GA, AYT, IP, AO, EC, EL …) change nothing; each is told by the event `command`, with its
 * name.
 */
export class TelnetStream extends Duplex implements ServiceStream {
  readonly #socket: Duplex;
  readonly #parser: TelnetParser;
  readonly #negotiation: Negotiation;
  readonly #terminalType: Uint8Array;
  readonly #report: (event: TraceEvent) => void;
  #windowSize: { readonly columns: number; readonly rows: number };
  /** Answers to the chunk at hand, sent together. */
  #answers: Uint8Array[] = [];
  #reports = 0;
  /** There is room for more data. */
  #wanted = true;

  constructor(socket: Duplex, { terminalType, windowSize, binary, report }: TelnetStreamOptions) {
    super({ allowHalfOpen: false });
    this.#socket = socket;
    this.#terminalType = ascii(terminalType);
    this.#windowSize = { columns: sixteenBits(windowSize.columns), rows: sixteenBits(windowSize.rows) };
    this.#report = report;
    this.#negotiation = new Negotiation({
      send: (verb, option) => this.#answer(encodeRequest(verb, option), requestName(verb, option)),
      changed: (side, option, on) => this.#changed(side, option, on),
      exhausted: () =>
        report({ type: 'note', text: 'the server negotiates without end; it is not answered until it sends data' }),
    });
    this.#parser = new TelnetParser({
      request: (verb, option) => this.#request(verb, option),
      subnegotiation: (option, octets) => this.#subnegotiation(option, octets),
      data: () => this.#negotiation.progress(),
      command: (code) => this.#command(commandName(code)),
      isBinary: () => this.#negotiation.isOn('peer', BINARY),
    });
    if (binary) for (const side of ['us', 'peer'] as const) this.#negotiation.ask(side, BINARY, true);
    this.#sendAnswers();
    this.#listen();
  }

  /** Whether the server shows what is typed (RFC 857), at this moment. */
  get remoteEcho(): boolean {
    return this.#negotiation.isOn('peer', ECHO);
  }

  /** Tells the server a new size of the window, in characters, if it wants to know it (RFC 1073). */
  resize(columns: number, rows: number): void {
    const size = { columns: sixteenBits(columns), rows: sixteenBits(rows) };
    if (size.columns === this.#windowSize.columns && size.rows === this.#windowSize.rows) return;
    this.#windowSize = size;
    if (!this.#negotiation.isOn('us', NAWS) || !this.#socket.writable) return;
    this.#tellWindowSize();
    this.#sendAnswers();
  }

  override _read(): void {
    this.#wanted = true;
    this.#pace();
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (!this.#socket.writable) done();
    else this.#socket.write(encodeData(chunk, this.#negotiation.isOn('us', BINARY)), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    if (this.#socket.writable) this.#socket.end(done);
    else done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  #listen(): void {
    const socket = this.#socket;
    let ended = false;
    socket.on('data', (chunk: Uint8Array) => this.#receive(chunk));
    socket.on('drain', () => this.#pace());
    socket.on('end', () => {
      ended = true;
      this.push(null);
    });
    socket.on('error', (error) => this.destroy(connectionLost(error)));
    socket.on('close', () => {
      if (!ended) this.destroy(new RetrievalError('incomplete', 'the connection was closed'));
    });
  }

  #receive(chunk: Uint8Array): void {
    const data = this.#parser.parse(chunk);
    this.#sendAnswers();
    if (data.length > 0) this.#wanted = this.push(data);
    this.#pace();
  }

  /** Reads on while the reader has room, and while the server takes our answers: they must not pile up either. */
  #pace(): void {
    if (this.#wanted && !this.#socket.writableNeedDrain) this.#socket.resume();
    else this.#socket.pause();
  }

  #request(verb: Verb, option: number): void {
    this.#trace('received', requestName(verb, option));
    this.#negotiation.receive(verb, option);
  }

  #changed(side: Side, option: number, on: boolean): void {
    if (side === 'us' && option === NAWS && on) this.#tellWindowSize();
  }

  #subnegotiation(option: number, octets: Uint8Array): void {
    const wanted = option === TTYPE && octets[0] === SEND;
    this.#trace('received', `SB ${optionName(option)}${wanted ? ' SEND' : ''}`);
    if (!wanted || !this.#negotiation.isOn('us', TTYPE) || !this.#negotiation.mayAnswer()) return;
    this.#answer(encodeTerminalType(this.#terminalType), `SB TTYPE IS ${Buffer.from(this.#terminalType).toString()}`);
  }

  #command(name: string): void {
    this.#trace('received', name);
    this.emit('command', name);
  }

  #tellWindowSize(): void {
    const { columns, rows } = this.#windowSize;
    this.#answer(encodeWindowSize(this.#windowSize), `SB NAWS ${columns} ${rows}`);
  }

  #answer(octets: Uint8Array, text: string): void {
    this.#trace('sent', text);
    this.#answers.push(octets);
  }

  #sendAnswers(): void {
    const answers = this.#answers.splice(0);
    if (answers.length > 0 && this.#socket.writable) this.#socket.write(Buffer.concat(answers));
  }

  #trace(type: 'sent' | 'received', text: string): void {
    this.#reports += 1;
    if (this.#reports <= maxReports) this.#report({ type, text });
    if (this.#reports === maxReports) this.#report({ type: 'note', text: 'further negotiation is not reported' });
  }
}

function sixteenBits(count: number): number {
  return Math.min(Math.max(0, Math.trunc(count) || 0), 0xffff);
}
