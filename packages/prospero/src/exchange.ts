/** One request and its answer over ARDP: sending, acknowledging, sending again, until every octet is there. */
import { RetrievalError, type Access, type DatagramChannel } from '@retriever/driver';
import type { Limits } from './options.ts';
import { acknowledgement, cancellation, readPacket, requestPacket, type Option, type Packet } from './packet.ts';
import type { Place } from './place.ts';
import { linesOf } from './question.ts';
import { Reassembly } from './reassembly.ts';
import { Retransmission } from './retransmission.ts';

/** Octets of data in one of our packets, as the original clients send; theirs may be longer. */
const PACKET_BYTES = 1250;
/** Datagrams taken for each packet an answer may have: the others are repeats, controls and strangers. */
const DATAGRAMS_PER_PACKET = 4;

/**
 * Sends a message and returns the answer.
 *
 * A packet is told by its connection id, not by the port it comes from: servers answer from port 191 what was sent to 1525.
 *
 * @throws RetrievalError `timeout`, `refused`, `protocol` or `limit`; what was asked is cancelled at the server then.
 */
export async function exchange(
  message: Uint8Array,
  server: Place,
  access: Access,
  limits: Limits,
): Promise<Uint8Array> {
  const exchanging = new Exchange(message, access, limits);
  try {
    return await exchanging.run(server);
  } catch (error) {
    // A closed channel is how a driver first learns of an abort.
    access.signal.throwIfAborted();
    throw error;
  } finally {
    exchanging.close();
  }
}

class Exchange {
  readonly #access: Access;
  readonly #limits: Limits;
  readonly #id: number;
  readonly #message: Uint8Array;
  readonly #request: readonly Uint8Array[];
  readonly #answer: Reassembly;
  readonly #again: Retransmission;
  #channel!: DatagramChannel;
  /** Packets of the request that the server has. */
  #acknowledged = 0;
  #redirects = 0;
  #datagrams = 0;

  constructor(message: Uint8Array, access: Access, limits: Limits) {
    this.#access = access;
    this.#limits = limits;
    // Never one twice on a port: the server would take it for a repetition of the earlier request.
    this.#id = limits.connectionId();
    this.#message = message;
    this.#request = packetsOf(message, this.#id);
    this.#answer = new Reassembly(limits);
    this.#again = new Retransmission(limits);
  }

