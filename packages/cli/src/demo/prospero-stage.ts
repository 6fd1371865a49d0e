/** `prospero:`: a directory, a file and an Archie search, all of which lead to the FTP server (RFC 1738 §3.11). */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { OpenStage, Origins, Stage } from './stage.ts';

const SEARCH = 'ARCHIE/MATCH(95,95,95,0,S)/';

/** Answers the commands of one message in order, up to the first that fails. */
function answer(request: string, ftp: string): string {
  const file = `AFTP INTERNET-D ${ftp} ASCII '/pub/rfc1738.txt' TEXT`;
  let name = '';
  let text = '';
  for (const line of request.split('\n')) {
    const [, command, written = ''] = /^(GET-OBJECT-INFO|DIRECTORY|LIST)(?:.* ASCII (\S+))?/.exec(line) ?? [];
    if (command === 'DIRECTORY') name = written.replaceAll("'", '');
    else if (command === 'GET-OBJECT-INFO') text += objectInfo(written.replaceAll("'", ''), file);
    else if (command === 'LIST') text += links(name, ftp);
    if (text.includes('FAILURE')) break;
  }
  return text;
}

function objectInfo(name: string, file: string): string {
  if (name === 'urls') return 'NONE-FOUND\n';
  return name === 'urls/rfc' ? `ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE ${file}\n` : 'FAILURE NOT-FOUND\n';
}

function links(name: string, ftp: string): string {
  if (name.startsWith(SEARCH)) {
    const found = ['rfc1738.txt', 'read me.txt'].filter((file) => file.includes(name.slice(SEARCH.length)));
    const lines = found.map(
      (file) =>
        `LINK  L EXTERNAL '${file}' INTERNET-D ${ftp} ASCII '/pub/${file}' 0\n` +
        "ATTRIBUTE CACHED FIELD ACCESS-METHOD AFTP '' '' '' '' BINARY\n",
    );
    return lines.join('') || 'NONE-FOUND\n';
  }
  if (name !== 'urls') return 'FAILURE NOT-A-DIRECTORY\n';
  return "LINK  L FILE 'The URL specification' INTERNET-D LOCALHOST ASCII 'urls/rfc' 0\n";
}

export const prosperoStage: Stage = {
  scheme: 'prospero',
  async open() {
    // Known when all servers are open.
    let ftp = 'LOCALHOST';
    const socket = createSocket('udp4');
    socket.on('message', (packet, { address, port }) => {
      // A packet of number 0 acknowledges or cancels: there is nothing to answer.
      if (packet.length < 9 || packet.readUInt16BE(3) === 0) return;
      const text = answer(packet.toString('latin1', packet[0]), ftp);
      // The shortest header there is: the length and the connection, for the only packet of an answer (ARDP).
      socket.send([Uint8Array.of(3, packet[1]!, packet[2]!), Buffer.from(text, 'latin1')], port, address);
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const origin = `prospero://127.0.0.1:${socket.address().port}`;
    return {
      origin,
      scenes(origins) {
        ftp = hostOf(origins);
        return scenes(origin);
      },
      close: () => socket.close(),
    };
  },
};

function hostOf({ ftp = '' }: Origins): string {
  return ftp.replace(/^ftp:\/\/(.+):(\d+)$/, '$1($2)');
}

const scenes = (origin: string): ReturnType<OpenStage['scenes']> => [
  { title: 'a directory of links', url: `${origin}/urls` },
  { title: 'a file, which another protocol has', url: `${origin}/urls/rfc` },
  { title: 'an Archie search', url: `${origin}/${SEARCH}rfc` },
];
