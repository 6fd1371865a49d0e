import { bodyOf, createBody, type Driver } from '@retriever/driver';
import { parse, type Url } from '@retriever/url';
import { describe, expect, test } from 'vitest';
import { clientOf, driverOf, failure, pumping } from '../testing/fake-driver.ts';
import { loopback } from '../testing/loopback.ts';
import { createClient } from './client.ts';
import { follow } from './layers/follow.ts';
import { standardPolicy, type AddressQuestion, type ConnectionQuestion, type Policy } from './policy.ts';

describe('the standard policy', () => {
  const driverPorts: Readonly<Record<string, number[]>> = {
    ftp: [21, 990],
    ftps: [21, 990],
    http: [80, 443],
    https: [80, 443],
    gopher: [70],
  };
  const verdict = (text: string, policy = standardPolicy(), from?: Url): unknown => {
    const url = parse(text);
    return policy.url?.({ url, from, ownPorts: driverPorts[url.scheme] ?? [] });
  };

  test.each([
    'gopher://h:25/',
    'http://h:25/',
    'ftp://h:80/',
    'http://h:70/',
    'gopher://h:21/',
    'http://h:22/',
    'ftp://h:119/',
    'http://h:0/',
  ])("refuses %s: the port is another protocol's (RFC 1738 §6)", (text) => expect(verdict(text)).toMatch(/port/));
  test.each([
    'gopher://h/',
    'gopher://h:70/',
    'ftp://h:21/',
    'ftp://h:990/',
    'http://h:443/',
    'https://h:80/',
    'http://h:8080/',
    'gopher://h:7070/',
    'file:///etc/motd',
  ])('has nothing against %s', (text) => expect(verdict(text)).toBeUndefined());
  test('lets the caller allow a port', () => {
    expect(verdict('http://h:25/', standardPolicy({ allowedPorts: [25] }))).toBeUndefined();
  });
  test.each(['file:///etc/passwd', 'gopher://h/', 'telnet://h/', 'mailto:a@b'])(
    'refuses a reference from http to %s',
    (text) => {
      expect(verdict(text, standardPolicy(), parse('http://h/'))).toMatch(/may not lead/);
    },
  );
  test('lets references lead to http and ftp, and within a scheme', () => {
    expect(verdict('https://h/', standardPolicy(), parse('http://h/'))).toBeUndefined();
    expect(verdict('ftp://h/', standardPolicy(), parse('gopher://h/'))).toBeUndefined();
    expect(verdict('gopher://h/', standardPolicy(), parse('gopher://other/'))).toBeUndefined();
    expect(
      verdict('gopher://h/', standardPolicy({ referableSchemes: ['gopher'] }), parse('http://h/')),
    ).toBeUndefined();
  });
  test('refuses the port of a reference as well', () => {
    expect(verdict('http://h:25/', standardPolicy(), parse('http://h/'))).toMatch(/port 25/);
  });
});

test('a driver of a scheme may use its default ports', async () => {
  const client = clientOf(async () => ({ kind: 'content', body: bodyOf(new Uint8Array()), metadata: {} }));
  expect(await failure(client.retrieve('gopher://127.0.0.1:25/'))).toMatchObject({
    code: 'policy',
    url: 'gopher://127.0.0.1:25/',
  });
  await client.retrieve('gopher://127.0.0.1:70/');
});

/** Every kind of connection a driver can ask for, to names of all kinds. */
const everything: Driver = driverOf(async ({ url }, access) => {
  const { port } = url;
  const endpoint = { host: 'name.example', port: port! };
  const control = await access.connect(endpoint);
  const data = await access.connectForBody({ ...endpoint, beside: control });
  data.destroy();
  (await access.connectForBody(endpoint)).destroy();
  (await access.datagrams(endpoint)).close();
  const lease = await access.lease('key', async (dial) => {
    const socket = await dial.connect(endpoint);
    return { usable: true, close: () => void socket.end() };
  });
  lease.discard();
  return { kind: 'reference', target: `http://elsewhere.example:${port}/`, metadata: {} };
});

