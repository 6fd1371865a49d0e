/**
 * The server's side of ARDP version 0, as ISI's server behaves on the wire, with a knob for everything that can go wrong.
 *
 * It hears datagrams and returns datagrams; a socket or a network in memory carries them.
 */
import type { Answering, Outgoing, Sender } from './udp-peer.ts';

export interface ArdpServerOptions {
  /** Octets of data in a packet. Default 1250. */
  readonly packetBytes?: number;
  /** Packets sent before an acknowledgement is asked for and waited for. Default 16. */
  readonly window?: number;
  /** End with a packet without data. Default false. */
  readonly emptyLast?: boolean;
  /** Ask for an acknowledgement of the last packet too. Default false. */
  readonly askLast?: boolean;
  /** Before the answer: a wait of so many seconds with a place in a queue, as Archie's server does. */
  readonly waitSeconds?: number;
  /** Datagrams of each client that are not heard. Default 0. */
  readonly deafFor?: number;
  /** Never answer, but acknowledge the request. */
  readonly mute?: boolean;
  readonly refuse?: boolean;
  readonly redirectTo?: { readonly address: readonly [number, number, number, number]; readonly port: number };
  /** Swap the octets of the connection id in all packets after the first window, as on little-endian machines. */
  readonly swapLater?: boolean;
  readonly otherPort?: boolean;
  /** What becomes of the datagrams on their way: loss, reordering, duplication, truncation, lies. */
  readonly network?: (datagrams: readonly Uint8Array[]) => readonly Uint8Array[];
}

interface Connection {
  readonly id: number;
  readonly request: Map<number, Uint8Array>;
  reply: Uint8Array[] | undefined;
  /** The client has the packets of the reply up to this one. */
  acknowledged: number;
  sent: number;
  heard: number;
}

export class ArdpServer implements Answering {
  /** How many requests the client took back. */
  cancelled = 0;
  readonly #answer: (request: string) => string;
  readonly #options: ArdpServerOptions;
  readonly #connections = new Map<string, Connection>();

  /** @param answer - The text that answers a text; characters stand for octets. */
  constructor(answer: (request: string) => string, options: ArdpServerOptions = {}) {
    this.#answer = answer;
    this.#options = options;
  }

  hear(datagram: Uint8Array, { key }: Sender): readonly Outgoing[] {
    const { network = (datagrams) => datagrams, otherPort = false } = this.#options;
    const answers = network(this.#hear(Buffer.from(datagram), key));
    return otherPort ? answers.map((answer) => ({ datagram: answer, otherPort })) : answers;
  }

  #hear(datagram: Buffer, key: string): Uint8Array[] {
    const length = datagram[0]!;
    const id = datagram.readUInt16BE(1);
    if (length > 12 && datagram[12] === 1) {
      this.cancelled += 1;
      return [];
    }
    const connection = this.#connection(`${key} ${id}`, id);
    connection.heard += 1;
    const { deafFor = 0, refuse, redirectTo } = this.#options;
    if (connection.heard <= deafFor) return [];
    if (refuse) return [packet(id, { option: 1 })];
    if (redirectTo) {
      const { address, port } = redirectTo;
      return [packet(id, { option: 4, extra: [...address, port >> 8, port & 0xff] })];
    }
    const number = datagram.readUInt16BE(3);
    connection.acknowledged = Math.max(connection.acknowledged, datagram.readUInt16BE(7));
    if (number === 0) return this.#window(connection);
    connection.request.set(number, datagram.subarray(length));
    return this.#take(connection, datagram.readUInt16BE(5));
  }

  #connection(key: string, id: number): Connection {
    let connection = this.#connections.get(key);
    connection ??= { id, request: new Map(), reply: undefined, acknowledged: 0, sent: 0, heard: 0 };
    this.#connections.set(key, connection);
    return connection;
  }

  #take(connection: Connection, total: number): Uint8Array[] {
    const { id, request } = connection;
    const { mute, waitSeconds } = this.#options;
    if (request.size < total) return [];
    if (mute) return [packet(id, { number: 0, total: 0, through: total })];
    const isFirst = connection.reply === undefined;
    const text = Array.from({ length: total }, (_, at) => Buffer.from(request.get(at + 1)!).toString('latin1')).join(
      '',
    );
    connection.reply ??= this.#packets(this.#answer(text));
    if (!isFirst || waitSeconds === undefined) return this.#window(connection);
    // Position 1, seven seconds: the octets of a capture.
    const queued = packet(id, { wait: waitSeconds, option: 254, extra: [3, 0, 1, 0, 0, 0, 7] });
    return [queued, ...this.#window(connection)];
  }

  #packets(text: string): Uint8Array[] {
    const { packetBytes = 1250, emptyLast = false } = this.#options;
    const octets = Buffer.from(text, 'latin1');
    const packets = Array.from({ length: Math.ceil(octets.length / packetBytes) }, (_, at) =>
      octets.subarray(at * packetBytes, (at + 1) * packetBytes),
    );
    return emptyLast || packets.length === 0 ? [...packets, Buffer.alloc(0)] : packets;
  }

  /** All that was not acknowledged, up to a window's end. */
  #window(connection: Connection): Uint8Array[] {
    const { reply = [], acknowledged, id } = connection;
    const { window = 16, askLast = false, swapLater = false, waitSeconds } = this.#options;
    const end = Math.min(acknowledged + window, reply.length);
    const packets: Uint8Array[] = [];
    for (let number = acknowledged + 1; number <= end; number += 1) {
      const isLast = number === reply.length;
      const isAgain = number <= connection.sent || acknowledged > 0;
      const header: Header = {
        number,
        total: isLast || isAgain ? reply.length : 0,
        ...(isAgain && { through: connection.request.size }),
        ...(waitSeconds !== undefined && { wait: 0 }),
        ...((isLast ? askLast : number === end) && { acknowledge: true }),
        data: reply[number - 1]!,
      };
      packets.push(packet(isAgain && swapLater ? ((id & 0xff) << 8) | (id >> 8) : id, header));
    }
    connection.sent = Math.max(connection.sent, end);
    return packets;
  }
}

export interface Header {
  readonly number?: number;
  readonly total?: number;
  readonly through?: number;
  readonly wait?: number;
  readonly acknowledge?: boolean;
  readonly control?: boolean;
  readonly option?: number;
  readonly extra?: readonly number[];
  readonly data?: Uint8Array;
}

/** A packet whose header ends after the last field that is given. */
export function packet(id: number, header: Header = {}): Uint8Array {
  const { number, total, through, wait, acknowledge = false, control = false, option, extra = [], data = [] } = header;
  const isControlOnly = number === undefined && (wait !== undefined || option !== undefined);
  const octets = [
    ...two(id),
    ...two(number ?? (isControlOnly ? 0 : 1)),
    ...two(total ?? (number === undefined ? 1 : 0)),
  ];
  octets.push(...two(through ?? 0), ...two(wait ?? 0), (acknowledge ? 0x80 : 0) | (control ? 0x40 : 0), option ?? 0);
  const length =
    option !== undefined
      ? 13
      : acknowledge || control
        ? 12
        : wait !== undefined
          ? 11
          : through !== undefined
            ? 9
            : number === undefined
              ? 3
              : 7;
  const fields = [...octets.slice(0, length - 1), ...(option === undefined ? [] : extra)];
  return Uint8Array.from([fields.length + 1, ...fields, ...data]);
}

function two(value: number): [number, number] {
  return [(value >> 8) & 0xff, value & 0xff];
}
