/** Recorded replies, spoilt: what a broken or hostile server might send. */
import { capture, captureNames } from './capture.ts';
import { recordedRequest } from './recorded-request.ts';
import { writeWpath } from '../src/wpath.ts';

/** What was sent in an exchange that began with a search or a document, and the URL's path that leads to it. */
export interface Exchange {
  readonly path: string;
  readonly replies: readonly Buffer[];
}

/** A reply to Init, and one or more to what came after it. */
export function exchanges(): Exchange[] {
  return captureNames().flatMap((name) => {
    const { requests, replies } = capture(name);
    const [init] = replies;
    if (!init || init.length > 200) return [];
    return requests.flatMap((request, at) => {
      const { kind, docId, type, end, words } = recordedRequest(request);
      const rest = replies.slice(at);
      if (rest.length === 0) return [];
      if (kind === 'search') return [{ path: `/db?${words.length > 0 ? 'x' : ''}`, replies: [init, ...rest] }];
      if (kind !== 'document') return [];
      return [{ path: `/db/${type}/${writeWpath({ docId, length: end })}`, replies: [init, ...rest] }];
    });
  });
}

/** A source of numbers from 0 up to, not including, `below`. */
export type Dice = (below: number) => number;

/** Numbers that a pseudo-random generator makes of a seed, so that a failure can be repeated. */
export function dice(seed: number): Dice {
  let state = seed >>> 0;
  return (below) => {
    // xorshift32
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % Math.max(1, below);
  };
}

/** Octets that begin things in this protocol, or lie about their length. */
const telling = [0, 1, 0x1c, 0x1d, 0x63, 0x74, 0x7f, 0x80, 0x81, 0x84, 0x85, 0x96, 0x99, 0xb5, 0xff];

/** Spoils one reply in one to four places; half the time the header's length is made to fit again. */
export function spoil(replies: readonly Buffer[], roll: Dice): Buffer[] {
  const at = roll(replies.length);
  let reply = replies[at]!;
  for (let times = roll(4) + 1; times > 0; times--) reply = spoilt(reply, replies, roll);
  if (roll(2) === 0 && reply.length >= 25) reply = refitted(reply);
  return replies.map((other, index) => (index === at ? reply : other));
}

function spoilt(reply: Buffer, replies: readonly Buffer[], roll: Dice): Buffer {
  const place = roll(reply.length);
  const copy = Buffer.from(reply);
  switch (roll(6)) {
    case 0:
      if (copy.length > 0) copy[place] = roll(256);
      return copy;
    case 1:
      if (copy.length > 0) copy[place] = telling[roll(telling.length)]!;
      return copy;
    case 2:
      return copy.subarray(0, place);
    case 3:
      return Buffer.concat([copy.subarray(0, place), copy.subarray(place + roll(40))]);
    case 4:
      return Buffer.concat([
        copy.subarray(0, place),
        copy.subarray(roll(place + 1), place + roll(200)),
        copy.subarray(place),
      ]);
    default:
      return Buffer.concat([copy.subarray(0, place), replies[roll(replies.length)]!.subarray(roll(300))]);
  }
}

const refitted = (message: Buffer): Buffer =>
  Buffer.concat([Buffer.from(String(message.length - 25).padStart(10, '0')), message.subarray(10)]);
