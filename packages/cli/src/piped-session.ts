/** A session with a service for scripts: stdin to the service, its output to stdout, as curl does with telnet URLs. */
import type { Readable } from 'node:stream';
import type { ServiceStream } from '@retriever/driver';

/**
 * Milliseconds of silence after the end of stdin until we end our side, and as many more until we leave.
 *
 * Departs from curl, which leaves at once and so loses the answer to the last command. To end our side at once would do
 * no better: a telnetd takes that for a hang-up and ends whatever still runs.
 */
const patience = 5000;

/** Resolves when the service closed, or stayed silent after the end of stdin. */
export async function pipedSession(
  stream: ServiceStream,
  stdin: Readable,
  write: (octets: Uint8Array) => void | Promise<void>,
): Promise<void> {
  const silence = new Silence(stream);
  const sending = send(stdin, stream).then(() => silence.begin());
  // Its failure is the stream's, or that of a stdin which cannot be read.
  sending.catch((error: Error) => stream.destroy(error));
  try {
    for await (const chunk of stream) {
      silence.broken();
      await write(chunk as Uint8Array);
    }
  } catch (error) {
    if (!silence.gaveUp) throw error;
  } finally {
    silence.end();
    stdin.destroy();
  }
}

/** Sends all of stdin. A CR at a chunk's end waits for its LF: the two are one line end (RFC 854). */
async function send(stdin: Readable, stream: ServiceStream): Promise<void> {
  let held = Buffer.alloc(0);
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    const whole = Buffer.concat([held, chunk]);
    held = whole.at(-1) === 0x0d ? whole.subarray(-1) : Buffer.alloc(0);
    const octets = whole.subarray(0, whole.length - held.length);
    if (stream.destroyed || stream.writableEnded) return;
    if (octets.length > 0 && !stream.write(octets)) await room(stream);
  }
  if (held.length > 0 && stream.writable) stream.write(held);
}

/** Resolves when there is room for more, or nobody to send it to. */
function room(stream: ServiceStream): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });
}

/** The silence of the service after all is sent. */
class Silence {
  readonly #stream: ServiceStream;
  #timer: NodeJS.Timeout | undefined;
  /** The service did not close although we did. */
  gaveUp = false;

  constructor(stream: ServiceStream) {
    this.#stream = stream;
  }

  begin(): void {
    if (!this.#stream.destroyed) this.#timer = setTimeout(() => this.#over(), patience);
  }

  broken(): void {
    this.#timer?.refresh();
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #over(): void {
    if (!this.#stream.writableEnded) {
      this.#stream.end();
      this.begin();
      return;
    }
    this.gaveUp = true;
    this.#stream.destroy();
  }
}
