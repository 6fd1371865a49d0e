/** A session with a service at a person's terminal, with `^]` as the way out. */
import type { ReadStream } from 'node:tty';
import type { ServiceStream } from '@retriever/driver';
import { rawMode } from './raw-mode.ts';
import { TypedLine } from './typed-line.ts';

/** Ctrl-], the escape of every telnet command. */
const escape = 0x1d;

const prompt = 'retriever> ';

const help = `Commands may be shortened:
  close      close the session
  status     tell what it is connected to
  escape     send the escape character itself
  continue   go back to the session; an empty line does, too
  help       this text
`;

const commands = ['close', 'quit', 'status', 'escape', 'continue', 'help', '?'] as const;

export interface Screen {
  /** The service's output, as it is: it is a terminal session. */
  readonly write: (octets: Uint8Array) => void | Promise<void>;
  /** What is typed, and what the command itself says. */
  readonly show: (octets: Uint8Array | string) => void;
}

/** Resolves when either side closed the session; the terminal is as it was, then. */
export async function terminalSession(
  stream: ServiceStream,
  place: string,
  terminal: ReadStream,
  screen: Screen,
): Promise<void> {
  const session = new TerminalSession(stream, place, screen);
  const onData = (chunk: Buffer): void => session.type(chunk);
  const onGone = (): void => session.close();
  const onResize = (): void => stream.resize?.(process.stdout.columns, process.stdout.rows);
  const raw = rawMode(terminal, (failure) => stream.destroy(failure));
  terminal.on('data', onData).on('end', onGone).on('error', onGone);
  process.stdout.on('resize', onResize);
  if (process.stdout.isTTY) onResize();
  try {
    await session.run();
  } finally {
    raw[Symbol.dispose]();
    process.stdout.off('resize', onResize);
    terminal.off('data', onData).off('end', onGone).pause();
  }
}

class TerminalSession {
  readonly #stream: ServiceStream;
  readonly #place: string;
  readonly #screen: Screen;
  /** What is typed to a service that does not show it. */
  readonly #line: TypedLine;
  readonly #command: TypedLine;
  /** Set while the prompt is open: the service's output waits. */
  #prompting: PromiseWithResolvers<void> | undefined;
  #closed = false;

  constructor(stream: ServiceStream, place: string, screen: Screen) {
    this.#stream = stream;
    this.#place = place;
    this.#screen = screen;
    const echo = screen.show;
    this.#line = new TypedLine({
      echo,
      line: (octets) => this.#send(Buffer.concat([octets, Buffer.from('\r\n')])),
      // As if the terminal were not in raw mode.
      interrupt: () => process.kill(process.pid, 'SIGINT'),
      end: () => stream.end(),
    });
    this.#command = new TypedLine({
      echo,
      line: (octets) => this.#obey(Buffer.from(octets).toString().trim()),
      interrupt: () => this.#resume(),
      end: () => this.close(),
    });
  }

  /** Shows what the service says, until the session is over. */
  async run(): Promise<void> {
    const { show } = this.#screen;
    show(`Connected to ${this.#place}; the escape character is ^]\r\n`);
    this.#stream.once('close', () => this.#prompting?.resolve());
    try {
      for await (const chunk of this.#stream) {
        await this.#prompting?.promise;
        await this.#screen.write(chunk as Uint8Array);
      }
      show(`\r\n${this.#place} closed the session\r\n`);
    } catch (error) {
      if (!this.#closed) throw error;
      show('\r\nThe session is closed\r\n');
    }
  }

  /** What came from the keyboard, or was pasted: any number of keys. */
  type(octets: Uint8Array): void {
    for (let at = 0; at < octets.length;) {
      if (this.#prompting) this.#command.type(octets[at++]!);
      else if (octets[at] === escape) {
        at += 1;
        this.#openPrompt();
      } else {
        const next = octets.indexOf(escape, at);
        const end = next < 0 ? octets.length : next;
        this.#pass(octets.subarray(at, end));
        at = end;
      }
    }
  }

  close(): void {
    this.#closed = true;
    this.#stream.destroy();
  }

  /** To a service that shows what is typed goes every key; to any other, lines. */
  #pass(octets: Uint8Array): void {
    if (this.#stream.remoteEcho) this.#send(Buffer.concat([this.#line.take(), octets]));
    else for (const octet of octets) this.#line.type(octet);
  }

  #send(octets: Uint8Array): void {
    if (this.#stream.writable) this.#stream.write(octets);
  }

  #openPrompt(): void {
    this.#prompting = Promise.withResolvers();
    this.#screen.show(`\r\n${prompt}`);
  }

  #resume(): void {
    this.#prompting?.resolve();
    this.#prompting = undefined;
  }

  #obey(text: string): void {
    if (text === '') return this.#resume();
    const candidates = commands.filter((name) => name.startsWith(text.toLowerCase()));
    const { show } = this.#screen;
    switch (candidates.length === 1 ? candidates[0] : undefined) {
      case 'close':
      case 'quit':
        return this.close();
      case 'continue':
        return this.#resume();
      case 'escape':
        this.#send(Uint8Array.of(escape));
        return this.#resume();
      case 'status':
        show(`${this.#status()}\r\n`);
        break;
      case 'help':
      case '?':
        show(help.replaceAll('\n', '\r\n'));
        break;
      default:
        show(candidates.length > 1 ? `Either ${candidates.join(' or ')}?\r\n` : 'No such command; help tells more\r\n');
    }
    show(prompt);
  }

  #status(): string {
    const { remoteEcho = false } = this.#stream;
    const { columns, rows } = process.stdout;
    const typing = remoteEcho ? 'what is typed is sent key by key' : 'what is typed is shown here and sent by lines';
    return `Connected to ${this.#place}; ${typing}; the window has ${columns} columns and ${rows} rows`;
  }
}
