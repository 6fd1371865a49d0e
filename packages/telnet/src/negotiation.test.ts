import { expect, test } from 'vitest';
import { DO, DONT, requestName, WILL, WONT, type Verb } from './codes.ts';
import { Negotiation } from './negotiation.ts';

interface Heard {
  readonly negotiation: Negotiation;
  readonly sent: string[];
  readonly changes: string[];
  exhausted: number;
}

function negotiation(): Heard {
  const heard = { sent: [] as string[], changes: [] as string[], exhausted: 0 };
  const made = new Negotiation({
    send: (verb, option) => void heard.sent.push(requestName(verb, option)),
    changed: (side, option, on) => void heard.changes.push(`${side} ${option} ${on}`),
    exhausted: () => void (heard.exhausted += 1),
  });
  return Object.assign(heard, { negotiation: made });
}

const all = Array.from({ length: 256 }, (_, option) => option);

test("of the server's options ECHO, SGA and BINARY are agreed to, all others refused once (RFC 855)", () => {
  const { negotiation: made, sent } = negotiation();
  for (const option of all) made.receive(WILL, option);
  expect(sent.filter((text) => text.startsWith('DO '))).toEqual(['DO BINARY', 'DO ECHO', 'DO SGA']);
  expect(sent.filter((text) => text.startsWith('DONT '))).toHaveLength(253);
});

test('of ours BINARY, SGA, TTYPE and NAWS are agreed to, all others refused once (RFC 855)', () => {
  const { negotiation: made, sent } = negotiation();
  for (const option of all) made.receive(DO, option);
  expect(sent.filter((text) => text.startsWith('WILL '))).toEqual([
    'WILL BINARY',
    'WILL SGA',
    'WILL TTYPE',
    'WILL NAWS',
  ]);
  expect(sent.filter((text) => text.startsWith('WONT '))).toHaveLength(252);
});

test('what is on already, or off already, is not acknowledged (RFC 854)', () => {
  const { negotiation: made, sent, changes } = negotiation();
  for (const verb of [WILL, WILL, WONT, WONT, WONT] as const) made.receive(verb, 1);
  for (const verb of [DONT, DO, DO, DONT, DONT] as const) made.receive(verb, 31);
  expect(sent).toEqual(['DO ECHO', 'DONT ECHO', 'WILL NAWS', 'WONT NAWS']);
  expect(changes).toEqual(['peer 1 true', 'peer 1 false', 'us 31 true', 'us 31 false']);
});

test('a wish is told once, and holds from the answer on (RFC 1143 §3)', () => {
  const { negotiation: made, sent } = negotiation();
  made.ask('us', 0, true);
  made.ask('us', 0, true);
  expect(made.isOn('us', 0)).toBe(false);
  made.receive(DO, 0);
  expect(made.isOn('us', 0)).toBe(true);
  expect(sent).toEqual(['WILL BINARY']);
});

test('a wish that is refused ends there', () => {
  const { negotiation: made, sent } = negotiation();
  made.ask('peer', 0, true);
  made.receive(WONT, 0);
  made.receive(WONT, 0);
  expect(sent).toEqual(['DO BINARY']);
  expect(made.isOn('peer', 0)).toBe(false);
});

test.each<[string, (round: number) => readonly [Verb, number]]>([
  ['refused options, WILL and DO in turn', (round) => [round % 2 === 0 ? WILL : DO, 99]],
  ['an agreeable option, on and off in turn', (round) => [round % 2 === 0 ? WILL : WONT, 1]],
  ['every option', (round) => [[WILL, DO, WONT, DONT][round & 3] as Verb, (round >> 2) & 255]],
])('a storm of 10,000 requests gets an end: %s', (_, request) => {
  const heard = negotiation();
  for (let round = 0; round < 10_000; round += 1) heard.negotiation.receive(...request(round));
  expect(heard.sent.length).toBeLessThanOrEqual(2048);
  expect(heard.exhausted).toBe(1);
});

test('no request gets more than one answer, in any storm', () => {
  const heard = negotiation();
  for (let round = 0; round < 1000; round += 1) {
    const before = heard.sent.length;
    heard.negotiation.receive([WILL, WONT, DO, DONT][(round * 7) % 4] as Verb, (round * 31) % 40);
    expect(heard.sent.length - before).toBeLessThanOrEqual(1);
  }
});

test('a server that asks again whenever it is refused does not keep us talking for ever', () => {
  let answers = 0;
  const pending: Verb[] = [WILL];
  const made = new Negotiation({
    send: () => {
      answers += 1;
      pending.push(WILL);
    },
    changed: () => undefined,
    exhausted: () => undefined,
  });
  for (let verb = pending.shift(); verb !== undefined; verb = pending.shift()) made.receive(verb, 99);
  expect(answers).toBe(1024);
});

test('data in between shows that it is a conversation: it goes on', () => {
  const heard = negotiation();
  for (let round = 0; round < 5000; round += 1) {
    heard.negotiation.receive(round % 2 === 0 ? WILL : WONT, 1);
    if (round % 100 === 0) heard.negotiation.progress();
  }
  expect(heard.sent).toHaveLength(5000);
  expect(heard.exhausted).toBe(0);
});

test('after a storm an option that was on is still given up', () => {
  const heard = negotiation();
  heard.negotiation.receive(WILL, 1);
  for (let round = 0; round < 5000; round += 1) heard.negotiation.receive(WILL, 99);
  heard.negotiation.receive(WONT, 1);
  expect(heard.negotiation.isOn('peer', 1)).toBe(false);
  expect(heard.sent.at(-1)).toBe('DONT ECHO');
});
