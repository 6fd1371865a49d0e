import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';

/** A question whose answer proves that a server works; a TCP connection alone proves nothing. */
export interface Probe {
  readonly port: number;
  readonly tls?: boolean;
  /** Sent at once; nothing for servers that speak first. */
  readonly send?: string;
  readonly expect: RegExp;
}

/** Connects, asks, and returns the octets received (as latin-1) once they match. @throws when they do not in time. */
export function ask(host: string, { port, tls = false, send, expect }: Probe, timeout = 5000): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = tls ? connectTls({ host, port, rejectUnauthorized: false }) : connectTcp({ host, port });
    let received = '';
    const fail = (why: string): void => {
      socket.destroy();
      reject(new Error(`${host}:${port} ${why}; received ${JSON.stringify(received.slice(0, 200))}`));
    };
    socket.setEncoding('latin1').setTimeout(timeout, () => fail(`gave no answer within ${timeout} ms`));
    if (send !== undefined) socket.write(send, 'latin1');
    socket.on('data', (text: string) => {
      received += text;
      if (!expect.test(received)) return;
      socket.destroy();
      resolve(received);
    });
    socket.on('error', (error) => fail(error.message));
    socket.on('end', () => fail('ended before the expected answer'));
  });
}

/** Asks again until the answer is right. @throws the last failure after `patience` milliseconds. */
export async function waitForAnswer(host: string, probe: Probe, patience = 30_000): Promise<void> {
  const deadline = Date.now() + patience;
  for (;;) {
    try {
      await ask(host, probe, 2000);
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}
