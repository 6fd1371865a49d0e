/** A scripted news server: answers from a table, every command on record. */
import { scriptedPeer, type PeerConnection, type ScriptedPeer } from '@retriever/driver/testing';

export interface NewsPeerOptions {
  readonly greeting?: string;
  /**
   * Responses by command line (`GROUP a`) or else by verb (`GROUP`), with texts and their dots but without the last CR LF; a
   * function is given the line and how often it came before. `''` answers nothing; `null` closes the connection.
   */
  readonly responses?: Readonly<Record<string, string | null | ((line: string, before: number) => string | null)>>;
  readonly octetByOctet?: boolean;
}

export interface NewsPeer extends ScriptedPeer {
  /** Every command line, of all sessions. */
  readonly commands: readonly string[];
  /** `nntp://127.0.0.1:port/` and the path. */
  url(path: string, scheme?: string, login?: string): string;
}

export function newsPeer(options: NewsPeerOptions = {}): Promise<NewsPeer> {
  const commands: string[] = [];
  return scriptedPeer((connection) => serve(connection, options, commands), {
    octetByOctet: options.octetByOctet ?? false,
  }).then((peer) =>
    // Getters of the peer must stay alive.
    Object.defineProperties(peer as NewsPeer, {
      commands: { get: () => commands },
      url: {
        value: (path: string, scheme = 'nntp', login = '') => `${scheme}://${login}127.0.0.1:${peer.port}/${path}`,
      },
    }),
  );
}

/** Serves one connection. */
export async function serve(
  connection: PeerConnection,
  { greeting = '200 ready', responses = {} }: NewsPeerOptions,
  commands: string[] = [],
): Promise<void> {
  await connection.send(`${greeting}\r\n`);
  for (;;) {
    const line = await connection.line();
    if (line === 'QUIT') return;
    const before = commands.filter((each) => each === line).length;
    commands.push(line);
    const [verb = ''] = line.split(' ');
    const response = responses[line] ?? (line in responses ? null : responses[verb]);
    const answer = typeof response === 'function' ? response(line, before) : response;
    if (answer === null) return;
    if (answer !== '') await connection.send(`${answer ?? '500 what?'}\r\n`);
  }
}

/** A response with a text behind it, as it goes over the wire: dots stuffed, ended by the lone dot. */
export function withText(status: string, text: string): string {
  return `${status}\r\n${text.replaceAll(/^\./gm, '..')}${text === '' || text.endsWith('\r\n') ? '' : '\r\n'}.`;
}
