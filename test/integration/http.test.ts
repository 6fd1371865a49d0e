/** HTTP against a real nginx, through the client: ranges, codings, credentials, redirects, TLS, faults. */
import { createHash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import {
  createClient,
  follow,
  standardPolicy,
  type Client,
  type ClientOptions,
  type Retrieved,
  type RetrieveOptions,
  type TraceRecord,
} from '@retriever/client';
import { RetrievalError, type Content } from '@retriever/driver';
import { ftp } from '@retriever/ftp';
import { http } from '@retriever/http';
import { afterAll, describe, expect, inject, test } from 'vitest';

const web = inject('web');
const base = `http://${web.host}`;
const records: TraceRecord[] = [];
const client = clientWith({ trace: (record) => void records.push(record) });

const clients: Client[] = [];
afterAll(() => [client, ...clients].forEach((one) => one.close()));

function clientWith(options: Partial<ClientOptions> = {}): Client {
  return createClient({ drivers: [http(), ftp()], layers: [follow()], tls: { ca: web.ca }, ...options });
}

/** A client for one test. */
function another(options: Partial<ClientOptions>): Client {
  const made = clientWith(options);
  clients.push(made);
  return made;
}

async function content(url: string, options?: RetrieveOptions, through = client): Promise<Content & Retrieved> {
  const retrieved = await through.retrieve(url, options);
  if (retrieved.kind !== 'content') throw new Error(`${url} is a ${retrieved.kind}`);
  return retrieved;
}

async function textOf(url: string, options?: RetrieveOptions, through = client): Promise<string> {
  return (await content(url, options, through)).body.text();
}

async function failure(url: string, options?: RetrieveOptions, through = client): Promise<RetrievalError> {
  try {
    const retrieved = await through.retrieve(url, options);
    if ('body' in retrieved) await retrieved.body?.pipeTo(() => undefined);
  } catch (error) {
    if (error instanceof RetrievalError) return error;
    throw error;
  }
  throw new Error(`${url} did not fail`);
}

/** Connections made while something is done. */
async function connectionsOf(doing: () => Promise<unknown>): Promise<number> {
  const before = records.length;
  await doing();
  return records.slice(before).filter((record) => record.type === 'connected').length;
}

const pangram = 'The quick brown fox jumps\nover a lazy dog.\n';
const binary = Buffer.alloc(
  65_536,
  Uint8Array.from({ length: 256 }, (_, octet) => octet),
);

describe('an object', () => {
  test('comes with its metadata', async () => {
    const { body, metadata, url } = await content(`${base}/text.txt`);
    expect(metadata).toMatchObject({
      size: 43,
      mediaType: 'text/plain',
      modified: new Date('2001-02-03T04:05:06Z'),
      reply: { code: 200, text: 'OK' },
    });
    expect(metadata.etag).toMatch(/^"/);
    expect(String(url)).toBe(`${base}/text.txt`);
    expect(await body.text()).toBe(pangram);
  });

  test('comes octet for octet', async () => {
    expect(Buffer.from(await (await content(`${base}/binary.bin`)).body.bytes()).equals(binary)).toBe(true);
    const hash = createHash('sha256');
    await (await content(`${base}/random-8m.bin`)).body.pipeTo((chunk) => void hash.update(chunk));
    expect(hash.digest('hex')).toBe('00eae64265f3db3677a501c5456a16c08f9f20864512a269ba1d5f75defbea4d');
  });

  test('may be empty, of no length told, or ended by the connection', async () => {
    expect(await textOf(`${base}/empty.bin`)).toBe('');
    expect(await textOf(`${base}/status/204`)).toBe('');
    const chunked = await content(`${base}/chunked`);
    expect(chunked.metadata.size).toBeUndefined();
    expect(await chunked.body.text()).toBe('one\ntwo\nthree\n');
    expect(await textOf(`${base}/until-close`)).toBe('one\ntwo\n');
  });

  test('has the charset and the name its server tells', async () => {
    const { body, metadata } = await content(`${base}/latin-1.txt`);
    expect(metadata.charset).toBe('iso-8859-1');
    expect(await body.text({ charset: metadata.charset! })).toBe('café crème\n');
    expect((await content(`${base}/attachment`, { metadataOnly: true })).metadata.suggestedName).toBe(
      'report final.txt',
    );
  });

  test('gives only metadata on request, and nothing if it did not change', async () => {
    const { body, metadata } = await content(`${base}/random-8m.bin`, { metadataOnly: true });
    expect(metadata.size).toBe(8_388_608);
    expect(await body.text()).toBe('');
    const same = await content(`${base}/text.txt`, { ifModifiedSince: new Date('2001-02-03T04:05:06Z') });
    expect(same.metadata.notModified).toBe(true);
    const changed = await content(`${base}/text.txt`, { ifModifiedSince: new Date('2000-01-01T00:00:00Z') });
    expect(changed.metadata.notModified).toBeUndefined();
    expect(await changed.body.text()).toBe(pangram);
  });

  test('is asked for as its URL is written', async () => {
    const asked = await textOf(`${base}/echo/a/../%7euser/a%2Fb//c d/ü?q=%zz&r=ä#part`);
    expect(asked.split('\r\n')).toEqual([
      'GET /echo/a/../%7euser/a%2Fb//c%20d/%C3%BC?q=%zz&r=%C3%A4 HTTP/1.1',
      `host: ${web.host}`,
      'connection: keep-alive',
      expect.stringMatching(/^User-Agent: retriever\/\d/),
      'Accept: */*',
      '',
      '',
    ]);
  });
});

describe('a range', () => {
  test.each([
    [{ start: 4, end: 8 }, 'quick'],
    [{ start: 34 }, 'azy dog.\n'],
    [{ suffix: 5 }, 'dog.\n'],
    [{ start: 34, end: 999 }, 'azy dog.\n'],
  ])('%j', async (range, text) => {
    const { body, metadata } = await content(`${base}/text.txt`, { range });
    expect(metadata.size).toBe(43);
    expect(metadata.range!.end! - metadata.range!.start + 1).toBe(text.length);
    expect(await body.text()).toBe(text);
  });

  test('outside is refused', async () => {
    expect(await failure(`${base}/text.txt`, { range: { start: 43 } })).toMatchObject({
      code: 'range',
      reply: { code: 416 },
    });
  });

  test('that is ignored gives the whole', async () => {
    const { body, metadata } = await content(`${base}/no-ranges/binary.bin`, { range: { start: 10 } });
    expect(metadata.range).toBeUndefined();
    expect((await body.bytes()).length).toBe(65_536);
  });

  test('resumes the version that it began with, and no other', async () => {
    const { etag } = (await content(`${base}/text.txt`, { metadataOnly: true })).metadata;
    expect(await textOf(`${base}/text.txt`, { range: { start: 38 }, ifRange: etag })).toBe('dog.\n');
    expect(await textOf(`${base}/text.txt`, { range: { start: 38 }, ifRange: '"another"' })).toBe(pangram);
  });
});

describe('a compressed transfer', () => {
  const lines = Array.from({ length: 200_000 }, (_, n) => `line ${String(n + 1).padStart(6, '0')}\n`).join('');

  test.each([undefined, 'gzip', 'br'])('is undone (%s)', async (coding) => {
    const headers = coding === undefined ? [] : ([['Accept-Encoding', coding]] as const);
    const { body, metadata } = await content(`${base}/lines.txt`, { compressed: true, headers });
    expect(metadata.headers).toContainEqual(['Content-Encoding', coding ?? expect.stringMatching(/^(br|gzip)$/)]);
    expect((await body.text()) === lines).toBe(true);
  });

  test('is not asked for otherwise, and not undone when only the caller asked', async () => {
    const { body, metadata } = await content(`${base}/lines.txt`);
    expect(metadata.size).toBe(2_400_000);
    await body.cancel();
    const raw = await content(`${base}/lines.txt`, { headers: [['Accept-Encoding', 'br']] });
    expect(brotliDecompressSync(await raw.body.bytes()).toString() === lines).toBe(true);
  });

  test('is limited', async () => {
    const strict = another({ drivers: [http({ maxDecodedBytes: 100_000 })] });
    expect((await failure(`${base}/lines.txt`, { compressed: true }, strict)).code).toBe('limit');
  });
});

describe('a refusal', () => {
  test.each([
    [403, 'refused', false],
    [404, 'not-found', false],
    [410, 'not-found', false],
    [429, 'refused', true],
    [500, 'refused', true],
    [503, 'refused', true],
  ])('%i is %s', async (status, code, temporary) => {
    expect(await failure(`${base}/status/${status}`)).toMatchObject({ code, temporary, reply: { code: status } });
  });

  test('is content where its words are wanted', async () => {
    const { body, metadata } = await content(`${base}/nowhere`, { keepRefusal: true });
    expect(metadata.refusal?.code).toBe('not-found');
    expect(await body.text()).toContain('404 Not Found');
  });

  test('without a word (444) is incomplete', async () => {
    expect(await failure(`${base}/close`)).toMatchObject({ code: 'incomplete', temporary: true });
  });

  test('comes for a certificate that has expired, is nobody’s, or another host’s', async () => {
    for (const port of [web.expiredPort, web.selfSignedPort, web.wrongHostPort]) {
      const error = await failure(`https://${web.host}:${port}/text.txt`);
      expect([port, error.code, error.reply]).toEqual([port, expect.any(String), undefined]);
      expect(error.code).not.toBe('incomplete');
    }
    const distrustful = another({ tls: {} });
    expect((await failure(`https://${web.host}/text.txt`, undefined, distrustful)).reply).toBeUndefined();
  });
});

test('https is http over TLS, and HTTP/1.1 where the server would rather HTTP/2', async () => {
  expect(await textOf(`https://${web.host}/text.txt`)).toBe(pangram);
  expect((await textOf(`https://${web.host}/echo/x`)).split('\r\n')[0]).toBe('GET /echo/x HTTP/1.1');
});

describe('Basic', () => {
  const secret = 'for alice and bob\n';

  test('sends what the URL gives, decoded', async () => {
    expect(await textOf(`http://alice:wonderland@${web.host}/private/secret.txt`)).toBe(secret);
    expect(await textOf(`http://bob:p%40ss%3Aw%2Frd%25@${web.host}/private/secret.txt`)).toBe(secret);
    expect(JSON.stringify(records)).not.toContain('wonderland');
    expect(JSON.stringify(records)).not.toContain(Buffer.from('alice:wonderland').toString('base64'));
  });

  test('asks when nothing is given, and not again when it is wrong', async () => {
    const asked: unknown[] = [];
    const asking = another({
      credentials: (realm) => {
        asked.push(realm.prompt);
        return { user: 'alice', password: asked.length === 1 ? 'wonderland' : 'wrong' };
      },
    });
    expect(await textOf(`${base}/private/secret.txt`, undefined, asking)).toBe(secret);
    expect((await failure(`${base}/private/secret.txt`, undefined, asking)).code).toBe('credentials');
    expect(asked).toEqual(['fixture', 'fixture']);
  });

  test('is needed', async () => {
    expect((await failure(`${base}/private/secret.txt`)).code).toBe('credentials');
    expect((await failure(`http://alice:wrong@${web.host}/private/secret.txt`)).code).toBe('credentials');
  });

  test('stays with its origin when a redirect leaves it', async () => {
    const credentials = { user: 'alice', password: 'wonderland' };
    const asked = await textOf(`${base}/redirect/302?to=https://${web.host}/echo/x`, { credentials });
    expect(asked).toContain('GET /echo/x');
    expect(asked).not.toContain('Authorization');
    expect(await textOf(`${base}/redirect/302?to=/private/secret.txt`, { credentials })).toBe(secret);
  });
});

describe('a redirect', () => {
  test.each([301, 302, 303, 307, 308])('%i is followed', async (status) => {
    const { body, url } = await content(`${base}/redirect/${status}?to=/text.txt#part`);
    expect(String(url)).toBe(`${base}/text.txt#part`);
    expect(await body.text()).toBe(pangram);
  });

  test('may be relative, and one of many on one connection', async () => {
    expect(await textOf(`${base}/redirect/relative`)).toBe(pangram);
    expect(await connectionsOf(() => textOf(`${base}/redirect/chain/8`))).toBeLessThanOrEqual(1);
  });

  test('without end or without a target fails', async () => {
    expect((await failure(`${base}/redirect/loop`)).code).toBe('limit');
    expect((await failure(`${base}/redirect/chain/30`)).code).toBe('limit');
    expect((await failure(`${base}/redirect/nowhere`)).code).toBe('protocol');
  });

  test('may lead to FTP, not to this machine’s files', async () => {
    const { host } = inject('ftp').vsftpd;
    const { body, url } = await content(`${base}/redirect/302?to=ftp://${host}/text.txt`);
    expect(url.scheme).toBe('ftp');
    expect(await body.text()).toBe(pangram);
    expect((await failure(`${base}/redirect/302?to=file:///etc/passwd`)).code).toMatch(/^(policy|unsupported)$/);
  });

  test('is put to policy at each hop', async () => {
    const standard = standardPolicy();
    const policy = {
      url: (question: Parameters<NonNullable<typeof standard.url>>[0]) =>
        String(question.url).endsWith('/text.txt') ? 'no texts' : undefined,
    };
    const strict = another({ policy });
    expect((await failure(`${base}/redirect/302?to=/text.txt`, undefined, strict)).code).toBe('policy');
  });
});

describe('a connection', () => {
  test('serves many requests', async () => {
    await textOf(`${base}/text.txt`);
    const requests = async (): Promise<void> => {
      for (let n = 0; n < 20; n += 1) await textOf(`${base}/text.txt`);
      for (let n = 0; n < 5; n += 1) await failure(`${base}/status/404`);
    };
    expect(await connectionsOf(requests)).toBe(0);
  });

  test('is one of a few for many requests at once', async () => {
    const many = Array.from({ length: 50 }, () => textOf(`${base}/text.txt`));
    expect(new Set(await Promise.all(many))).toEqual(new Set([pangram]));
  });
});

describe('a slow server', () => {
  test('is waited for', async () => {
    expect(await textOf(`${base}/slow`)).toBe('first\nsecond\n');
  });

  test('is given up at the deadline, before the head and within the body', async () => {
    expect((await failure(`${base}/late`, { timeout: 300 })).code).toBe('timeout');
    expect((await failure(`${base}/slow`, { timeout: 500 })).code).toBe('timeout');
    const impatient = another({ timeouts: { idle: 400 } });
    expect((await failure(`${base}/slow`, undefined, impatient)).code).toBe('timeout');
  });

  test('is given up on abort, with the caller’s reason', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    const { body } = await content(`${base}/slow`, { signal: controller.signal });
    const seen: string[] = [];
    const reading = body.pipeTo((chunk) => {
      seen.push(Buffer.from(chunk).toString());
      controller.abort(reason);
    });
    await expect(reading).rejects.toBe(reason);
    expect(seen).toEqual(['first\n']);
  });
});

test('1 GiB passes through without staying', async () => {
  const { body, metadata } = await content(`${base}/sparse-1g.bin`);
  expect(metadata.size).toBe(1_073_741_824);
  const before = process.memoryUsage().rss;
  let most = 0;
  let octets = 0;
  await body.pipeTo((chunk) => {
    octets += chunk.length;
    most = Math.max(most, process.memoryUsage.rss());
  });
  expect(octets).toBe(1_073_741_824);
  expect(most - before).toBeLessThan(128 * 1024 * 1024);
});

test('a reader that takes its time holds the server up', async () => {
  const { body } = await content(`${base}/sparse-1g.bin`);
  let octets = 0;
  for await (const chunk of body) {
    octets += chunk.length;
    if (octets > 1_000_000) break;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect(octets).toBeLessThan(2_000_000);
});
