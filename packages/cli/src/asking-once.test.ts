import { expect, test } from 'vitest';
import { askingOnce } from './asking-once.ts';

const realm = { scheme: 'ftp', host: 'h', port: 21, wanted: 'login' } as const;

test('asks one question at a time, and the same one once for all who ask', async () => {
  const asked: string[] = [];
  let open = 0;
  const ask = askingOnce(async ({ host, prompt }) => {
    asked.push(host + (prompt ?? ''));
    open += 1;
    expect(open).toBe(1);
    await Promise.resolve();
    open -= 1;
    return { user: host };
  });
  const answers = await Promise.all([
    ask(realm),
    ask(realm),
    ask({ ...realm, host: 'other' }),
    ask({ ...realm, prompt: '1?' }),
    ask({ ...realm, prompt: '2?' }),
  ]);
  expect(answers.map((answer) => answer?.user)).toEqual(['h', 'h', 'other', 'h', 'h']);
  expect(asked).toEqual(['h', 'other', 'h1?', 'h2?']);
  await ask(realm);
  expect(asked.length).toBe(5);
});

test('goes on after nobody answered', async () => {
  let asked = 0;
  const ask = askingOnce(async () => {
    asked += 1;
    if (asked === 1) throw new Error('nobody');
    return undefined;
  });
  const first = ask(realm);
  const second = ask({ ...realm, port: 2121 });
  await expect(first).rejects.toThrow('nobody');
  expect(await second).toBeUndefined();
});
