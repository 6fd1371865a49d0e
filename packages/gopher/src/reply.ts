/** The answer to a gopher request: its beginning judged, the rest still on the wire. */
import { RetrievalError, type BodySink, type BodySource, type OctetSource } from '@retriever/driver';
import { itemTypeOf, type Framing } from './item-types.ts';
import { replyError, type GopherError } from './reply-error.ts';
import { replyHeader, type ReplyHeader } from './reply-header.ts';
import { refusalIn } from './refusal.ts';
import type { GopherRequest } from './request.ts';
import { announced, toADotPerhaps, toTheClose, type Unframing } from './unframing.ts';

/**
 * How the answer to a request is framed: the one place that knows. With a Gopher+ string the server's header says it. A
 * plain answer, or that of a server that ignores Gopher+, is framed as the item's type says.
 */
function unframingOf(header: ReplyHeader | undefined, framing: Framing, note: (text: string) => void): Unframing {
  if (header) return announced(header);
  return framing === 'octets' ? toTheClose() : toADotPerhaps(note);
}

/** An answer that has begun. One reader takes it, once. */
export class GopherReply implements OctetSource {
  /** What the item's type says of the octets, whatever ends them. */
  readonly framing: Framing;
  /** Absent for plain gopher, and where the server ignored the Gopher+ string. */
  readonly header: ReplyHeader | undefined;
  /** Set when the server answered with an error of Gopher+. */
  readonly error: GopherError | undefined;
  readonly #source: BodySource;
  readonly #head: Uint8Array[];
  #taken = false;

  private constructor(
    source: BodySource,
    framing: Framing,
    head: Uint8Array[],
    header?: ReplyHeader,
    error?: GopherError,
  ) {
    this.#source = source;
    this.framing = framing;
    this.header = header;
    this.error = error;
    this.#head = head;
  }

  /**
   * Waits for the beginning of the answer.
   *
   * @throws RetrievalError `not-found` when the answer is plain gopher's way to say no (see `refusal.ts`), `incomplete` when
   * the connection ends within a Gopher+ header.
   */
  static async open(source: BodySource, request: GopherRequest): Promise<GopherReply> {
    const { framing } = itemTypeOf(request.type);
    const head: Uint8Array[] = [];
    const header = request.plus && (await headerOf(source, head));
    if (header?.success) return new GopherReply(source, framing, afterHeader(head, header), header);
    const error = header && (await errorOf(source, head, header));
    if (error) return new GopherReply(source, framing, [], header, error);
    await refusePlainly(source, head, framing);
    return new GopherReply(source, framing, head);
  }

  /** Whether the server took no notice of the Gopher+ string. */
  get isPlain(): boolean {
    return this.header === undefined;
  }

  /** Claims the answer. @throws TypeError when another reader has it. */
  take(): void {
    if (this.#taken) throw new TypeError('the answer is read already: use the entries or the body, not both');
    this.#taken = true;
  }

  /** The answer as it came, chunk by chunk, its Gopher+ header left out. */
  async read(): Promise<Uint8Array | undefined> {
    return this.#head.shift() ?? this.#source.read();
  }

  /** The answer as the item's octets, chunk by chunk. @throws RetrievalError `incomplete` when it ends short. */
  unframed(): OctetSource {
    const unframing = unframingOf(this.header, 'octets', () => undefined);
    const parts: Uint8Array[] = [];
    let ended = false;
    return {
      read: async () => {
        while (parts.length === 0 && !ended) {
          const chunk = await this.read().catch((error: unknown) => {
            if (!unframing.complete) throw error;
            return undefined;
          });
          ended = chunk === undefined;
          for (const part of chunk ? unframing.decode(chunk) : unframing.end()) parts.push(part);
        }
        return parts.shift();
      },
    };
  }

  /** The answer as the item's octets: counted, or freed of its dots. */
  async pump(sink: BodySink, note: (text: string) => void): Promise<void> {
    const unframing = unframingOf(this.header, this.framing, note);
    if (unframing.transparent) return this.#pumpRaw(sink);
    let failed = false;
    const push = async (parts: Iterable<Uint8Array>): Promise<void> => {
      try {
        for (const part of parts) await sink(part);
      } catch (error) {
        failed = true;
        throw error;
      }
    };
    try {
      for (let chunk = this.#head.shift(); chunk; chunk = this.#head.shift()) await push(unframing.decode(chunk));
      await this.#source.pump((chunk) => push(unframing.decode(chunk)));
    } catch (error) {
      // A server that does not read answers to a form resets the connection; the count proves that nothing is missing.
      if (failed || !unframing.complete) throw error;
    }
    await push(unframing.end());
  }

  /** Without anything between the socket and a sink, which may then answer at once. */
  async #pumpRaw(sink: BodySink): Promise<void> {
    for (let chunk = this.#head.shift(); chunk; chunk = this.#head.shift()) await sink(chunk);
    await this.#source.pump(sink);
  }

  /** Hangs up. */
  close(): void {
    this.#source.destroy();
  }
}

/** Reads until the header is there, or it is clear that none comes; everything read is left in `head`. */
async function headerOf(source: BodySource, head: Uint8Array[]): Promise<ReplyHeader | undefined> {
  for (;;) {
    const chunk = await source.read();
    if (chunk) head.push(chunk);
    const header = replyHeader(joined(head));
    if (header !== 'more') return header;
    if (chunk) continue;
    if (head.length === 0) return undefined;
    throw new RetrievalError('incomplete', 'the connection ended within the header of the answer');
  }
}

/** Undefined when what looks like an error's header begins a text after all, such as a line `-5`. */
async function errorOf(source: BodySource, head: Uint8Array[], header: ReplyHeader): Promise<GopherError | undefined> {
  const before = afterHeader(head, header);
  const recorded: OctetSource = {
    async read() {
      const known = before.shift();
      if (known) return known;
      const chunk = await source.read();
      if (chunk) head.push(chunk);
      return chunk;
    },
  };
  return replyError(recorded, header);
}

function afterHeader(head: readonly Uint8Array[], header: ReplyHeader): Uint8Array[] {
  const rest = joined(head).subarray(header.length);
  return rest.length > 0 ? [rest] : [];
}

/** @throws RetrievalError `not-found` when a plain answer says no. */
async function refusePlainly(source: BodySource, head: Uint8Array[], framing: Framing): Promise<void> {
  for (let judged = head.length > 0; ; judged = false) {
    const chunk = judged ? undefined : await source.read();
    if (chunk) head.push(chunk);
    const refusal = refusalIn(joined(head), !judged && chunk === undefined, framing);
    if (refusal === undefined) return;
    if (refusal !== 'more')
      throw new RetrievalError('not-found', `the server says: ${refusal.text}`, {
        reply: refusal,
      });
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}
