import { expect, test } from 'vitest';
import { adviceOn } from './advice.ts';

const service = {
  kind: 'service',
  host: 'h',
  port: 23,
  open: () => Promise.reject(new Error('not asked for')),
} as const;

test('a service: where it is, and the login that the URL suggests (RFC 1738 §3.8)', () => {
  expect(adviceOn(service)).toBe('An interactive service, nothing to retrieve: h port 23\n');
  expect(adviceOn({ ...service, user: 'u' })).toContain('\nThe URL suggests to log in as u\n');
  expect(adviceOn({ ...service, user: 'u', password: 'p' })).toContain('log in as u with the password p\n');
});

test('an address, or several, or none (RFC 6068)', () => {
  expect(adviceOn({ kind: 'mailbox', address: 'a@b' })).toBe('An address for mail, nothing to retrieve: a@b\n');
  expect(adviceOn({ kind: 'mailbox', address: 'a@b', to: ['a@b', 'c@d'] })).toContain(': a@b, c@d\n');
  expect(adviceOn({ kind: 'mailbox', address: '', to: [], fields: [{ name: 'subject', value: 'x' }] })).toBe(
    'An address for mail, nothing to retrieve: none is given\nsubject: x\n',
  );
});

test('no value can add a line, move the cursor or turn the writing round', () => {
  const value = 'x\nLog in as: y\u001b[2J\u202e';
  const text = adviceOn({ ...service, user: value, password: value });
  expect(text.split('\n')).toHaveLength(3);
  // oxlint-disable-next-line no-control-regex -- these must not be in it
  expect(text).not.toMatch(/[\u001b\u202e]/);
  expect(adviceOn({ kind: 'mailbox', address: 'a@b', fields: [{ name: 'body', value: '\u001b[2J\nTo: c@d' }] })).toBe(
    'An address for mail, nothing to retrieve: a@b\nbody:\n  \\e[2J\n  To: c@d\n',
  );
});
