import { RetrievalError, type RetrievalErrorCode } from '@retriever/driver';
import { parse } from '@retriever/url';
import { expect, test } from 'vitest';
import { exitCodeOf, rowFor, rows, type Row, type Trouble } from './exit-codes.ts';
import { UsageError } from './failure.ts';

type Case = readonly [
  exitCode: number,
  scheme: string,
  code: RetrievalErrorCode | undefined,
  message: string,
  more?: Partial<Trouble>,
];
const reply = (code: number) => ({ reply: { code, text: '' } });

/** One case at least for every row, in the words of drivers and client. */
const cases: readonly Case[] = [
  [6, 'ftp', 'unreachable', 'cannot connect', { causes: ['ENOTFOUND'] }],
  [28, 'ftp', 'timeout', 'the server was silent for 60000 ms'],
  [3, 'file', 'unsupported', 'the file is on another host, h; RFC 1738 §3.10 names no way'],
  [3, 'gopher', 'policy', 'the selector holds CR, LF or NUL'],
  [1, 'file:', 'policy', 'not allowed: a http: URL may not lead to a file: URL'],
  [3, 'ftp', 'policy', 'the name in the URL holds LF, which would end the command line'],
  [13, 'ftp', 'policy', 'the server wants a data connection to port 25; ports below 1024 are refused'],
  [7, 'gopher', 'policy', "not allowed: port 25 is another protocol's (RFC 1738 §6)"],
  [19, 'ftp', 'unsupported', 'f at h has neither SIZE nor MDTM'],
  [3, 'mailto', 'unsupported', 'no address: "a@"'],
  [1, 'nfs', 'unsupported', 'no driver for nfs: URLs'],
  [60, 'https', 'unreachable', 'no TLS with h: self-signed certificate', { causes: ['DEPTH_ZERO_SELF_SIGNED_CERT'] }],
  [60, 'ftps', 'unreachable', 'no TLS with h', { causes: ['ERR_TLS_CERT_ALTNAME_INVALID'] }],
  [35, 'https', 'unreachable', 'no TLS with h: wrong version number', { causes: ['ERR_SSL_WRONG_VERSION_NUMBER'] }],
  [47, 'http', 'limit', 'more than 50 references followed'],
  [63, 'http', 'limit', 'the body may have 9 octets at the most; it has 10'],
  [22, 'http', 'range', 'the server answered 416', reply(416)],
  [36, 'ftp', 'range', 'the range lies outside the object'],
  [36, 'file', 'range', 'the range lies outside the object'],
  [22, 'http', 'not-found', 'the server answered 404', reply(404)],
  [22, 'https', 'credentials', 'the server answered 401', reply(401)],
  [56, 'http', 'incomplete', 'the connection was lost', { causes: ['ECONNRESET'] }],
  [52, 'http', 'incomplete', 'the server closed the connection before the response was complete'],
  [1, 'http', 'protocol', 'not a response of HTTP/1.1: (Expected HTTP/, RTSP/ or ICE/)'],
  [33, 'http', 'protocol', 'a 206 without a usable Content-Range ("")'],
  [33, 'http', 'protocol', 'the server sent another range than was asked for: bytes 0-3/20'],
  [61, 'http', 'protocol', 'the body cannot be decoded'],
  [61, 'http', 'protocol', 'broken gzip data: incorrect header check', { answered: true }],
  [61, 'http', 'limit', 'the body is encoded 6 times over'],
  [1, 'http', 'protocol', 'not a response of HTTP/1.1: (Invalid HTTP version)'],
  [1, 'http', 'protocol', 'not a response of HTTP/1.1: (Invalid response status)'],
  [8, 'http', 'protocol', 'not a response of HTTP/1.1: invalid header'],
  [28, 'ftp', 'refused', 'the connection to h was answered 421 busy', reply(421)],
  [8, 'ftp', 'refused', 'the connection to h was answered 500 no', reply(500)],
  [11, 'ftp', 'credentials', 'the login as "a" at h was answered 530', { ...reply(530), sent: 'ACCT ***' }],
  [67, 'ftp', 'refused', 'the login as "a" at h was answered 530', { ...reply(530), sent: 'PASS ***' }],
  [67, 'nntp', 'credentials', 'the server wants a password'],
  [64, 'ftp', 'refused', 'AUTH TLS at h was answered 500', reply(500)],
  [9, 'ftp', 'not-found', 'CWD pub at h was answered 550', reply(550)],
  [14, 'ftp', 'protocol', 'no port in the reply to EPSV or PASV: 227 x'],
  [13, 'ftp', 'protocol', 'no port in the reply to EPSV or PASV: 229 x'],
  [13, 'ftp', 'refused', 'PASV at h was answered 500', reply(500)],
  [17, 'ftp', 'refused', 'TYPE I at h was answered 504', reply(504)],
  [78, 'ftp', 'not-found', 'RETR f at h was answered 550', reply(550)],
  [56, 'ftp', 'incomplete', 'RETR f at h: 4 octets came, but the server never said that this is all: it closed'],
  [18, 'ftp', 'incomplete', 'RETR f at h ended after 4 octets: 550 x', reply(550)],
  [18, 'ftp', 'incomplete', 'RETR f at h ended after 4 octets: 426 x', reply(426)],
  [18, 'ftp', 'incomplete', 'RETR f at h brought 4 octets where 5 were announced; try again'],
  [19, 'ftp', 'unreachable', 'RETR f at h was answered 425', reply(425)],
  [19, 'ftp', 'not-found', 'LIST at h was answered 550', reply(550)],
  [8, 'ftp', 'protocol', 'the server sent a line that is no FTP reply: x'],
  [37, 'file', 'not-found', 'no such file (ENOENT)'],
  [7, 'ftp', 'unreachable', 'cannot connect to h port 21', { causes: ['ECONNREFUSED'] }],
  [78, 'gopher', 'not-found', 'the server says: nothing'],
  [18, 'http', 'incomplete', 'the server closed the connection before the response was complete', { answered: true }],
  [56, 'ftp', 'incomplete', 'h closed the control connection where a reply was due'],
  [1, 'telnet', 'not-an-object', 'an interactive service'],
  [9, 'gopher', 'refused', 'the server says: no'],
  [56, 'http', undefined, 'Premature close'],
];

