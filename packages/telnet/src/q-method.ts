/**
 * The Q method of option negotiation, RFC 1143 §7: how one side of one option changes, and what is answered.
 *
 * A connection has two such machines for every option, alike but for their verbs: one for the peer's side (it says WILL
 * and WONT, we DO and DONT), one for ours (it says DO and DONT, we WILL and WONT). Hence they speak of `on` and `off`.
 * That a change is answered once, and an answer never, is what keeps two peers from a loop.
 */

/** RFC 1143's states; `…-opposite` has the one queued request that it calls OPPOSITE. */
export type OptionState = 'no' | 'yes' | 'wantno' | 'wantno-opposite' | 'wantyes' | 'wantyes-opposite';

/** `on` and `off` came from the peer; `ask-on` and `ask-off` are our own wish. */
export type OptionEvent = 'on' | 'off' | 'ask-on' | 'ask-off';

export interface OptionStep {
  readonly state: OptionState;
  /** What is sent to the peer; absent where the RFC has nothing sent. */
  readonly send?: 'on' | 'off';
}

const steps: Readonly<Record<OptionEvent, Readonly<Record<OptionState, OptionStep>>>> = {
  on: {
    no: { state: 'yes', send: 'on' },
    yes: { state: 'yes' },
    // An error of the peer's: "DONT answered by WILL".
    wantno: { state: 'no' },
    'wantno-opposite': { state: 'yes' },
    wantyes: { state: 'yes' },
    'wantyes-opposite': { state: 'wantno', send: 'off' },
  },
  off: {
    no: { state: 'no' },
    yes: { state: 'no', send: 'off' },
    wantno: { state: 'no' },
    'wantno-opposite': { state: 'wantyes', send: 'on' },
    wantyes: { state: 'no' },
    'wantyes-opposite': { state: 'no' },
  },
  'ask-on': {
    no: { state: 'wantyes', send: 'on' },
    yes: { state: 'yes' },
    wantno: { state: 'wantno-opposite' },
    'wantno-opposite': { state: 'wantno-opposite' },
    wantyes: { state: 'wantyes' },
    'wantyes-opposite': { state: 'wantyes' },
  },
  'ask-off': {
    no: { state: 'no' },
    yes: { state: 'wantno', send: 'off' },
    wantno: { state: 'wantno' },
    'wantno-opposite': { state: 'wantno' },
    wantyes: { state: 'wantyes-opposite' },
    'wantyes-opposite': { state: 'wantyes-opposite' },
  },
};

/**
 * The state after an event, and what is sent.
 *
 * @param agreeable - Whether the option may be on, when the peer proposes it.
 */
export function stepOf(state: OptionState, event: OptionEvent, agreeable: boolean): OptionStep {
  if (event === 'on' && state === 'no' && !agreeable) return { state: 'no', send: 'off' };
  return steps[event][state];
}

/** Whether the option is in effect: until the peer has answered it is what it was, RFC 1143 §3. */
export function isOn(state: OptionState): boolean {
  return state === 'yes' || state === 'wantno' || state === 'wantno-opposite';
}
