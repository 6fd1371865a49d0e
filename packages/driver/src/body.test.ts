/** The three faces of a body, and every way to stop it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bodyOf, createBody, emptyBody, type BodyProducer, type BodySink } from './body.ts';
import { RetrievalError } from './retrieval-error.ts';

const unhandled: unknown[] = [];
const record = (reason: unknown): void => void unhandled.push(reason);

beforeEach(() => void process.on('unhandledRejection', record));
afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', record);
  expect(unhandled.splice(0)).toEqual([]);
});

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A producer of given chunks, sent through one reused buffer as a driver's connection does it. */
class Chunks implements BodyProducer {
  readonly size: number | undefined;
  readonly reasons: unknown[] = [];
  pumped = 0;
  readonly #chunks: readonly (readonly number[])[];

  constructor(chunks: readonly (readonly number[])[], size?: number) {
    this.#chunks = chunks;
    this.size = size;
  }

  async pump(sink: BodySink): Promise<void> {
    const buffer = new Uint8Array(64);
    for (const chunk of this.#chunks) {
      buffer.set(chunk);
      this.pumped += 1;
      await sink(buffer.subarray(0, chunk.length));
      buffer.fill(0xee);
    }
  }

  cancel(reason: unknown): void {
    this.reasons.push(reason);
  }
}

/** A producer that waits for ever after its first chunk, until it is cancelled. */
class Stalled implements BodyProducer {
  readonly reasons: unknown[] = [];
  readonly #end = Promise.withResolvers<void>();
  readonly #onCancel: 'reject' | 'resolve';

  constructor(onCancel: 'reject' | 'resolve' = 'reject') {
    this.#onCancel = onCancel;
  }

  async pump(sink: BodySink): Promise<void> {
    await sink(Uint8Array.of(1, 2));
    await this.#end.promise;
  }

