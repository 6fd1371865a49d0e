/** A scripted FTP server: answers from a table, data from a table, every command on record. */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { scriptedPeer, type PeerConnection, type ScriptedPeer } from '@retriever/driver/testing';

export interface FtpPeerOptions {
  readonly greeting?: string;
  /**
   * Replies by command line (`CWD a`) or else by verb (`CWD`), without the last CR LF; a function is given the line.
   * `''` answers nothing; `null` closes the connection.
   */
  readonly replies?: Readonly<Record<string, string | null | ((line: string) => string | null)>>;
  /** What the data connection carries, by command line or verb. Others are answered 550. */
  readonly data?: Readonly<Record<string, string | Uint8Array>>;
  /** Plays a transfer instead of the usual one; the command is RETR, LIST, NLST or MLSD. */
  readonly transfer?: (transfer: PeerTransfer) => Promise<void>;
  readonly octetByOctet?: boolean;
}

export interface PeerTransfer {
  readonly line: string;
  readonly control: PeerConnection;
  /** Resolves when the client has connected. */
  readonly socket: Promise<Socket>;
}

export interface FtpPeer extends ScriptedPeer {
  /** Every command line, of all sessions. */
  readonly commands: readonly string[];
  /** `ftp://127.0.0.1:port` and the path. */
  url(path: string, login?: string): string;
}

const usual: Readonly<Record<string, string>> = {
  USER: '331 password, please',
  PASS: '230 welcome',
  CWD: '250 changed',
  TYPE: '200 type set',
  SIZE: '550 no size',
  MDTM: '500 unknown command',
  REST: '350 restarting',
  FEAT: '211-Features:\r\n SIZE\r\n211 End',
  NOOP: '200 ok',
};

export function ftpPeer(options: FtpPeerOptions = {}): Promise<FtpPeer> {
  const commands: string[] = [];
  return scriptedPeer((connection) => serve(connection, options, commands), {
    octetByOctet: options.octetByOctet ?? false,
  }).then((peer) =>
    // Getters of the peer must stay alive.
    Object.defineProperties(peer as FtpPeer, {
      commands: { get: () => commands },
      url: { value: (path: string, login = '') => `ftp://${login}127.0.0.1:${peer.port}${path}` },
    }),
  );
}

/** Serves one control connection. */
export async function serve(
  connection: PeerConnection,
  options: FtpPeerOptions,
  commands: string[] = [],
): Promise<void> {
  const { greeting = '220 ready', replies = {}, data = {} } = options;
  let passive: DataPort | undefined;
  let directory = '/home';
  await connection.send(`${greeting}\r\n`);
  try {
    for (;;) {
      const line = await connection.line();
      commands.push(line);
      const [verb = ''] = line.split(' ');
      const reply = replies[line] ?? replies[verb];
      const answer = typeof reply === 'function' ? reply(line) : reply;
      if (answer === null || line === 'QUIT') return;
      if (answer === '') continue;
      if (answer !== undefined) {
        await connection.send(`${answer.replaceAll('<port>', String(passive?.port ?? 0))}\r\n`);
      } else if (verb === 'EPSV' || verb === 'PASV') {
        passive?.close();
        passive = await dataPort();
        await connection.send(
          verb === 'EPSV'
            ? `229 extended passive (|||${passive.port}|)\r\n`
            : `227 passive (${passiveNumbers(passive.port)})\r\n`,
        );
      } else if (passive && options.transfer && /^(RETR|LIST|NLST|MLSD)/.test(line)) {
        await options.transfer({ line, control: connection, socket: passive.socket });
      } else if (passive && (data[line] ?? data[verb]) !== undefined) {
        const octets = data[line] ?? data[verb] ?? '';
        await connection.send(`150 here it comes (${octets.length} bytes)\r\n`);
        await sendData(await passive.socket, octets);
        await connection.send('226 done\r\n');
      } else {
        if (verb === 'CWD') directory = `${directory}/${line.slice(4)}`;
        const refusal = /^(RETR|NLST|LIST|MLSD)/.test(line) ? '550 no such thing' : '500 what?';
        await connection.send(`${verb === 'PWD' ? `257 "${directory}"` : (usual[verb] ?? refusal)}\r\n`);
      }
    }
  } finally {
    passive?.close();
  }
}

interface DataPort {
  readonly port: number;
  readonly socket: Promise<Socket>;
  close(): void;
}

/** Opens a port for one data connection. */
async function dataPort(): Promise<DataPort> {
  const arrived = Promise.withResolvers<Socket>();
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    arrived.resolve(socket);
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, socket: arrived.promise, close: () => server.close() };
}

/** PASV's numbers; the address is one that nobody can reach, so that using it fails. */
export function passiveNumbers(port: number, address = '10,9,8,7'): string {
  return `${address},${port >> 8},${port & 255}`;
}

/** Sends and ends the data connection. */
export function sendData(socket: Socket, octets: string | Uint8Array): Promise<void> {
  return new Promise((resolve) =>
    socket.end(typeof octets === 'string' ? Buffer.from(octets, 'latin1') : octets, () => resolve()),
  );
}
