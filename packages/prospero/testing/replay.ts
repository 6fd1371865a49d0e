/** Plays a capture back: to each datagram of a client what the original server sent to the one in its place. */
import { readCapture } from './capture.ts';
import type { Answering } from './udp-peer.ts';

export function replay(...names: readonly string[]): Answering {
  const turns = names.flatMap(turnsOf);
  let turn = 0;
  return {
    hear(datagram) {
      const answers = turns[turn] ?? [];
      turn += 1;
      // The captures have connection 1234 (hexadecimal); a client may have another.
      return answers.map((answer) => withConnection(answer, datagram.subarray(1, 3)));
    },
  };
}

function turnsOf(name: string): Uint8Array[][] {
  const turns: Uint8Array[][] = [];
  for (const { from, datagram } of readCapture(name)) {
    if (from === 'client') turns.push([]);
    else turns.at(-1)!.push(datagram);
  }
  return turns;
}

function withConnection(datagram: Uint8Array, id: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(datagram);
  copy.set(id, 1);
  return copy;
}