  async run(server: Place): Promise<Uint8Array> {
    await this.#connect(server);
    for (const text of linesOf(this.#message)) this.#access.report({ type: 'sent', text });
    while (!this.#answer.isComplete) await this.#step();
    this.#channel.farewell(undefined);
    return this.#answer.message();
  }

  close(): void {
    this.#channel?.close();
  }

  /** Opens a channel that policy has agreed to, and sends what the server does not have yet. */
  async #connect({ host, port }: Place): Promise<void> {
    this.#channel = await this.#access.datagrams({ host, port });
    this.#channel.farewell(cancellation(this.#id, this.#answer.receivedThrough));
    await this.#sendRequest();
  }

  async #sendRequest(): Promise<void> {
    for (const packet of this.#request.slice(this.#acknowledged)) await this.#channel.send(packet);
  }

  async #acknowledge(): Promise<void> {
    await this.#channel.send(acknowledgement(this.#id, this.#answer.receivedThrough));
  }

  async #step(): Promise<void> {
    const waitMs = this.#again.next();
    const began = performance.now();
    const received = await this.#channel.receive(waitMs, { askedFor: this.#again.isAskedFor });
    if (received === undefined) {
      this.#again.passed(waitMs);
      return this.#sendAgain();
    }
    // Datagrams that mean nothing must not keep the request from being sent again.
    this.#again.passed(Math.min(waitMs, performance.now() - began));
    this.#datagrams += 1;
    if (this.#datagrams > DATAGRAMS_PER_PACKET * this.#limits.maxPackets)
      throw new RetrievalError('limit', `more than ${this.#datagrams - 1} datagrams came for one answer`);
    const packet = readPacket(received.datagram);
    if (!this.#isOurs(packet)) return this.#note(`ARDP: a packet of another connection (${packet.connectionId})`);
    await this.#take(packet);
  }

  /**
   * Whether a packet belongs to this exchange. ISI's server on little-endian machines swaps the octets of the connection
   * id in all packets it sends after the first window.
   */
  #isOurs({ connectionId }: Packet): boolean {
    return connectionId === this.#id || connectionId === swapped(this.#id);
  }

  async #take(packet: Packet): Promise<void> {
    this.#report(packet);
    const { receivedThrough = 0, waitSeconds, option } = packet;
    this.#takeAcknowledgement(receivedThrough);
    if (waitSeconds !== undefined) this.#again.askedToWait(waitSeconds);
    if (option && (await this.#takeOption(option))) return;
    if (packet.number > 0) {
      const isNew = this.#answer.add(packet);
      if (isNew) this.#again.progressed(this.#answer);
      // An answer tells that the request is there.
      this.#acknowledged = this.#request.length;
    }
    if (packet.wantsAcknowledgement) await this.#acknowledge();
  }

  #takeAcknowledgement(receivedThrough: number): void {
    const acknowledged = Math.min(receivedThrough, this.#request.length);
    if (acknowledged <= this.#acknowledged) return;
    this.#acknowledged = acknowledged;
    this.#again.progressed(this.#answer);
  }

  /** True when the packet is done with. */
  async #takeOption(option: Option): Promise<boolean> {
    switch (option.type) {
      case 'refused':
        this.#channel.farewell(undefined);
        throw new RetrievalError('refused', 'the server refused the ARDP connection', { temporary: true });
      case 'redirect':
        await this.#redirect(option);
        return true;
      case 'reset':
        if (this.#answer.receivedThrough === 0) this.#acknowledged = 0;
        return false;
      case 'queue':
        this.#note(queueWords(option));
        return false;
      case 'other':
        this.#note(`ARDP: option ${option.code} means nothing to this client`);
        return false;
    }
  }

  async #redirect({ host, port }: Place): Promise<void> {
    const { maxRedirects } = this.#limits;
    this.#redirects += 1;
    if (this.#redirects > maxRedirects)
      throw new RetrievalError('limit', `more than ${maxRedirects} ARDP redirects, the last to ${host} port ${port}`);
    this.#note(`ARDP: redirected to ${host} port ${port}`);
    this.#channel.farewell(undefined);
    this.#channel.close();
    this.#again.progressed(this.#answer);
    await this.#connect({ host, port });
  }

  /** A server that has the request needs only be told what came of its answer; it sends all after that again. */
  async #sendAgain(): Promise<void> {
    const due = this.#again.due();
    if (!due) return;
    const { receivedThrough } = this.#answer;
    if (due.why === 'gap') this.#note(`ARDP: packet ${receivedThrough + 1} is missing`);
    else this.#note(`ARDP: sending again (${due.sending} of ${this.#limits.maxSends})`);
    if (this.#acknowledged < this.#request.length) await this.#sendRequest();
    else await this.#acknowledge();
  }

  #report({ number, total, data, waitSeconds }: Packet): void {
    if (waitSeconds) this.#note(`ARDP: the server asks to wait ${waitSeconds} s`);
    if (number > 0) this.#note(`ARDP: packet ${number} of ${total ?? 'some'}, ${data.length} octets`);
  }

  #note(text: string): void {
    this.#access.report({ type: 'note', text });
  }
}

function packetsOf(message: Uint8Array, id: number): Uint8Array[] {
  const total = Math.max(1, Math.ceil(message.length / PACKET_BYTES));
  return Array.from({ length: total }, (_, at) =>
    requestPacket(id, at + 1, total, message.subarray(at * PACKET_BYTES, (at + 1) * PACKET_BYTES)),
  );
}

function swapped(id: number): number {
  return ((id & 0xff) << 8) | (id >> 8);
}

function queueWords({ position, seconds }: Option & { type: 'queue' }): string {
  const place = position === undefined ? '' : `, position ${position}`;
  return `ARDP: the request is in a queue${place}${seconds === undefined ? '' : `, about ${seconds} s`}`;
}
