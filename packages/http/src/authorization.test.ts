import { describe, expect, test } from 'vitest';
import type { Credentials, Realm } from '@retriever/driver';
import { response, webPeer } from '../testing/web-peer.ts';
import { offersBasic } from './authorization.ts';

const unauthorized = response(
  '401 Unauthorized',
  ['WWW-Authenticate: Basic realm="the \\"vault\\"", charset="UTF-8"'],
  'no',
);
const ok = response('200 OK', [], 'secret');
const alice = `Basic ${Buffer.from('alice:wonderland').toString('base64')}`;

/** A source of credentials that remembers who asked. */
function source(answer: Credentials | undefined): {
  asked: Realm[];
  credentials: (realm: Realm) => Credentials | undefined;
} {
  const asked: Realm[] = [];
  return { asked, credentials: (realm) => (asked.push(realm), answer) };
}

describe('user and password', () => {
  test('of the URL are sent as Basic, their octets decoded', async () => {
    await using web = await webPeer([ok, ok]);
    await (await web.content(web.url('/', 'alice:wonderland@'))).body.bytes();
    await (await web.content(web.url('/', 'al%20ice%C3%A9:a%3Ab%FF@'))).body.bytes();
    const octets = Buffer.concat([Buffer.from('al iceé:a:b'), Buffer.of(0xff)]).toString('base64');
    expect(web.peer.received).toContain(`Authorization: ${alice}\r\n`);
    expect(web.peer.received).toContain(`Authorization: Basic ${octets}\r\n`);
    expect(JSON.stringify(web.access.events)).not.toContain(octets);
  });

  test('may be empty, and then are sent empty (RFC 1738 §3.1)', async () => {
    await using web = await webPeer([ok]);
    await (await web.content(web.url('/', ':@'))).body.bytes();
    expect(web.peer.received).toContain(`Authorization: Basic ${Buffer.from(':').toString('base64')}\r\n`);
  });

  test('of the request come before those of the URL, and a field of the caller before both', async () => {
    await using web = await webPeer([ok, ok]);
    const credentials = { user: 'alice', password: 'wonderland' };
    await (await web.content(web.url('/', 'bob:x@'), { credentials })).body.bytes();
    expect(web.peer.received).toContain(`Authorization: ${alice}\r\n`);
    await (await web.content('/', { credentials, headers: [['authorization', 'Bearer token']] })).body.bytes();
    expect(web.peer.received.match(/^authorization:.*$/gim)).toEqual([
      `Authorization: ${alice}`,
      'authorization: Bearer token',
    ]);
  });

  test('that are refused are not asked for again', async () => {
    const { asked, credentials } = source({ user: 'alice', password: 'wonderland' });
    await using web = await webPeer([unauthorized], { credentials });
    expect(await web.failure(web.url('/', 'alice:wrong@'))).toMatchObject({
      code: 'credentials',
      reply: { code: 401 },
    });
    expect(asked).toEqual([]);
  });

  test('whose user holds a colon cannot be sent as Basic (RFC 7617 §2)', async () => {
    await using web = await webPeer([ok]);
    expect((await web.failure(web.url('/', 'a%3Ab:c@'))).code).toBe('credentials');
    expect(web.peer.connections).toBe(0);
  });
});

describe('a 401', () => {
  test('asks once, and the request is repeated on the same connection', async () => {
    const { asked, credentials } = source({ user: 'alice', password: 'wonderland' });
    await using web = await webPeer([unauthorized, ok], { credentials });
    expect(await (await web.content('/vault')).body.text()).toBe('secret');
    const { host, port } = web.peer;
    expect(asked).toEqual([{ scheme: 'http', host, port, wanted: 'login', user: undefined, prompt: 'the "vault"' }]);
    expect(web.peer.received.match(/^authorization:.*$/gim)).toEqual([`Authorization: ${alice}`]);
    expect(web.peer.connections).toBe(1);
    expect(web.lines('sent')).toContain('Authorization: ***');
  });

  test('asks for the password of the user that the URL names, having sent nothing invented', async () => {
    const { asked, credentials } = source({ password: 'wonderland' });
    await using web = await webPeer([unauthorized, ok], { credentials });
    expect(await (await web.content(web.url('/', 'alice@'))).body.text()).toBe('secret');
    expect(asked[0]).toMatchObject({ wanted: 'password', user: 'alice' });
    expect(web.peer.received.match(/^authorization:.*$/gim)).toEqual([`Authorization: ${alice}`]);
  });

  test.each([undefined, {}, { user: 'alice' }, { password: 'x' }])(
    'is final when nobody answers enough: %j',
    async (answer) => {
      await using web = await webPeer([unauthorized], { credentials: () => answer });
      expect((await web.failure()).code).toBe('credentials');
    },
  );

  test('is final the second time', async () => {
    const { asked, credentials } = source({ user: 'alice', password: 'wrong' });
    await using web = await webPeer([unauthorized, unauthorized], { credentials });
    const failure = await web.failure();
    expect(failure.code).toBe('credentials');
    expect(JSON.stringify([failure.message, web.access.events])).not.toContain('wrong');
    expect(asked.length).toBe(1);
  });

  test('for another scheme asks nobody, and says what the server wants', async () => {
    const { asked, credentials } = source({ user: 'alice', password: 'wonderland' });
    await using web = await webPeer(
      [response('401 Unauthorized', ['WWW-Authenticate: Digest realm="a, Basic b", nonce=x'])],
      { credentials },
    );
    expect((await web.failure()).message).toContain('Digest');
    expect(asked).toEqual([]);
  });

  test('to a caller who authorizes is the caller’s', async () => {
    const { asked, credentials } = source({ user: 'alice', password: 'wonderland' });
    await using web = await webPeer([unauthorized], { credentials });
    expect((await web.failure('/', { headers: [['Authorization', 'Bearer x']] })).code).toBe('credentials');
    expect(asked).toEqual([]);
  });

  test('with long words is asked about all the same, on another connection', async () => {
    const long = response('401 Unauthorized', ['WWW-Authenticate: Basic realm=x'], 'x'.repeat(500_000));
    await using web = await webPeer([long, ok], { credentials: () => ({ user: 'alice', password: 'wonderland' }) });
    expect(await (await web.content()).body.text()).toBe('secret');
    expect(web.peer.connections).toBe(2);
  });
});

test.each([
  ['Basic realm="x"', true],
  ['basic', true],
  ['Digest realm="x", Basic realm="y"', true],
  ['Negotiate, Basic realm="y"', true],
  ['Digest realm="Basic , Basic"', false],
  ['Digest realm="unclosed, Basic realm=x', false],
  ['Digest Basic=x', false],
  ['Basically', false],
  ['', false],
  [`Digest realm="${'\\"'.repeat(30_000)}`, false],
])('tells whether Basic is offered (RFC 9110 §11.6.1): %.60s', (challenges, offered) => {
  expect(offersBasic(challenges)).toBe(offered);
});
