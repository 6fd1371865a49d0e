import { driverConformance, testAccess } from '@retriever/driver/testing';
import { parse, type TelnetUrl } from '@retriever/url';
import { describe, expect, test } from 'vitest';
import { telnet } from './telnet.ts';

async function advice(url: string): Promise<unknown> {
  const access = testAccess();
  const { open: _open, ...rest } = (await telnet().retrieve({ url: parse(url) as TelnetUrl }, access)) as {
    open: unknown;
  };
  expect(access.endpoints).toEqual([]);
  return rest;
}

describe('a driver like any other', () => {
  const subject = { driver: telnet(), url: () => 'telnet://guest@127.0.0.1:1/', kind: 'service' } as const;
  for (const { name, run } of driverConformance(subject)) test(name, run);
});

test('the advice is host, port, user and password, decoded; nobody is connected to (RFC 1738 §3.8)', async () => {
  expect(await advice('telnet://al%20ice:p%40ss%C3%A9@host.example:2323/')).toEqual({
    kind: 'service',
    host: 'host.example',
    port: 2323,
    user: 'al ice',
    password: 'p@ssé',
  });
});

test('port 23 is the default, the slash may be absent, and so may the login (RFC 1738 §3.8)', async () => {
  expect(await advice('telnet://host.example')).toEqual({ kind: 'service', host: 'host.example', port: 23 });
});

test('an empty user and password differ from none (RFC 1738 §3.1)', async () => {
  expect(await advice('telnet://:@h/')).toMatchObject({ user: '', password: '' });
});

test('an IPv6 address stands without brackets', async () => {
  expect(await advice('telnet://[::1]:24/')).toMatchObject({ host: '::1', port: 24 });
});

test('once aborted it does not even advise', async () => {
  const signal = AbortSignal.abort();
  const retrieving = telnet().retrieve({ url: parse('telnet://h/') as TelnetUrl }, testAccess({ signal }));
  await expect(retrieving).rejects.toBe(signal.reason);
});

test.each(['', 'a b', 'x\xff', 'x'.repeat(41), 'a\nb'])('%j is no terminal type (RFC 1091)', (terminalType) => {
  expect(() => telnet({ terminalType })).toThrow(TypeError);
});
