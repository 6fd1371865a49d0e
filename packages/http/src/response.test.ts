import { RetrievalError } from '@retriever/driver';
import { describe, expect, test } from 'vitest';
import { response, webPeer } from '../testing/web-peer.ts';

describe('metadata', () => {
  test('is what the header fields say, which are kept in order and case', async () => {
    await using web = await webPeer([
      response(
        '200 All right',
        [
          'ETag: "v1"',
          'Content-Type: Text/HTML; charset="UTF-8"',
          'LAST-modified: Sun, 06 Nov 1994 08:49:37 GMT',
          'Set-Cookie: a=1',
          'set-cookie: b=2',
          'X-Latin: caf\xe9',
          'X-Empty:',
          "Content-Disposition: attachment; filename=x; filename*=UTF-8''na%C3%AFve%20x.txt",
        ],
        '<p>',
      ),
    ]);
    const { body, metadata } = await web.content();
    expect(metadata).toMatchObject({
      size: 3,
      mediaType: 'text/html',
      charset: 'utf-8',
      etag: '"v1"',
      modified: new Date('1994-11-06T08:49:37Z'),
      suggestedName: 'naïve x.txt',
      reply: { code: 200, text: 'All right' },
    });
    expect(metadata.headers).toEqual([
      ['ETag', '"v1"'],
      ['Content-Type', 'Text/HTML; charset="UTF-8"'],
      ['LAST-modified', 'Sun, 06 Nov 1994 08:49:37 GMT'],
      ['Set-Cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['X-Latin', 'caf\xe9'],
      ['X-Empty', ''],
      ['Content-Disposition', "attachment; filename=x; filename*=UTF-8''na%C3%AFve%20x.txt"],
      ['Content-Length', '3'],
    ]);
    expect(body.size).toBe(3);
    expect(await body.text()).toBe('<p>');
    expect(web.lines('received')[0]).toBe('HTTP/1.1 200 All right');
    expect(web.lines('received')).toContain('Set-Cookie: ***');
    expect(web.lines('received')).not.toContain('Set-Cookie: a=1');
  });

  test.each([
    ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
    ['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37.000Z'],
    ['yesterday', undefined],
    ['0', undefined],
  ])('takes the dates of RFC 9110 §5.6.7: %s', async (date, iso) => {
    await using web = await webPeer([response('200 OK', [`Last-Modified: ${date}`])]);
    expect((await web.content()).metadata.modified?.toISOString()).toBe(iso);
  });

  test('is the same when every octet comes in a packet of its own, reason phrase included', async () => {
    const interim = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
    await using web = await webPeer(
      [Buffer.concat([Buffer.from(interim), response('200 Quite all right', ['X-Long: value'], 'body')])],
      {
        octetByOctet: true,
      },
    );
    const { body, metadata } = await web.content();
    expect(metadata.reply).toEqual({ code: 200, text: 'Quite all right' });
    expect(metadata.headers?.[0]).toEqual(['X-Long', 'value']);
    expect(await body.text()).toBe('body');
    expect(web.lines('received')).toEqual([
      'HTTP/1.1 103 Early Hints',
      'Link: </a>',
      'HTTP/1.1 200 Quite all right',
      'X-Long: value',
      'Content-Length: 4',
    ]);
  });
});

describe('a range', () => {
  const part = (range: string, body: string, fields: string[] = []): Buffer =>
    response('206 Partial Content', [`Content-Range: ${range}`, ...fields], body);

  test('is what was asked for, with the size of the whole', async () => {
    await using web = await webPeer([part('bytes 3-6/10', '3456')]);
    const { body, metadata } = await web.content('/', { range: { start: 3, end: 6 } });
    expect(metadata).toMatchObject({ range: { start: 3, end: 6 }, size: 10 });
    expect(body.size).toBe(4);
    expect(await body.text()).toBe('3456');
  });

  test('may be shorter than asked for, of unknown size, or a suffix', async () => {
    await using web = await webPeer([
      part('bytes 3-4/*', '34'),
      part('bytes 6-9/10', '6789'),
      part('bytes 0-9/10', '0123456789'),
    ]);
    const first = await web.content('/', { range: { start: 3, end: 6 } });
    expect(first.metadata).toMatchObject({ range: { start: 3, end: 4 }, size: undefined });
    await first.body.bytes();
    const second = await web.content('/', { range: { suffix: 4 } });
    expect(second.metadata.range).toEqual({ start: 6, end: 9 });
    await second.body.bytes();
    expect((await web.content('/', { range: { suffix: 400 } })).metadata.range).toEqual({ start: 0, end: 9 });
  });

  test('that the server ignores gives the whole, and says so', async () => {
    await using web = await webPeer([response('200 OK', [], '0123456789')]);
    const { body, metadata } = await web.content('/', { range: { start: 3 } });
    expect(metadata.range).toBeUndefined();
    expect(metadata.size).toBe(10);
    expect(await body.text()).toBe('0123456789');
  });

  test.each([
    ['starts elsewhere', 'bytes 2-9/10', '23456789'],
    ['starts at 0', 'bytes 0-9/10', '0123456789'],
    ['goes further than asked', 'bytes 3-9/10', '3456789'],
    ['goes past its own end', 'bytes 3-6/5', '3456'],
    ['runs backwards', 'bytes 6-3/10', '3456'],
    ['counts something else', 'lines 3-6/10', '3456'],
    ['cannot be counted', `bytes 3-${'9'.repeat(30)}/*`, '3456'],
    ['differs from its length', 'bytes 3-6/10', '345'],
    ['is not given', '', '3456'],
  ])('that %s is a breach of protocol', async (_what, range, body) => {
    await using web = await webPeer([part(range, body)]);
    expect((await web.failure('/', { range: { start: 3, end: 6 } })).code).toBe('protocol');
    await web.peer.drained();
  });

  test('in several parts, or one nobody asked for, is a breach of protocol', async () => {
    await using web = await webPeer([
      response('206 Partial Content', ['Content-Type: multipart/byteranges; boundary=x'], '--x'),
      part('bytes 3-6/10', '3456'),
    ]);
    expect((await web.failure('/', { range: { start: 3 } })).code).toBe('protocol');
    expect((await web.failure('/')).code).toBe('protocol');
  });

  test('of a caller who writes the field is the caller’s to read', async () => {
    await using web = await webPeer([part('bytes 0-0,3-4/10', '034')]);
    expect(await (await web.content('/', { headers: [['Range', 'bytes=0-0,3-4']] })).body.text()).toBe('034');
  });

  test.each([
    ['shorter', '3\r\n345\r\n0\r\n\r\n', 'incomplete'],
    ['longer', '5\r\n34567\r\n0\r\n\r\n', 'protocol'],
  ])('sent in chunks and %s than it says fails the body', async (_what, chunks, code) => {
    const head = 'HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 3-6/10\r\nTransfer-Encoding: chunked\r\n\r\n';
    await using web = await webPeer([head + chunks]);
    expect((await web.failure('/', { range: { start: 3, end: 6 } })).code).toBe(code);
  });

  test('outside the object is refused as such (416)', async () => {
    await using web = await webPeer([response('416 Range Not Satisfiable', ['Content-Range: bytes */10'])]);
    expect(await web.failure('/', { range: { start: 10 } })).toMatchObject({
      code: 'range',
      temporary: false,
      reply: { code: 416 },
    });
  });
});

test('304 says that nothing changed, and leaves the connection in use', async () => {
  await using web = await webPeer(['HTTP/1.1 304 Not Modified\r\nETag: "v1"\r\n\r\n', response('200 OK', [], 'x')]);
  const { body, metadata } = await web.content('/', { ifModifiedSince: new Date() });
  expect(metadata).toMatchObject({ notModified: true, etag: '"v1"' });
  expect(await body.text()).toBe('');
  await (await web.content()).body.bytes();
  expect(web.peer.connections).toBe(1);
});

test.each(['204 No Content', '205 Reset Content'])('%s is content without octets', async (status) => {
  await using web = await webPeer([
    `HTTP/1.1 ${status}\r\n${status.startsWith('205') ? 'Content-Length: 0\r\n' : ''}\r\n`,
  ]);
  const { body } = await web.content();
  expect(await body.text()).toBe('');
  expect(web.access.idle.size).toBe(1);
});

describe('a redirection', () => {
  test.each([
    ['/b?c', '/b?c'],
    ['b', '/dir/b'],
    ['../b', '/b'],
    ['?q', '/dir/a?q'],
    ['  /b  ', '/b'],
    ['caf\xc3\xa9', '/dir/café'],
  ])('to %j is relative to the URL', async (location, path) => {
    await using web = await webPeer([response('302 Found', [`Location: ${location}`], 'over there')]);
    const { target, body, metadata } = await web.reference('/dir/a');
    expect(target).toBe(web.url(path));
    expect(metadata.reply).toEqual({ code: 302, text: 'Found' });
    expect(await body!.text()).toBe('over there');
    expect(web.access.idle.size).toBe(1);
  });

  test.each([300, 301, 302, 303, 306, 307, 308, 399])('may be a %i, to any scheme', async (status) => {
    await using web = await webPeer([response(`${status} Moved`, ['location: ftp://h/pub/x;type=i'])]);
    expect((await web.reference()).target).toBe('ftp://h/pub/x;type=i');
  });

  test('hands the fragment on, unless it has its own (RFC 9110 §10.2.2)', async () => {
    await using web = await webPeer([
      response('301 Moved', ['Location: /b']),
      response('301 Moved', ['Location: /b#own']),
      response('301 Moved', ['Location: mailto:a@b']),
    ]);
    expect((await web.reference('/a#part')).target).toBe(web.url('/b#part'));
    expect((await web.reference('/a#part')).target).toBe(web.url('/b#own'));
    expect((await web.reference('/a')).target).toBe('mailto:a@b');
  });

  test('answers HEAD as well, and gives the connection back with a short body unread', async () => {
    await using web = await webPeer([
      'HTTP/1.1 301 Moved\r\nLocation: /b\r\nContent-Length: 500\r\n\r\n',
      response('200 OK'),
    ]);
    expect((await web.reference('/', { metadataOnly: true })).target).toBe(web.url('/b'));
  });

  test('with a long body lets the caller choose', async () => {
    const long = 'x'.repeat(300_000);
    await using web = await webPeer([
      response('301 Moved', ['Location: /b'], long),
      response('301 Moved', ['Location: /b'], long),
    ]);
    expect((await (await web.reference()).body!.bytes()).length).toBe(300_000);
    await (await web.reference()).body!.cancel();
    await web.peer.drained();
  });

  test.each([301, 302, 303, 307, 308, 305])(
    '%i without a target, or with an empty one, is a breach of protocol',
    async (status) => {
      await using web = await webPeer([response(`${status} Moved`), response(`${status} Moved`, ['Location:'])]);
      for (let n = 0; n < 2; n += 1) {
        expect(await web.failure()).toMatchObject({ code: 'protocol', reply: { code: status, text: 'Moved' } });
      }
    },
  );

  test('300 without a target is content', async () => {
    await using web = await webPeer([response('300 Multiple Choices', [], 'choose')]);
    expect(await (await web.content()).body.text()).toBe('choose');
  });

  test.each(['http://', 'http://u:secret@h:port/', 'ftp://'])(
    'to what is no URL is a breach of protocol: %s',
    async (location) => {
      await using web = await webPeer([response('301 Moved', [`Location: ${location}`])]);
      const failure = await web.failure();
      expect(failure.code).toBe('protocol');
      expect(failure.message).not.toContain('secret');
      expect(web.access.idle.size).toBe(1);
      await using again = await webPeer([response('301 Moved', [`Location: ${location}`], 'words')]);
      const { body, metadata } = await again.content('/', { keepRefusal: true });
      expect(metadata.refusal).toMatchObject({ code: 'protocol', reply: { code: 301 } });
      expect(await body.text()).toBe('words');
    },
  );
});

describe('a refusal', () => {
  test.each([
    [400, 'refused', false],
    [401, 'credentials', false],
    [403, 'refused', false],
    [404, 'not-found', false],
    [407, 'credentials', false],
    [408, 'refused', true],
    [410, 'not-found', false],
    [425, 'refused', true],
    [429, 'refused', true],
    [451, 'refused', false],
    [500, 'refused', true],
    [501, 'refused', false],
    [502, 'refused', true],
    [503, 'refused', true],
    [504, 'refused', true],
    [505, 'refused', false],
    [999, 'refused', false],
  ])('%i is %s, temporary: %s', async (status, code, temporary) => {
    await using web = await webPeer([response(`${status} So There`, [], 'words'), response('200 OK')]);
    const failure = await web.failure();
    expect(failure).toMatchObject({ code, temporary, reply: { code: status, text: 'So There' } });
    expect(failure.message).toContain(`${status} So There`);
    // Its words were read out, so the connection serves again.
    await (await web.content()).body.bytes();
    expect(web.peer.connections).toBe(1);
  });

  test('with many words closes the connection', async () => {
    await using web = await webPeer([response('404 Not Found', [], 'x'.repeat(200_000))]);
    expect((await web.failure()).code).toBe('not-found');
    await web.peer.drained();
  });

  test('with endless words does too, after the first of them', async () => {
    await using web = await webPeer([
      `HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n10000\r\n${'x'.repeat(65_536)}\r\n10000\r\nxxx`,
    ]);
    expect((await web.failure()).code).toBe('not-found');
    await web.peer.drained();
  });

  test('is content when its words are wanted', async () => {
    await using web = await webPeer([response('404 Not Found', ['Content-Type: text/plain'], 'nothing here')]);
    const { body, metadata } = await web.content('/', { keepRefusal: true });
    expect(metadata.refusal).toBeInstanceOf(RetrievalError);
    expect(metadata.refusal).toMatchObject({ code: 'not-found', reply: { code: 404 } });
    expect(metadata.mediaType).toBe('text/plain');
    expect(await body.text()).toBe('nothing here');
  });
});
