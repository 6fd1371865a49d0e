import { bodyOf, RetrievalError, type Retrieval } from '@retriever/driver';
import { describe, expect, test } from 'vitest';
import { driverOf } from '../../testing/fake-driver.ts';
import { createClient, type Client } from '../client.ts';
import { standardPolicy, type Policy } from '../policy.ts';
import { follow, type FollowOptions } from './follow.ts';

const ok: Retrieval = { kind: 'content', body: bodyOf(new Uint8Array(1)), metadata: {} };

/** A client whose prospero: and http: URLs are references to these targets; gopher://down cannot be reached. */
function client(targets: readonly string[], options: FollowOptions & { policy?: Policy } = {}): Client {
  const [target = '', ...alternatives] = targets;
  const refer = driverOf(async () => ({ kind: 'reference', target, alternatives, metadata: {} }), ['prospero', 'http']);
  const serve = driverOf(
    async ({ url }) => {
      if (url.toString().includes('down')) throw new RetrievalError('unreachable', 'down');
      if (url.toString().includes('gone')) throw new RetrievalError('not-found', 'gone');
      return ok;
    },
    ['gopher', 'ftp', 'telnet', 'file'],
  );
  const { policy = standardPolicy(), ...following } = options;
  return createClient({ drivers: [refer, serve], layers: [follow(following)], policy });
}

describe('a reference of a Prospero server (RFC 1738 §3.11)', () => {
  test('may lead to gopher; one of a web server may not', async () => {
    const { url } = await client(['gopher://h/']).retrieve('prospero://h/x');
    expect(url.toString()).toBe('gopher://h/');
    await expect(client(['gopher://h/']).retrieve('http://h/x')).rejects.toMatchObject({ code: 'policy' });
  });

  test('never leads to a file of this computer', async () => {
    await expect(client(['file:///etc/passwd']).retrieve('prospero://h/x')).rejects.toMatchObject({ code: 'policy' });
  });

  test('may be held back by the caller', async () => {
    const policy = standardPolicy({ referableFrom: {} });
    await expect(client(['gopher://h/'], { policy }).retrieve('prospero://h/x')).rejects.toMatchObject({
      code: 'policy',
    });
  });
});

describe('alternatives', () => {
  test('are tried in order where there is no driver, no permission and no connection', async () => {
    const targets = ['wais://h/db', 'file:///x', 'gopher://down/', 'ftp://h/y', 'ftp://h/z'];
    const { url } = await client(targets).retrieve('prospero://h/x');
    expect(url.toString()).toBe('ftp://h/y');
  });

  test('are not tried where the first target says no; where none is left, the first failure counts', async () => {
    await expect(client(['ftp://h/gone', 'ftp://h/y']).retrieve('prospero://h/x')).rejects.toMatchObject({
      code: 'not-found',
    });
    await expect(client(['wais://h/db', 'gopher://down/']).retrieve('prospero://h/x')).rejects.toMatchObject({
      code: 'unsupported',
    });
  });

  test('count as hops', async () => {
    const targets = Array.from({ length: 9 }, (_, at) => `gopher://down${at}/`);
    await expect(client(targets, { maxReferences: 4 }).retrieve('prospero://h/x')).rejects.toMatchObject({
      code: 'limit',
    });
  });
});
