/** `nntp:` and `news:`: a group of two articles (RFC 3977). */
import type { Socket } from 'node:net';
import type { OpenStage, Stage } from './stage.ts';
import { openTcpStage } from './tcp-stage.ts';

const articles = [
  {
    id: '<first@demo.example>',
    head: ['From: Tim <tim@demo.example>', 'Subject: URLs are born', 'Date: Tue, 20 Dec 1994 12:00:00 GMT'],
    body: ['A URL is a compact string representation', 'for a resource available via the Internet.'],
  },
  {
    id: '<second@demo.example>',
    head: ['From: Mark <mark@demo.example>', 'Subject: Re: URLs are born', 'Date: Tue, 20 Dec 1994 13:00:00 GMT'],
    body: ['.. and a line that begins with a dot is sent with two.'],
  },
];

const lines = ({ head, id, body }: (typeof articles)[number]): string[] => [...head, `Message-ID: ${id}`, '', ...body];

/** What a client of this demo asks; the rest is 500. */
function answer(command: string): string[] {
  const [verb = '', argument = ''] = command.split(' ');
  switch (verb.toUpperCase()) {
    case 'CAPABILITIES':
      return ['101 Capabilities:', 'VERSION 2', 'READER', 'OVER', '.'];
    case 'GROUP':
      return argument === 'demo.urls' ? ['211 2 1 2 demo.urls'] : ['411 No such group.'];
    case 'OVER':
      return ['224 Overview:', ...articles.map((article, at) => overview(article, at + 1)), '.'];
    case 'ARTICLE':
      return found(articles.find(({ id }) => id === argument) ?? articles[Number(argument) - 1]);
    case 'QUIT':
      return ['205 Goodbye.'];
    default:
      return ['500 What?'];
  }
}

function found(article: (typeof articles)[number] | undefined): string[] {
  if (!article) return ['430 No such article.'];
  return [`220 ${articles.indexOf(article) + 1} ${article.id}`, ...lines(article), '.'];
}

/** RFC 3977 §8.3: number, subject, from, date, message-id, references, octets, lines. */
function overview(article: (typeof articles)[number], number: number): string {
  const [from, subject, date] = article.head.map((field) => field.replace(/^[\w-]+: /, ''));
  return [number, subject, from, date, article.id, '', lines(article).join('\r\n').length, article.body.length].join(
    '\t',
  );
}

function serve(socket: Socket): void {
  socket.write("200 The demo's news server.\r\n");
  let pending = '';
  socket.on('data', (chunk) => {
    const commands = (pending + String(chunk)).split('\r\n');
    pending = commands.pop() ?? '';
    for (const command of commands) socket.write(`${answer(command).join('\r\n')}\r\n`);
  });
}

const scenes: OpenStage['scenes'] = ({ nntp }) => [
  { title: 'a newsgroup', url: `${nntp}/demo.urls` },
  { title: 'an article by its number', url: `${nntp}/demo.urls/2` },
  { title: 'an article by its message-id', url: `${nntp?.replace('nntp', 'news')}/first@demo.example` },
];

export const newsStage: Stage = { scheme: 'nntp', open: () => openTcpStage('nntp', scenes, serve) };
