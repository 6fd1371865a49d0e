/** `wais:`: a database of two documents (RFC 1625). */
import type { Socket } from 'node:net';
import type { OpenStage, Stage } from './stage.ts';
import { openTcpStage } from './tcp-stage.ts';
import { waisAnswer, waisMessages, type WaisLibrary } from './wais-server.ts';

const library: WaisLibrary = {
  database: 'history',
  description:
    '(:source\n   :version 3\n   :database-name "history"\n   :description "Programs from before the web"\n)\n',
  documents: [
    {
      headline: 'WAIS and its questions',
      types: {
        TEXT: Buffer.from('WAIS was made in 1991 at Thinking Machines.\nIt answered questions in plain words.\n'),
      },
    },
    { headline: 'Archie and its answers', types: { TEXT: Buffer.from('Archie listed what FTP servers had.\n') } },
  ],
};

function serve(socket: Socket): void {
  let pending: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    const { messages, rest } = waisMessages(Buffer.concat([pending, chunk]));
    pending = rest;
    for (const message of messages) {
      const answer = waisAnswer(message, library);
      if (answer) socket.write(answer);
      else socket.end();
    }
  });
}

const scenes: OpenStage['scenes'] = ({ wais }) => [
  { title: 'a database, which describes itself', url: `${wais}/history` },
  { title: 'a search', url: `${wais}/history?plain+words` },
  { title: 'a document', url: `${wais}/history/TEXT/82/2=demo;3=0;7=%00;` },
];

export const waisStage: Stage = { scheme: 'wais', open: () => openTcpStage('wais', scenes, serve) };