  cancel(reason: unknown): void {
    this.reasons.push(reason);
    if (this.#onCancel === 'resolve') this.#end.resolve();
    else this.#end.reject(new RetrievalError('incomplete', 'the connection was closed'));
  }
}

async function read(stream: ReadableStream<Uint8Array>): Promise<number[]> {
  const octets: number[] = [];
  for await (const chunk of stream) octets.push(...chunk);
  return octets;
}

describe('faces', () => {
  const chunks = [[1, 2, 3], [4], [5, 6, 7, 8]];
  const whole = [1, 2, 3, 4, 5, 6, 7, 8];

  test('pipeTo pushes each chunk, uncopied', async () => {
    const seen: number[][] = [];
    const body = createBody(new Chunks(chunks));
    await body.pipeTo((chunk) => void seen.push([...chunk]));
    expect(seen).toEqual(chunks);
  });

  test('pipeTo waits for the sink', async () => {
    const producer = new Chunks(chunks);
    const gates = chunks.map(() => Promise.withResolvers<void>());
    let taken = 0;
    const done = createBody(producer).pipeTo(() => gates[taken++]?.promise);
    for (const [n, gate] of gates.entries()) {
      await settled();
      expect(producer.pumped).toBe(n + 1);
      gate.resolve();
    }
    await done;
  });

  test('a stream for a default reader keeps its chunks after the next one came', async () => {
    const kept: Uint8Array[] = [];
    for await (const chunk of createBody(new Chunks(chunks)).stream()) kept.push(chunk);
    expect(kept.map((chunk) => [...chunk])).toEqual(chunks);
  });

  test('an iterator keeps its chunks too', async () => {
    const kept: Uint8Array[] = [];
    for await (const chunk of createBody(new Chunks(chunks))) kept.push(chunk);
    expect(kept.map((chunk) => [...chunk])).toEqual(chunks);
  });

  test('bytes and text gather all, with and without a known size', async () => {
    expect([...(await createBody(new Chunks(chunks)).bytes())]).toEqual(whole);
    expect([...(await createBody(new Chunks(chunks, 8)).bytes())]).toEqual(whole);
    expect([...(await createBody(new Chunks(chunks, 2)).bytes())]).toEqual(whole);
    expect(await createBody(new Chunks([[0xc3], [0xa9]])).text()).toBe('é');
    expect(await createBody(new Chunks([[0xe9]])).text({ charset: 'latin1' })).toBe('é');
  });

  test('it goes into a Response', async () => {
    expect(await new Response(createBody(new Chunks([[104], [105]])).stream()).text()).toBe('hi');
  });

  test('bodyOf and emptyBody', async () => {
    expect(bodyOf(Uint8Array.of(1, 2)).size).toBe(2);
    expect([...(await bodyOf(Uint8Array.of(1, 2)).bytes())]).toEqual([1, 2]);
    expect(await read(bodyOf(Uint8Array.of(1, 2)).stream())).toEqual([1, 2]);
    expect(emptyBody().size).toBe(0);
    expect(await read(emptyBody().stream())).toEqual([]);
    for await (const chunk of emptyBody()) expect.unreachable(String(chunk.length));
  });
});

describe('BYOB readers', () => {
  const reader = (chunks: readonly (readonly number[])[]): ReadableStreamBYOBReader =>
    createBody(new Chunks(chunks)).stream().getReader({ mode: 'byob' });

  test('a small view takes a big chunk in pieces', async () => {
    const byob = reader([[1, 2, 3, 4, 5], [6]]);
    const seen: number[][] = [];
    for (;;) {
      const { done, value } = await byob.read(new Uint8Array(2));
      if (done) break;
      seen.push([...value]);
    }
    expect(seen).toEqual([[1, 2], [3, 4], [5], [6]]);
  });

  test('a view is filled in place', async () => {
    const buffer = new ArrayBuffer(8);
    const { value } = await reader([[7, 8]]).read(new Uint8Array(buffer, 3, 4));
    expect(value?.byteOffset).toBe(3);
    expect([...(value ?? [])]).toEqual([7, 8]);
  });

  test('the end answers a pending read', async () => {
    const byob = reader([[1]]);
    expect((await byob.read(new Uint8Array(4))).done).toBe(false);
    expect(await byob.read(new Uint8Array(4))).toMatchObject({ done: true });
    await byob.closed;
  });

  test('an end in the middle of an element fails the reader, nothing else', async () => {
    const byob = reader([[1, 2, 3]]);
    expect((await byob.read(new Uint16Array(4))).value).toEqual(Uint16Array.of(0x0201));
    await expect(byob.read(new Uint16Array(4))).rejects.toThrow(TypeError);
    await expect(byob.closed).rejects.toThrow(TypeError);
  });
});

describe('back pressure', () => {
  test('a stream nobody reads pumps nothing', async () => {
    const producer = new Chunks([[1], [2]]);
    const stream = createBody(producer).stream();
    await settled();
    expect(producer.pumped).toBe(0);
    await stream.cancel();
  });

  test('one read takes one chunk, and no more than one is ahead', async () => {
    const producer = new Chunks([[1], [2], [3], [4]]);
    const reader = createBody(producer).stream().getReader();
    expect([...((await reader.read()).value ?? [])]).toEqual([1]);
    await settled();
    expect(producer.pumped).toBeLessThanOrEqual(2);
    await reader.cancel();
  });

  test('reads asked for together are all answered', async () => {
    const reader = createBody(new Chunks([[1], [2], [3]]))
      .stream()
      .getReader();
    const results = await Promise.all([reader.read(), reader.read(), reader.read(), reader.read()]);
    expect(results.map(({ value }) => value?.[0])).toEqual([1, 2, 3, undefined]);
  });
});

describe('only once', () => {
  test('a second reader is refused and disturbs nothing', async () => {
    const producer = new Chunks([[1], [2]]);
    const body = createBody(producer);
    expect(body.used).toBe(false);
    const first = body.bytes();
    expect(body.used).toBe(true);
    await expect(body.bytes()).rejects.toThrow(TypeError);
    await expect(read(body.stream())).rejects.toThrow(TypeError);
    expect([...(await first)]).toEqual([1, 2]);
    expect(body.used).toBe(true);
  });

  test('a cancelled body is not read', async () => {
    const body = createBody(new Chunks([[1]]));
    await body.cancel();
    await expect(body.bytes()).rejects.toThrow(TypeError);
  });
});

describe('cancel', () => {
  test('unread: the producer is told, and never pumps', async () => {
    const producer = new Chunks([[1]]);
    const body = createBody(producer);
    await body.cancel('why');
    await body.cancel('again');
    expect(producer.reasons).toEqual(['why']);
    expect(producer.pumped).toBe(0);
    expect(body.used).toBe(true);
  });

  test('without a reason it is an AbortError', async () => {
    const producer = new Chunks([]);
    await createBody(producer).cancel();
    expect(producer.reasons).toMatchObject([{ name: 'AbortError' }]);
  });

  test('when over: harmless', async () => {
    const producer = new Chunks([[1]]);
    const body = createBody(producer);
    await body.bytes();
    await body.cancel();
    expect(producer.reasons).toEqual([]);
  });

  test('while reading: the producer is told once, the reader fails', async () => {
    const producer = new Stalled();
    const body = createBody(producer);
    const reading = body.bytes();
    await settled();
    await body.cancel('why');
    await body.cancel('again');
    await expect(reading).rejects.toMatchObject({ code: 'incomplete' });
    expect(producer.reasons).toEqual(['why']);
  });

  test('while reading: half a body never passes for a whole one', async () => {
    const body = createBody(new Stalled('resolve'));
    const reading = body.bytes();
    await settled();
    const reason = new Error('not wanted any more');
    await body.cancel(reason);
    await expect(reading).rejects.toBe(reason);
  });

  test.each(['reject', 'resolve'] as const)('a stream that waits for the peer (%s)', async (onCancel) => {
    const producer = new Stalled(onCancel);
    const reader = createBody(producer).stream().getReader();
    await reader.read();
    const pending = reader.read();
    await reader.cancel('why');
    expect(await pending).toMatchObject({ done: true });
    expect(producer.reasons).toEqual(['why']);
  });

  test('a stream with a chunk that waits for the reader', async () => {
    const producer = new Chunks([[1], [2], [3]]);
    const reader = createBody(producer).stream().getReader();
    await reader.read();
    await settled();
    await reader.cancel('why');
    await settled();
    expect(producer.reasons).toEqual(['why']);
    expect(producer.pumped).toBe(2);
  });

  test('a stream right after a read was asked for', async () => {
    const producer = new Chunks([[1], [2], [3]]);
    const reader = createBody(producer).stream().getReader();
    const pending = reader.read();
    await reader.cancel('why');
    await pending;
    await settled();
    expect(producer.reasons).toEqual(['why']);
  });

  test('a stream that nobody has read', async () => {
    const producer = new Chunks([[1]]);
    const body = createBody(producer);
    await body.stream().cancel('why');
    expect(producer.reasons).toEqual(['why']);
    expect(body.used).toBe(true);
  });

  test('an iterator left early', async () => {
    const producer = new Chunks([[1], [2], [3]]);
    for await (const chunk of createBody(producer)) {
      expect([...chunk]).toEqual([1]);
      break;
    }
    await settled();
    expect(producer.reasons).toHaveLength(1);
  });
});

describe('failures', () => {
  const failing = (error: unknown): BodyProducer & { cancelled: number } => ({
    cancelled: 0,
    async pump(sink) {
      await sink(Uint8Array.of(1));
      throw error;
    },
    cancel() {
      this.cancelled += 1;
    },
  });
  const short = new RetrievalError('incomplete', 'it ended short');

  test('of the peer reach every face', async () => {
    await expect(createBody(failing(short)).pipeTo(() => undefined)).rejects.toBe(short);
    await expect(createBody(failing(short)).bytes()).rejects.toBe(short);
    await expect(createBody(failing(short)).text()).rejects.toBe(short);
    await expect(read(createBody(failing(short)).stream())).rejects.toBe(short);
    const seen: number[] = [];
    const iterate = async (): Promise<void> => {
      for await (const chunk of createBody(failing(short))) seen.push(...chunk);
    };
    await expect(iterate()).rejects.toBe(short);
    expect(seen).toEqual([1]);
  });

  test('of the peer reach a BYOB reader', async () => {
    const byob = createBody(failing(short)).stream().getReader({ mode: 'byob' });
    await byob.read(new Uint8Array(4));
    await expect(byob.read(new Uint8Array(4))).rejects.toBe(short);
    await expect(byob.closed).rejects.toBe(short);
  });

  test.each([
    ['throws', () => { throw new Error('disk full'); }], // prettier-ignore
    ['rejects', () => Promise.reject(new Error('disk full'))],
  ])('of a sink that %s close the producer', async (_, sink) => {
    const producer = new Chunks([[1], [2]]);
    await expect(createBody(producer).pipeTo(sink)).rejects.toThrow('disk full');
    expect(producer.reasons).toMatchObject([{ message: 'disk full' }]);
    expect(producer.pumped).toBe(1);
  });

  test('to close do not hide the first failure', async () => {
    const body = createBody({
      pump: () => Promise.reject(short),
      cancel: () => Promise.reject(new Error('and worse')),
    });
    await expect(body.bytes()).rejects.toBe(short);
  });
});

describe('limits', () => {
  test('a body of exactly the limit passes', async () => {
    expect(await createBody(new Chunks([[1, 2], [3]])).bytes({ maxBytes: 3 })).toHaveLength(3);
  });

  test('one octet more fails and closes', async () => {
    const producer = new Chunks([[1, 2], [3], [4]]);
    await expect(createBody(producer).bytes({ maxBytes: 2 })).rejects.toMatchObject({ code: 'limit' });
    expect(producer.pumped).toBe(2);
    expect(producer.reasons).toHaveLength(1);
    await expect(createBody(new Chunks([[1, 2, 3]])).text({ maxBytes: 2 })).rejects.toMatchObject({ code: 'limit' });
  });

  test('an announced size is not believed', async () => {
    const body = createBody(new Chunks([[1]], Number.MAX_SAFE_INTEGER));
    expect([...(await body.bytes())]).toEqual([1]);
  });

  test('growing beyond the first buffer keeps every octet', async () => {
    const chunks = Array.from({ length: 200 }, (_, n) => Array.from({ length: (n % 60) + 1 }, () => n));
    expect([...(await createBody(new Chunks(chunks)).bytes())]).toEqual(chunks.flat());
  });
});
