/** Content codings undone, RFC 9110 §8.4, within limits. */
import type * as Zlib from 'node:zlib';
import type { Transform } from 'node:stream';
import { RetrievalError, type BodySink } from '@retriever/driver';
import { field, listed, type Fields } from './fields.ts';

export interface DecodingLimits {
  /** Octets a body may have when decoded. */
  readonly maxDecodedBytes: number;
  /** Decoded octets for each received one, counted once {@link ratioCountsFrom} are out. */
  readonly maxDecodingRatio: number;
}

/** Pushes a body into a sink. */
export type Pump = (sink: BodySink) => Promise<void>;

/** What is said to be understood, RFC 9110 §12.5.3. */
export const acceptedCodings = 'zstd, br, gzip, deflate';

/** A short body may well be all zeros: the ratio counts from here, in octets. */
const ratioCountsFrom = 16 * 1024 * 1024;

/** More than this is no way to send anything but a bomb. */
const maxCodings = 4;

/** A decoder; `bytesWritten` counts the octets it took in. */
type Decoder = Transform & { readonly bytesWritten: number };

type Coding = 'gzip' | 'deflate' | 'br' | 'zstd';

const codings = new Map<string, Coding>([
  ['gzip', 'gzip'],
  // RFC 9110 §8.4.1.3.
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'br'],
  ['zstd', 'zstd'],
]);

/**
 * The codings applied to a body, in the order they were applied.
 *
 * @returns an empty list when there are none, or when one is unknown: the octets then stay as they are.
 * @throws RetrievalError `limit` for more than four.
 */
export function codingsOf(fields: Fields): readonly Coding[] {
  const names = listed(field(fields, 'content-encoding')).filter((name) => name !== 'identity');
  const known = names.flatMap((name) => codings.get(name) ?? []);
  if (known.length < names.length) return [];
  if (known.length > maxCodings) throw new RetrievalError('limit', `the body is encoded ${known.length} times over`);
  return known;
}

/**
 * The pump with the codings undone, the last one first.
 *
 * It rejects with `limit` beyond the limits, `incomplete` where compressed data ends early, `protocol` where it is broken.
 */
export function decoded(pump: Pump, applied: readonly Coding[], limits: DecodingLimits): Pump {
  return applied.reduceRight((encoded, coding) => decodedOnce(encoded, coding, limits), pump);
}

function decodedOnce(pump: Pump, coding: Coding, limits: DecodingLimits): Pump {
  return async (sink) => {
    const stage = new Stage(coding, limits);
    const feeding = pump((chunk) => stage.write(chunk)).then(() => stage.end());
    feeding.catch((error: unknown) => stage.fail(error));
    await stage.drain(sink);
    await feeding;
  };
}

/** One decoder, its octets counted in and out. */
class Stage {
  readonly #coding: Coding;
  readonly #limits: DecodingLimits;
  readonly #output = Promise.withResolvers<Decoder | undefined>();
  #decoder: Decoder | undefined;
  #received = 0;
  #decoded = 0;
  #over = false;
  /** The error fed in from the pump, and the decoder's own. */
  #given: unknown;
  #fault: unknown;
  #onFailure: (error: Error) => void = () => undefined;

  constructor(coding: Coding, limits: DecodingLimits) {
    this.#coding = coding;
    this.#limits = limits;
  }

  /** Resolves when the decoder is done with the octets and its output was taken. */
  async write(chunk: Uint8Array): Promise<void> {
    if (chunk.length === 0) return;
    this.#received += chunk.length;
    if (this.#over) throw this.#excess();
    const decoder = (this.#decoder ??= await this.#start(chunk));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#onFailure = (error) => reject(this.#over ? this.#excess() : this.#meaningOf(error));
    decoder.write(chunk, (error) => (error ? this.#onFailure(error) : resolve()));
    await promise;
  }

  /** @throws RetrievalError `protocol` when octets are left behind the compressed data. */
  end(): void {
    // An empty body is not compressed, whatever its head says.
    if (!this.#decoder) return this.#output.resolve(undefined);
    this.#decoder.end();
    if (this.#decoder.bytesWritten < this.#received) throw this.#excess();
  }

  fail(error: unknown): void {
    this.#given = error;
    if (this.#decoder) this.#decoder.destroy(error as Error);
    else this.#output.reject(error);
  }

  /** Gives the sink what comes out, until the end. */
  async drain(sink: BodySink): Promise<void> {
    const decoder = await this.#output.promise;
    if (!decoder) return;
    try {
      for await (const chunk of decoder) {
        this.#count(chunk as Uint8Array);
        await sink(chunk as Uint8Array);
      }
    } catch (error) {
      throw this.#meaningOf(error);
    } finally {
      this.#over = true;
    }
  }

  async #start(first: Uint8Array): Promise<Decoder> {
    // Loaded when first needed.
    const zlib = await import('node:zlib');
    const decoder = decoderFor(this.#coding, first, zlib);
    // Whoever waits hears of errors; one that comes when nobody does must not end the process.
    // Nor does a decoder that fails or is closed answer the write under way.
    decoder.on('error', (error) => {
      if (error !== this.#given) this.#fault ??= error;
      this.#onFailure(error);
    });
    decoder.on('close', () => this.#onFailure(new Error('the decoder was closed')));
    this.#output.resolve(decoder);
    return decoder;
  }

  #count(chunk: Uint8Array): void {
    const { maxDecodedBytes, maxDecodingRatio } = this.#limits;
    this.#decoded += chunk.length;
    if (this.#decoded > maxDecodedBytes) {
      throw new RetrievalError('limit', `the decoded body is longer than ${maxDecodedBytes} octets`);
    }
    if (this.#decoded > ratioCountsFrom && this.#decoded > this.#received * maxDecodingRatio) {
      throw new RetrievalError('limit', `the body grew more than ${maxDecodingRatio} times when it was decoded`);
    }
  }

  #excess(): RetrievalError {
    return new RetrievalError('protocol', `the ${this.#coding} data is followed by something else`);
  }

  #meaningOf(error: unknown): unknown {
    // What the sink or the pump threw is theirs.
    if (error !== this.#fault || !(error instanceof Error)) return error;
    if (/unexpected end|ended unexpectedly/i.test(error.message)) {
      return new RetrievalError('incomplete', `the ${this.#coding} data ended early`, { cause: error });
    }
    return new RetrievalError('protocol', `broken ${this.#coding} data: ${error.message}`, { cause: error });
  }
}

function decoderFor(coding: Coding, first: Uint8Array, zlib: typeof Zlib): Decoder {
  switch (coding) {
    case 'gzip':
      return zlib.createGunzip();
    case 'br':
      return zlib.createBrotliDecompress();
    case 'zstd':
      // RFC 8878 §3.1.1.1.2 and RFC 9659 §2: 8 MiB of window at the most.
      return zlib.createZstdDecompress({ params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } });
    case 'deflate':
      // RFC 9110 §8.4.1.2 means zlib's format, method 8 in the first octet; some servers send the bare stream.
      return ((first[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw();
  }
}
