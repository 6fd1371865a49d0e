import { expect, test } from 'vitest';
import { driverOf } from '../testing/fake-driver.ts';
import { createClient } from './client.ts';
import { follow } from './layers/follow.ts';

test('a retrieval has a listener of its own, who hears of its hops and layers and of no other retrieval', async () => {
  const all: string[] = [];
  const client = createClient({
    drivers: [
      driverOf(
        async ({ url }, access) => {
          access.report({ type: 'note', text: String(url) });
          return String(url).endsWith('a')
            ? { kind: 'reference', target: 'http://h/b', metadata: {} }
            : { kind: 'mailbox', address: '' };
        },
        ['http'],
      ),
    ],
    layers: [follow()],
    trace: (record) => all.push('text' in record ? record.text : record.type),
  });
  const own: string[] = [];
  const retrieve = (url: string): Promise<unknown> =>
    client.retrieve(url, { onTrace: (record) => own.push('text' in record ? record.text : record.type) });
  await Promise.all([retrieve('http://h/a'), client.retrieve('http://h/c')]);
  expect(own).toEqual(['http://h/a', 'redirected', 'http://h/b']);
  expect(all.toSorted()).toEqual([...own, 'http://h/c'].toSorted());
});