const troubleOf = ([, scheme, code, message, more]: Case): Trouble => ({
  code,
  message,
  scheme,
  causes: [],
  answered: false,
  ...more,
});

test.for(cases)('exit %i: %s, %s: %s', (example) => {
  expect(rowFor(troubleOf(example)).exitCode).toBe(example[0]);
});

test('every row has a case', () => {
  const met = new Set<Row>(cases.map((example) => rowFor(troubleOf(example))));
  expect(rows.filter((row) => !met.has(row)).map(({ exitCode, reason }) => [exitCode, reason])).toEqual([]);
});

test('causes are looked for in all depths, as happy eyeballs nests them', () => {
  const refused = Object.assign(new Error('no'), { code: 'ENOTFOUND' });
  const error = new RetrievalError('unreachable', 'no', { cause: new AggregateError([refused]) });
  expect(exitCodeOf(error, { scheme: 'http', answered: false })).toBe(6);
});

test('errors that are no retrieval errors have their codes too', () => {
  const circumstances = { scheme: undefined, answered: false };
  expect(exitCodeOf(new UsageError('x'), circumstances)).toBe(2);
  expect(exitCodeOf(new Error('x'), circumstances)).toBe(56);
  expect(exitCodeOf('x', circumstances)).toBe(56);
  let syntaxError: unknown;
  try {
    parse('x');
  } catch (error) {
    syntaxError = error;
  }
  expect(exitCodeOf(syntaxError, circumstances)).toBe(3);
});
