/** A response in the hands of a retrieval, and the connection it comes over. */
import { bodyOf, createBody, emptyBody, type Body, type BodySink, type Lease } from '@retriever/driver';
import { readAhead, type Exchange, type Head } from './exchange.ts';
import type { Pump } from './decoding.ts';
import { contentLength } from './metadata.ts';
import type { HttpSession } from './session.ts';

export class Answer {
  readonly head: Head;
  readonly #exchange: Exchange;
  readonly #lease: Lease<HttpSession>;
  #settled = false;

  constructor(head: Head, exchange: Exchange, lease: Lease<HttpSession>) {
    this.head = head;
    this.#exchange = exchange;
    this.#lease = lease;
  }

  /** Pushes the body into the sink; the connection then is free for the next request. */
  async pump(sink: BodySink): Promise<void> {
    await this.#exchange.pump(sink);
    this.settle();
  }

  /** Gives the connection back if the response is over, and closes it if not. Once is enough, more do no harm. */
  settle(): void {
    if (!this.#lease.session.usable) return this.drop();
    if (this.#settled) return;
    this.#settled = true;
    this.#lease.release();
  }

  /** Closes the connection, unless it was given back. */
  drop(): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#lease.discard();
  }

  /** The body as it is read off the connection, through `through` where it must be changed. */
  body(size: number | undefined, through: (pump: Pump) => Pump = (pump) => pump): Body {
    if (this.#exchange.empty) {
      this.settle();
      return emptyBody();
    }
    return createBody({ size, pump: through((sink) => this.pump(sink)), cancel: () => this.settle() });
  }

  /** The body at hand if it is short, so that the connection is free at once; else as {@link body}. */
  async shortBody(): Promise<Body> {
    const length = contentLength(this.head.fields);
    const octets = (length ?? 0) > readAhead ? undefined : await this.#exchange.short();
    if (!octets) return this.body(length);
    this.settle();
    return bodyOf(octets);
  }
}
