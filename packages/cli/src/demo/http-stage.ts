/** `http:`: a page, and a redirect that leads to FTP. */
import { createServer } from 'node:http';
import type { Stage } from './stage.ts';
import { openStage } from './tcp-stage.ts';

const page = '<!doctype html>\n<title>Retriever</title>\n<p>One client for every URL of RFC 1738.\n';

export const httpStage: Stage = {
  scheme: 'http',
  open() {
    let elsewhere = '/';
    const server = createServer(({ url }, response) => {
      if (url === '/moved') response.writeHead(302, { Location: elsewhere }).end();
      else response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page);
    });
    return openStage(
      'http',
      ({ http, ftp }) => {
        elsewhere = `${ftp}/pub/read%20me.txt`;
        return [
          { title: 'a web page', url: `${http}/` },
          { title: 'a redirect, from HTTP to FTP', url: `${http}/moved` },
        ];
      },
      server,
    );
  },
};
