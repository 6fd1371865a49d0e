/** An FTP server for tests: files by their paths, replies that can be replaced, a record of what it was told. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterTests } from './cleanup.ts';

export interface FtpScript {
  /** By the name that RETR gives. */
  readonly files?: Readonly<Record<string, string>>;
  /** What LIST and NLST send. */
  readonly list?: string;
  readonly mlsd?: string;
  /** A reply to a verb (`TYPE`), or to a whole command (`CWD secret`); `null` closes the connection. */
  readonly replies?: Readonly<Record<string, string | null>>;
  /** Octets sent of a file before the data connection ends; all, if not given. */
  readonly cutAt?: number;
}

export interface FtpPeer {
  readonly url: string;
  readonly commands: readonly string[];
}

export async function ftpPeer(script: FtpScript = {}): Promise<FtpPeer> {
  const commands: string[] = [];
  const server = createServer((control) => converse(control, script, commands));
  const port = await listen(server);
  return { url: `ftp://127.0.0.1:${port}`, commands };
}

export function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.on('close', () => sockets.delete(socket));
  });
  afterTests(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function converse(control: Socket, script: FtpScript, commands: string[]): void {
  const { files = {}, list = '', mlsd = '', replies = {}, cutAt } = script;
  let data: Promise<Socket> | undefined;
  let restart = 0;
  const reply = (text: string): void => void control.write(`${text}\r\n`, 'latin1');
  const send = (octets: string | undefined, announced: string): void => {
    if (octets === undefined) return reply('550 No such file.');
    reply(`150 ${announced}`);
    const part = Buffer.from(octets.slice(restart, cutAt), 'latin1');
    restart = 0;
    void data?.then((socket) => socket.end(part, () => reply(replies['END'] ?? '226 Done.')));
    return undefined;
  };
  const answer = (line: string): void => {
    const [verb = '', ...words] = line.split(' ');
    const name = words.join(' ');
    const own = replies[line] ?? replies[verb];
    if (own === null) return void control.destroy();
    if (own !== undefined) return reply(own);
    switch (verb) {
      case 'USER':
        return reply('331 Password?');
      case 'PASS':
        return reply('230 Welcome.');
      case 'PWD':
        return reply('257 "/"');
      case 'CWD':
        return reply('250 Done.');
      case 'TYPE':
        return reply('200 Done.');
      case 'FEAT':
        return reply(mlsd === '' ? '502 No.' : '211-\r\n MLST type*;size*;modify*;\r\n211 End');
      case 'EPSV': {
        const server = createServer();
        data = new Promise((resolve) => server.once('connection', (socket: Socket) => resolve(socket)));
        return listenOnce(server, (port) => reply(`229 Here (|||${port}|)`));
      }
      case 'SIZE':
        return reply(name in files ? `213 ${files[name]!.length}` : '550 No such file.');
      case 'MDTM':
        return reply(name in files ? '213 20030409102659' : '550 No such file.');
      case 'REST':
        restart = Number(name);
        return reply('350 Go on.');
      case 'RETR':
        return send(files[name], 'File follows.');
      case 'LIST':
      case 'NLST':
        return send(list, 'List follows.');
      case 'MLSD':
        return send(mlsd, 'List follows.');
      case 'QUIT':
        return reply('221 Bye.');
      default:
        return reply('502 No.');
    }
  };
  control.on('error', () => undefined);
  reply(replies['GREETING'] ?? '220 Hello.');
  let pending = '';
  control.on('data', (chunk: Buffer) => {
    const lines = (pending + chunk.toString('latin1')).split('\r\n');
    pending = lines.pop() ?? '';
    for (const line of lines) {
      commands.push(line);
      answer(line);
    }
  });
}

/** A data connection's server takes one connection and is gone. */
function listenOnce(server: Server, ready: (port: number) => void): void {
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => undefined);
    server.close();
  });
  server.listen(0, '127.0.0.1', () => {
    server.unref();
    ready((server.address() as AddressInfo).port);
  });
}
