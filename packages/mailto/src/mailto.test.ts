import { RetrievalError } from '@retriever/driver';
import { driverConformance, testAccess } from '@retriever/driver/testing';
import { parse, type MailtoUrl } from '@retriever/url';
import { describe, expect, test } from 'vitest';
import { mailto, type MailtoMailbox } from './mailto.ts';

async function mailbox(url: string): Promise<MailtoMailbox> {
  const access = testAccess();
  const retrieved = await mailto().retrieve({ url: parse(url) as MailtoUrl }, access);
  expect(access.endpoints).toEqual([]);
  return retrieved as MailtoMailbox;
}

async function refusal(url: string): Promise<RetrievalError> {
  const error: unknown = await mailbox(url).catch((error: unknown) => error);
  if (!(error instanceof RetrievalError)) throw new TypeError(`${url} was not refused`);
  return error;
}

describe('a driver like any other', () => {
  const subject = { driver: mailto(), url: () => 'mailto:a@b', kind: 'mailbox' } as const;
  for (const { name, run } of driverConformance(subject)) test(name, run);
});

test('an address alone (RFC 1738 §3.5)', async () => {
  expect(await mailbox('mailto:timbl@info.cern.ch')).toEqual({
    kind: 'mailbox',
    address: 'timbl@info.cern.ch',
    to: ['timbl@info.cern.ch'],
    fields: [],
  });
});

test.each([
  ['mailto:gorby%25kremvax@example.com', 'gorby%kremvax@example.com'],
  ['mailto:user%25host%25other@relay.example', 'user%host%other@relay.example'],
  ['mailto:unlikely%3Faddress@example.com', 'unlikely?address@example.com'],
  ['mailto:Mike%26family@example.org', 'Mike&family@example.org'],
  ['mailto:%22not%40me%22@example.org', '"not@me"@example.org'],
  ['mailto:%22oh%5C%5Cno%22@example.org', String.raw`"oh\\no"@example.org`],
  ["mailto:%22%5C%5C%5C%22it's%5C%20ugly%5C%5C%5C%22%22@example.org", String.raw`"\\\"it's\ ugly\\\""@example.org`],
  ['mailto:user@example.org?subject=caf%C3%A9', 'user@example.org'],
  ['mailto:user@%E7%B4%8D%E8%B1%86.example.org', 'user@納豆.example.org'],
  ['MAILTO:a@b', 'a@b'],
  ['mailto:a/b@c', 'a/b@c'],
  ['mailto:a@%5B10.0.0.1%5D', 'a@[10.0.0.1]'],
])('%s is for %s (RFC 1738 §3.5, RFC 6068 §6)', async (url, address) => {
  expect(await mailbox(url)).toMatchObject({ address, to: [address] });
});

test('header fields are data, decoded; a plus is a plus (RFC 6068 §6)', async () => {
  expect(
    (await mailbox('mailto:joe@example.com?cc=bob@example.com&Subject=caf%C3%A9%20+1&body=hello&In-Reply-To=%3C3@x%3E'))
      .fields,
  ).toEqual([
    { name: 'cc', value: 'bob@example.com' },
    { name: 'subject', value: 'café +1' },
    { name: 'body', value: 'hello' },
    { name: 'in-reply-to', value: '<3@x>' },
  ]);
});

test('a field that comes twice, is empty, or has no value stays', async () => {
  expect((await mailbox('mailto:a@b?x=1&x=2&y=&z')).fields).toEqual([
    { name: 'x', value: '1' },
    { name: 'x', value: '2' },
    { name: 'y', value: '' },
    { name: 'z', value: '' },
  ]);
});

test.each([
  ['mailto:addr1@an.example,addr2@an.example', ['addr1@an.example', 'addr2@an.example']],
  ['mailto:?to=addr1@an.example,addr2@an.example', ['addr1@an.example', 'addr2@an.example']],
  ['mailto:addr1@an.example?to=addr2@an.example', ['addr1@an.example', 'addr2@an.example']],
  ['mailto:addr1@an.example%2C%20addr2@an.example', ['addr1@an.example', 'addr2@an.example']],
  ['mailto:%22a%2Cb%22@c?TO=d@e', ['"a,b"@c', 'd@e']],
])('%s has several addresses (RFC 6068 §2)', async (url, to) => {
  expect(await mailbox(url)).toMatchObject({ address: to[0], to, fields: [] });
});

test('header fields may stand alone (RFC 6068 §2)', async () => {
  expect(await mailbox('mailto:?subject=x')).toEqual({
    kind: 'mailbox',
    address: '',
    to: [],
    fields: [{ name: 'subject', value: 'x' }],
  });
});

test('line breaks in the body stay (RFC 6068 §5)', async () => {
  expect((await mailbox('mailto:a@b?body=one%0D%0Atwo%0Athree')).fields).toEqual([
    { name: 'body', value: 'one\r\ntwo\nthree' },
  ]);
});

test('octets that are not UTF-8 are taken for latin1', async () => {
  expect((await mailbox('mailto:a@b?subject=caf%E9')).fields[0]!.value).toBe('café');
});

test.each([
  'mailto:a@b%0D%0ABcc:%20c@d',
  'mailto:a@b%0A',
  'mailto:%0Da@b',
  'mailto:%22a%0A%22@b',
  'mailto:a%00@b',
  'mailto:a@b?subject=x%0D%0ABcc:%20c@d',
  'mailto:a@b?subject=x%0A',
  'mailto:a@b?sub%0Aject=x',
  'mailto:a@b?to=c@d%0A',
  'mailto:a@b?cc=c@d%0DBcc:e@f',
  'mailto:a@b?body=x%00y',
])('%s is refused: CR, LF and NUL would make more of it (RFC 1738 §6)', async (url) => {
  expect(await refusal(url)).toMatchObject({ code: 'policy', temporary: false });
});

test.each([
  'mailto:postmaster',
  'mailto:a@',
  'mailto:Joe%20%3Ca@b%3E',
  'mailto:@relay:a@b',
  'mailto:friends:%20a@b,c@d;',
  'mailto:a@b(c)',
  'mailto:a@b,',
  'mailto:a@b?to=c',
  'mailto:a@b?=x',
  'mailto:a@b?x%20y=z',
  'mailto:a@b?x%3A=z',
])('%s is refused with words', async (url) => {
  expect(await refusal(url)).toMatchObject({
    code: 'unsupported',
    message: expect.stringContaining('is not') as string,
  });
});

test('once aborted nothing is told', async () => {
  const signal = AbortSignal.abort();
  const retrieving = mailto().retrieve({ url: parse('mailto:a@b') as MailtoUrl }, testAccess({ signal }));
  await expect(retrieving).rejects.toBe(signal.reason);
});
