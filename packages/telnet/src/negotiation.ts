/** All options of one connection, both sides: what is agreed to, and that there is an end to it. */
import { BINARY, DO, DONT, ECHO, NAWS, SGA, TTYPE, WILL, WONT, type Verb } from './codes.ts';
import { isOn, stepOf, type OptionEvent, type OptionState } from './q-method.ts';

/** Whose option it is: `us` performs what it said WILL to, and so does `peer`. */
export type Side = 'us' | 'peer';

/** What may be on; every other option is refused. */
const agreeable: Readonly<Record<Side, ReadonlySet<number>>> = {
  us: new Set([BINARY, SGA, TTYPE, NAWS]),
  peer: new Set([BINARY, ECHO, SGA]),
};

const words: Readonly<Record<Side, { readonly on: Verb; readonly off: Verb }>> = {
  us: { on: WILL, off: WONT },
  peer: { on: DO, off: DONT },
};

/**
 * So many answers in a row, with no data between, and no more: every option there can be, on both sides, twice.
 *
 * The Q method cannot loop with a peer that keeps to it. One that asks again whenever it is refused, which RFC 854 forbids,
 * would go on for ever; from here on it gets no answer and its proposals are not taken up.
 */
const longestExchange = 1024;

export interface NegotiationHooks {
  /** Sends `IAC verb option`. */
  readonly send: (verb: Verb, option: number) => void;
  /** The option has come into effect on that side, or is no more. */
  readonly changed: (side: Side, option: number, on: boolean) => void;
  /** Called once each time the peer is left without an answer from now on. */
  readonly exhausted: () => void;
}

export class Negotiation {
  readonly #hooks: NegotiationHooks;
  readonly #states: Readonly<Record<Side, OptionState[]>> = { us: allOff(), peer: allOff() };
  #answers = 0;

  constructor(hooks: NegotiationHooks) {
    this.#hooks = hooks;
  }

  isOn(side: Side, option: number): boolean {
    return isOn(this.#states[side][option]!);
  }

  /** Takes a request or an answer of the peer's. */
  receive(verb: Verb, option: number): void {
    const side = verb === WILL || verb === WONT ? 'peer' : 'us';
    const event = verb === WILL || verb === DO ? 'on' : 'off';
    // What is off can only stay off then, so there is nothing to answer; what was on is still taken back.
    if (event === 'on' && this.#states[side][option] === 'no' && !this.mayAnswer()) return;
    this.#step(side, option, event);
  }

  /** Wishes an option on or off; the peer decides. */
  ask(side: Side, option: number, on: boolean): void {
    this.#step(side, option, on ? 'ask-on' : 'ask-off');
  }

  /** Data came: it is a conversation, not a storm. */
  progress(): void {
    this.#answers = 0;
  }

  /** Counts an answer; false when the peer has had its share. */
  mayAnswer(): boolean {
    this.#answers += 1;
    if (this.#answers === longestExchange + 1) this.#hooks.exhausted();
    return this.#answers <= longestExchange;
  }

  #step(side: Side, option: number, event: OptionEvent): void {
    const states = this.#states[side];
    const before = states[option]!;
    const { state, send } = stepOf(before, event, agreeable[side].has(option));
    states[option] = state;
    if (send !== undefined) this.#hooks.send(words[side][send], option);
    if (isOn(state) !== isOn(before)) this.#hooks.changed(side, option, isOn(state));
  }
}

function allOff(): OptionState[] {
  return Array.from({ length: 256 }, () => 'no');
}
