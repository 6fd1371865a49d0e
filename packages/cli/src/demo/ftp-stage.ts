/** `ftp:`: a server of one directory, read only (RFC 959, 2428, 3659). */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { OpenStage, Stage } from './stage.ts';
import { openTcpStage } from './tcp-stage.ts';

const files = new Map([
  ['read me.txt', 'FTP is older than TCP/IP. It still works.\r\n'],
  ['rfc1738.txt', 'Uniform Resource Locators (URL)\r\n'],
]);
const modified = '19941220120000';

/** What a client may ask at any time; the rest is in {@link FtpPeer}. */
const fixedReplies: Readonly<Record<string, string>> = {
  USER: '331 Any password will do.',
  PASS: '230 Welcome.',
  TYPE: '200 As you like.',
  FEAT: '211-Features:\r\n MLST type*;size*;modify*;\r\n SIZE\r\n MDTM\r\n EPSV\r\n UTF8\r\n211 End.',
  PWD: '257 "/" is where you are.',
  NOOP: '200 Here I am.',
  QUIT: '221 Goodbye.',
};

class FtpPeer {
  readonly #control: Socket;
  #passive: Server | undefined;
  #data: Promise<Socket> | undefined;

  constructor(control: Socket) {
    this.#control = control;
    this.#reply("220 The demo's FTP server.");
    let pending = '';
    control.on('data', (chunk) => {
      const lines = (pending + String(chunk)).split('\r\n');
      pending = lines.pop() ?? '';
      for (const line of lines) this.#answer(line);
    });
    control.on('close', () => this.#passive?.close());
  }

  #reply(text: string): void {
    this.#control.write(`${text}\r\n`);
  }

  #answer(line: string): void {
    const [, verb = '', argument = ''] = /^(\w+) ?(.*)$/.exec(line) ?? [];
    const fixed = fixedReplies[verb.toUpperCase()];
    if (fixed !== undefined) return this.#reply(fixed);
    switch (verb.toUpperCase()) {
      case 'CWD':
        return this.#reply(argument === 'pub' || argument === '/' ? '250 Done.' : `550 ${argument}: no such thing.`);
      case 'EPSV':
        return this.#openData();
      case 'SIZE':
        return this.#reply(
          files.has(argument) ? `213 ${files.get(argument)!.length}` : `550 ${argument}: no such thing.`,
        );
      case 'MDTM':
        return this.#reply(files.has(argument) ? `213 ${modified}` : `550 ${argument}: no such thing.`);
      case 'RETR':
        return this.#send(files.get(argument), argument);
      case 'MLSD':
        return this.#send(
          [...files].map(([name, text]) => `type=file;size=${text.length};modify=${modified}; ${name}\r\n`).join(''),
          argument,
        );
      case 'LIST':
        return this.#send(
          [...files].map(([name, text]) => `-r--r--r-- 1 demo demo ${text.length} Dec 20 1994 ${name}\r\n`).join(''),
          argument,
        );
      default:
        return this.#reply(`502 ${verb} is not implemented.`);
    }
  }

  #openData(): void {
    this.#passive?.close();
    const server = createServer();
    this.#passive = server;
    this.#data = new Promise((resolve) =>
      server.once('connection', (socket: Socket) => resolve(socket.on('error', () => undefined))),
    );
    server.listen(0, '127.0.0.1', () =>
      this.#reply(`229 Extended passive mode (|||${(server.address() as AddressInfo).port}|)`),
    );
  }

  #send(octets: string | undefined, name: string): void {
    if (octets === undefined || !this.#data) return this.#reply(`550 ${name}: no such thing.`);
    this.#reply(`150 ${octets.length} octets follow.`);
    void this.#data.then((data) => data.end(octets, () => this.#reply('226 That was all.')));
    this.#data = undefined;
  }
}

const scenes: OpenStage['scenes'] = ({ ftp }) => [
  { title: 'a directory', url: `${ftp}/pub/` },
  { title: 'a file, as text', url: `${ftp}/pub/rfc1738.txt;type=a` },
  { title: 'a file that is not there', url: `${ftp}/pub/nothing` },
];

export const ftpStage: Stage = {
  scheme: 'ftp',
  open: () => openTcpStage('ftp', scenes, (socket) => void new FtpPeer(socket)),
};
