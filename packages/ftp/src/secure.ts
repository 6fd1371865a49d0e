/** Securing FTP with TLS (RFC 4217): AUTH TLS on the control connection, PBSZ 0 and PROT P for the data connections. */
import { RetrievalError, type Dial } from '@retriever/driver';
import { ControlConnection, type ControlConnectionOptions } from './control-connection.ts';
import { isComplete, refusal } from './reply.ts';

/**
 * Secures the control connection. Returns the old one when the server refuses and `tls` is `try`.
 *
 * Nothing is sent behind AUTH before the handshake, and nothing received before it is believed.
 */
export async function authTls(
  control: ControlConnection,
  tls: 'try' | 'require',
  dial: Dial,
  options: ControlConnectionOptions,
): Promise<ControlConnection> {
  const reply = await control.command('AUTH TLS');
  if (!isComplete(reply)) {
    if (tls === 'require' || reply.code === 421) throw refusal(`AUTH TLS at ${control.host}`, reply);
    control.report({ type: 'note', text: `${control.host} refused AUTH TLS; going on in clear text` });
    return control;
  }
  const secured = await dial.startTls(control.detach('AUTH TLS'), { serverName: options.host });
  return new ControlConnection(secured, options, control.report);
}

/**
 * Asks for secured data connections. Without it vsftpd sends data in clear text and ProFTPD hangs, also with implicit TLS.
 *
 * @returns Whether they are secured; false only where `optional`.
 */
export async function protectData(control: ControlConnection, optional: boolean): Promise<boolean> {
  // PBSZ's own answer does not matter: what counts is PROT's (RFC 4217 §9).
  await control.command('PBSZ 0');
  const reply = await control.command('PROT P');
  if (isComplete(reply)) return true;
  if (!optional || reply.code === 421) {
    throw new RetrievalError(
      'refused',
      `${control.host} will not secure data connections: PROT P was answered ${reply.code} ${reply.text}`,
      { reply: { code: reply.code, text: reply.text } },
    );
  }
  control.report({ type: 'note', text: `${control.host} refused PROT P; data connections go on in clear text` });
  return false;
}
