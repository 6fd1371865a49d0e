import { describe, expect, inject, test } from 'vitest';
import { startDisposable } from '../containers/disposable.ts';
import { ask } from '../containers/probe.ts';

const login = 'USER anonymous\r\nPASS test@example.com\r\n';

describe.each(Object.entries(inject('ftp')))('%s', (_name, server) => {
  test('greets and lets an anonymous user in (RFC 959 §5.4)', async () => {
    await expect(ask(server.host, { port: server.port, send: login, expect: /^230 /m })).resolves.toMatch(/^220/);
  });

  test('has a file of 43 octets', async () => {
    const send = `${login}TYPE I\r\nSIZE text.txt\r\nSIZE sparse-1g.bin\r\n`;
    const talk = await ask(server.host, { port: server.port, send, expect: /^213 1073741824\r\n/m });
    expect(talk).toContain('\r\n213 43\r\n');
  });

  test('keeps alice at home without a cage', async () => {
    const send = 'USER alice\r\nPASS wonderland\r\nPWD\r\n';
    const talk = await ask(server.host, { port: server.port, send, expect: /^257 .*\r\n/m });
    expect(talk).toContain('257 "/home/alice"');
  });
});

const { vsftpd, proftpd, pureftpd } = inject('ftp');

test.each(Object.entries({ vsftpd, proftpd }))('%s greets under implicit TLS', async (_name, { host, tlsPort = 0 }) => {
  await expect(ask(host, { port: tlsPort, tls: true, expect: /^220/ })).resolves.toBeTruthy();
});

test.each(Object.entries({ vsftpd, proftpd, pureftpd }))(
  '%s advertises an unroutable passive address on its limits port',
  async (_name, { host, limitsPort = 0 }) => {
    const talk = await ask(host, { port: limitsPort, send: `${login}PASV\r\n`, expect: /^227 .*\r\n/m });
    expect(talk).toMatch(/^227 .*10,9,8,7,/m);
  },
);

describe.each(Object.entries(inject('gopher')))('%s', (_name, { host, port }) => {
  test('answers the empty selector with a menu that points at itself (RFC 1436 §2)', async () => {
    const menu = await ask(host, { port, send: '\r\n', expect: /Elsewhere/ });
    expect(menu).toContain(`0A text\t/text.txt\t${host}\t${port}`);
  });

  test('searches', async () => {
    const menu = await ask(host, { port, send: '/cgi-bin/search\tfoo bar\r\n', expect: /Second hit/ });
    expect(menu).toContain('First hit for foo bar');
  });
});

describe('nginx', () => {
  const { host, ...web } = inject('web');
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: fixture.test\r\nConnection: close\r\n\r\n`;

  test('answers a range', async () => {
    const send = get('/text.txt').replace('\r\n', '\r\nRange: bytes=4-8\r\n');
    await expect(ask(host, { port: web.port, send, expect: /quick$/ })).resolves.toMatch(/^HTTP\/1\.1 206 /);
  });

  test('redirects to another scheme', async () => {
    const send = get('/redirect/302?to=ftp://fixture.test/text.txt');
    const reply = await ask(host, { port: web.port, send, expect: /\r\n\r\n/ });
    expect(reply).toContain('Location: ftp://fixture.test/text.txt\r\n');
  });

  test('closes without a reply', async () => {
    await expect(ask(host, { port: web.port, send: get('/close'), expect: /./ })).rejects.toThrow(/ended before/);
  });

  test.each(['tlsPort', 'expiredPort', 'selfSignedPort', 'wrongHostPort'] as const)(
    'speaks TLS on %s',
    async (port) => {
      const probe = { port: web[port], tls: true, send: get('/text.txt'), expect: /lazy dog/ };
      await expect(ask(host, probe)).resolves.toContain('Content-Length: 43');
    },
  );
});

test('a disposable server can be killed', async () => {
  await using server = await startDisposable('vsftpd');
  await expect(ask(server.host, { port: 21, expect: /^220/ })).resolves.toBeTruthy();
  await server.kill();
  await expect(ask(server.host, { port: 21, expect: /^220/ }, 1000)).rejects.toThrow();
});
