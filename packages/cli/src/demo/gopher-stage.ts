/** `gopher:`: a menu and a text (RFC 1436). */
import type { Socket } from 'node:net';
import type { OpenStage, Stage } from './stage.ts';
import { openTcpStage } from './tcp-stage.ts';

function serve(socket: Socket): void {
  socket.once('data', (request) => {
    const { localPort = 70 } = socket;
    const selector = String(request).trimEnd();
    const menu = [
      'iWelcome to gopherspace\t\terror.host\t1',
      `0About gopher\tabout.txt\t127.0.0.1\t${localPort}`,
      `1More of it\tmore\t127.0.0.1\t${localPort}`,
    ];
    const text = ['Gopher was made in 1991 at the University of Minnesota.', 'Its menus were the web before the web.'];
    const lines =
      selector === '' ? menu : selector === 'about.txt' ? text : [`3'${selector}' does not exist\t\terror.host\t1`];
    socket.end([...lines, '.', ''].join('\r\n'));
  });
}

const scenes: OpenStage['scenes'] = ({ gopher }) => [
  { title: 'a menu', url: `${gopher}/` },
  { title: 'a text', url: `${gopher}/0about.txt` },
];

export const gopherStage: Stage = { scheme: 'gopher', open: () => openTcpStage('gopher', scenes, serve) };
