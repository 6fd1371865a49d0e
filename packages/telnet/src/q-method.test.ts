import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOn, stepOf, type OptionEvent, type OptionState } from './q-method.ts';

/** RFC 1143 §7, row by row: state, event, what is sent, the new state. Events of ours are in our own words. */
const rows: readonly [OptionState, OptionEvent, 'on' | 'off' | undefined, OptionState][] = [
  ['no', 'on', 'on', 'yes'],
  ['yes', 'on', undefined, 'yes'],
  ['wantno', 'on', undefined, 'no'],
  ['wantno-opposite', 'on', undefined, 'yes'],
  ['wantyes', 'on', undefined, 'yes'],
  ['wantyes-opposite', 'on', 'off', 'wantno'],

  ['no', 'off', undefined, 'no'],
  ['yes', 'off', 'off', 'no'],
  ['wantno', 'off', undefined, 'no'],
  ['wantno-opposite', 'off', 'on', 'wantyes'],
  ['wantyes', 'off', undefined, 'no'],
  ['wantyes-opposite', 'off', undefined, 'no'],

  ['no', 'ask-on', 'on', 'wantyes'],
  ['yes', 'ask-on', undefined, 'yes'],
  ['wantno', 'ask-on', undefined, 'wantno-opposite'],
  ['wantno-opposite', 'ask-on', undefined, 'wantno-opposite'],
  ['wantyes', 'ask-on', undefined, 'wantyes'],
  ['wantyes-opposite', 'ask-on', undefined, 'wantyes'],

  ['no', 'ask-off', undefined, 'no'],
  ['yes', 'ask-off', 'off', 'wantno'],
  ['wantno', 'ask-off', undefined, 'wantno'],
  ['wantno-opposite', 'ask-off', undefined, 'wantno'],
  ['wantyes', 'ask-off', undefined, 'wantyes-opposite'],
  ['wantyes-opposite', 'ask-off', undefined, 'wantyes-opposite'],
];

test.each(rows)('%s, %s: sends %s, becomes %s (RFC 1143 §7)', (state, event, send, next) => {
  expect(stepOf(state, event, true)).toEqual({ state: next, ...(send && { send }) });
});

test.each(rows)('%s, %s of an option that may not be on', (state, event, send, next) => {
  const refused = state === 'no' && event === 'on';
  const expected = refused ? { state: 'no', send: 'off' } : { state: next, ...(send && { send }) };
  expect(stepOf(state, event, false)).toEqual(expected);
});

test('the table has every state and event once', () => {
  expect(new Set(rows.map(([state, event]) => `${state} ${event}`)).size).toBe(6 * 4);
});

/** One end of a connection with one option, and what it has sent that the other has not read. */
class End {
  state: OptionState = 'no';
  sent: ('on' | 'off')[] = [];
  readonly agreeable: boolean;

  constructor(agreeable: boolean) {
    this.agreeable = agreeable;
  }

  take(event: OptionEvent): void {
    const { state, send } = stepOf(this.state, event, this.agreeable);
    this.state = state;
    if (send) this.sent.push(send);
  }
}

describe('two peers', () => {
  test('settle and agree whatever either wishes, in any order (RFC 1143 §1)', () => {
    const act = fc.constantFrom('a on', 'a off', 'b on', 'b off', 'a reads', 'b reads');
    const acts = fc.array(act, { maxLength: 60 });
    fc.assert(
      fc.property(fc.boolean(), fc.boolean(), acts, (aAgrees, bAgrees, script) => {
        const a = new End(aAgrees);
        const b = new End(bAgrees);
        const read = (reader: End, writer: End): boolean => {
          const event = writer.sent.shift();
          if (event) reader.take(event);
          return event !== undefined;
        };
        for (const step of script) {
          const [self, other] = step.startsWith('a') ? [a, b] : [b, a];
          if (step.endsWith('reads')) read(self, other);
          else self.take(step.endsWith('on') ? 'ask-on' : 'ask-off');
        }
        let messages = 0;
        while (read(a, b) || read(b, a)) expect((messages += 1)).toBeLessThan(200);
        expect(isOn(a.state)).toBe(isOn(b.state));
        expect([a.state, b.state]).toEqual(isOn(a.state) ? ['yes', 'yes'] : ['no', 'no']);
      }),
      { numRuns: 2000 },
    );
  });
});
