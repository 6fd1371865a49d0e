/** Securing NNTP by STARTTLS (RFC 4642). */
import type { Dial } from '@retriever/driver';
import { NewsConnection, type Answer, type ConnectionOptions } from './connection.ts';
import { isDone, refusal } from './response.ts';

/**
 * Secures the connection. Returns the old one when the server refuses and `tls` is `try`.
 *
 * Nothing is sent behind STARTTLS before the handshake (RFC 4642 §2.2.1), and nothing received before it is believed.
 */
export async function startTls(
  connection: NewsConnection,
  tls: 'try' | 'require',
  dial: Dial,
  options: ConnectionOptions,
): Promise<NewsConnection> {
  let response = await answerTo(connection, 'STARTTLS');
  // INN in transit mode has none; as a reader it has.
  if (response.code === 401 && isDone(await answerTo(connection, 'MODE READER'))) {
    response = await answerTo(connection, 'STARTTLS');
  }
  if (response.code !== 382) {
    if (tls === 'require') throw refusal(`STARTTLS at ${connection.host}`, response);
    connection.report({ type: 'note', text: `${connection.host} refused STARTTLS; going on in clear text` });
    return connection;
  }
  const secured = await dial.startTls(connection.detach('STARTTLS'), { serverName: options.host });
  return new NewsConnection(secured, options, connection.report).expectNoGreeting();
}

function answerTo(connection: NewsConnection, command: string): Promise<Answer> {
  connection.send({ line: [command] });
  return connection.response();
}
