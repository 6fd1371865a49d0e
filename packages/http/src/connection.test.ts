import { randomBytes } from 'node:crypto';
import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { RetrievalError, type BodySink, type BodySource } from '@retriever/driver';
import { describe, expect, test } from 'vitest';
import { Connection } from './connection.ts';

/** A source that is driven by hand. */
class ScriptedSource implements BodySource {
  readonly socket: Socket = new Socket();
  readonly #over = Promise.withResolvers<void>();
  #sink: BodySink = () => expect.unreachable();

  pump(sink: BodySink): Promise<void> {
    this.#sink = sink;
    return this.#over.promise;
  }

  /** What the connection returns for the chunk: a promise while it is to be left as it is. */
  offer(octets: Buffer | string): void | Promise<void> {
    return this.#sink(typeof octets === 'string' ? Buffer.from(octets) : octets);
  }

  end(): void {
    this.#over.resolve();
  }

  fail(error: Error): void {
    this.#over.reject(error);
  }

  read(): never {
    return expect.unreachable();
  }

  destroy(): void {
    this.socket.destroy();
  }
}

function connected(): { source: ScriptedSource; connection: Connection } {
  const source = new ScriptedSource();
  return { source, connection: new Connection(source) };
}

/** Reads as undici does: at once, until nothing is left. */
function readingAll(connection: Connection): string[] {
  const texts: string[] = [];
  connection.on('readable', () => {
    for (let chunk = connection.read(); chunk !== null; chunk = connection.read()) texts.push(String(chunk));
  });
  return texts;
}

async function settled(promise: Promise<void>): Promise<boolean> {
  let done = false;
  void promise.then(() => (done = true));
  await turn();
  return done;
}

describe('a connection', () => {
  test('is done with a chunk at once when its reader asks for the next at once', () => {
    const { source, connection } = connected();
    const texts = readingAll(connection);
    expect(source.offer('one')).toBeUndefined();
    expect(source.offer('two')).toBeUndefined();
    expect(texts).toEqual(['one', 'two']);
  });

  test('hands out the very memory that the source read into', () => {
    const { source, connection } = connected();
    const octets = Buffer.from('one');
    void source.offer(octets);
    const chunk = connection.read()!;
    octets.write('two');
    expect(String(chunk)).toBe('two');
  });

  test('holds the source until the chunk was read and the next is asked for', async () => {
    const { source, connection } = connected();
    const taken = source.offer('one') as Promise<void>;
    expect(await settled(taken)).toBe(false);
    expect(String(connection.read())).toBe('one');
    expect(await settled(taken)).toBe(false);
    expect(connection.read()).toBeNull();
    expect(await settled(taken)).toBe(true);
  });

  test('hands out again what was given back', async () => {
    const { source, connection } = connected();
    const taken = source.offer('one two') as Promise<void>;
    const chunk = connection.read()!;
    connection.unshift(chunk.subarray(4));
    expect(String(connection.read())).toBe('two');
    connection.unshift(new Uint8Array(0));
    expect(await settled(taken)).toBe(false);
    expect(connection.read()).toBeNull();
    expect(await settled(taken)).toBe(true);
  });

  test('hands out a long chunk in pieces, and what was given back before the rest', async () => {
    const { source, connection } = connected();
    const octets = randomBytes(1024 * 1024);
    const taken = source.offer(octets) as Promise<void>;
    const pieces: Uint8Array[] = [];
    for (let piece = connection.read(); piece !== null; piece = connection.read()) {
      expect(await settled(taken)).toBe(false);
      pieces.push(piece.subarray(0, 200_000));
      connection.unshift(piece.subarray(200_000));
    }
    expect(pieces.length).toBeGreaterThan(4);
    expect(Buffer.concat(pieces).equals(octets)).toBe(true);
    expect(await settled(taken)).toBe(true);
  });

  test('loses nothing to who only asks whether it has ended', () => {
    const { source, connection } = connected();
    void source.offer('one');
    expect(connection.read(0)).toBeNull();
    expect(String(connection.read())).toBe('one');
  });

  test('ends when the source does', async () => {
    const { source, connection } = connected();
    const texts = readingAll(connection);
    let ended = false;
    connection.on('end', () => (ended = true));
    void source.offer('all');
    await turn();
    expect(ended).toBe(false);
    source.end();
    await turn();
    expect(ended).toBe(true);
    expect(connection.readableEnded).toBe(true);
    expect(texts).toEqual(['all']);
  });

  test('fails as its socket or its source does, heard or not', async () => {
    const error = new RetrievalError('incomplete', 'broken');
    const first = connected();
    first.source.socket.destroy(error);
    await turn();
    expect(first.connection.errored).toBe(error);
    const second = connected();
    second.source.fail(error);
    await turn();
    expect(second.connection.errored).toBe(error);
    expect(second.source.socket.destroyed).toBe(true);
  });

  test('closes with its socket, and its socket with it', async () => {
    const first = connected();
    first.source.socket.destroy();
    await turn();
    expect(first.connection.destroyed).toBe(true);
    const second = connected();
    second.connection.destroy();
    expect(second.source.socket.destroyed).toBe(true);
  });

  test('that is destroyed gives nothing more, nor its last chunk back to be read into', async () => {
    const { source, connection } = connected();
    const taken = source.offer('one two') as Promise<void>;
    connection.unshift(connection.read()!);
    connection.destroy();
    expect(connection.read()).toBeNull();
    expect(await settled(taken)).toBe(false);
  });
});