test('is asked for the name and the address of every connection of every kind, of a redirect as well', async () => {
  await using server = await loopback(() => undefined);
  const connections: ConnectionQuestion[] = [];
  const questions: AddressQuestion[] = [];
  const froms: (string | undefined)[] = [];
  const policy: Policy = {
    url: async ({ from }) => void froms.push(from && String(from)),
    connection: async (question) => void connections.push(question),
    address: async (question) => void questions.push(question),
  };
  const second = driverOf(
    async ({ url }, access) => {
      await access.connect({ host: 'elsewhere.example', port: url.port! });
      return { kind: 'content', body: bodyOf(new Uint8Array()), metadata: {} };
    },
    ['http'],
  );
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
  const client = createClient({ drivers: [everything, second], policy, lookup, layers: [follow()] });
  await client.retrieve(`gopher://name.example:${server.port}/`);
  const asked = questions.map(({ host, transport, beside }) => `${host} ${transport}${beside ? ' beside' : ''}`);
  expect(asked).toEqual([
    'name.example tcp',
    'name.example tcp beside',
    'name.example tcp',
    'name.example udp',
    'name.example tcp',
    'elsewhere.example tcp',
  ]);
  expect(connections).toHaveLength(questions.length);
  expect(questions.every(({ address, family }) => address === '127.0.0.1' && family === 4)).toBe(true);
  expect(froms).toEqual([undefined, `gopher://name.example:${server.port}/`]);
  client.close();
});

test('addresses objected to are not dialled, the others are', async () => {
  await using server = await loopback((socket) => socket.end('hello'));
  const lookup = async () => [
    { address: '127.0.0.2', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ];
  const addresses: string[] = [];
  const client = clientOf(
    async ({ url }, access) => {
      const source = await access.connectForBody({ host: 'name.example', port: url.port! });
      return { kind: 'content', body: createBody({ pump: (sink) => source.pump(sink) }), metadata: {} };
    },
    {
      lookup,
      policy: { address: ({ address }) => (address === '127.0.0.2' ? 'not that one' : undefined) },
      trace: (record) => void (record.type === 'connecting' && addresses.push(record.address)),
    },
  );
  const retrieved = await client.retrieve(`gopher://name.example:${server.port}/`);
  expect(await (retrieved as { body: { text(): Promise<string> } }).body.text()).toBe('hello');
  expect(addresses).toEqual(['127.0.0.1']);
});

test('with all addresses objected to nothing is dialled', async () => {
  await using server = await loopback(() => undefined);
  const client = clientOf(pumping, { policy: { address: () => 'a private address' } });
  expect(await failure(client.retrieve(`gopher://127.0.0.1:${server.port}/`))).toMatchObject({
    code: 'policy',
    message: expect.stringContaining('a private address'),
  });
  expect(server.sockets).toHaveLength(0);
});

test('a connection beside another goes to its address, whatever the name means by now', async () => {
  await using server = await loopback(() => undefined);
  let lookups = 0;
  const lookup = async () => [{ address: `127.0.0.${(lookups += 1)}`, family: 4 }];
  const reached: (string | undefined)[] = [];
  const client = clientOf(
    async ({ url }, access) => {
      const endpoint = { host: 'name.example', port: url.port! };
      const control = await access.connect(endpoint);
      reached.push((await access.connectForBody({ ...endpoint, beside: control })).socket.remoteAddress);
      return { kind: 'mailbox', address: '' };
    },
    { lookup },
  );
  await client.retrieve(`gopher://name.example:${server.port}/`);
  expect([reached, lookups]).toEqual([['127.0.0.1'], 1]);
});

test('a name without addresses is unreachable', async () => {
  const client = clientOf(
    async ({ url }, access) => {
      await access.connect({ host: 'none.example', port: url.port! });
      throw new Error('connected');
    },
    { lookup: async () => [] },
  );
  expect(await failure(client.retrieve('gopher://none.example:7070/'))).toMatchObject({ code: 'unreachable' });
});

test('a look-up that gives a name instead of an address is a bug, and the name is not looked up behind policy', async () => {
  const client = clientOf(
    async ({ url }, access) => {
      await access.connect({ host: 'name.example', port: url.port! });
      throw new Error('connected');
    },
    { lookup: async () => [{ address: 'localhost', family: 4 }] },
  );
  expect(await failure(client.retrieve('gopher://name.example:7070/'))).toMatchObject({
    message: 'the look-up of name.example gave "localhost", which is no address',
  });
});

test.each(['url', 'connection', 'address'] as const)('what the %s hook throws reaches the caller', async (hook) => {
  const bug = new Error('a bug in the policy');
  const client = clientOf(pumping, {
    policy: {
      [hook]: () => {
        throw bug;
      },
    },
  });
  expect(await failure(client.retrieve('gopher://127.0.0.1:7070/'))).toBe(bug);
});

test.each(['url', 'connection', 'address'] as const)(
  'a %s hook that never answers does not outlive an abort',
  async (hook) => {
    const client = clientOf(pumping, { policy: { [hook]: () => new Promise<undefined>(() => undefined) } });
    const signal = AbortSignal.timeout(30);
    expect(await failure(client.retrieve('gopher://127.0.0.1:7070/', { signal }))).toBe(signal.reason);
  },
);
