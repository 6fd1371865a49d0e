/**
 * Exit codes, curl's numbers, in one table: the first row that fits gives the code.
 *
 * https://curl.se/libcurl/c/libcurl-errors.html has the numbers; a row's reason says why the case belongs there.
 */
import type { Reply, RetrievalErrorCode } from '@retriever/driver';
import { Failure } from './failure.ts';

export interface Row {
  readonly exitCode: number;
  /** Why. */
  readonly reason: string;
  readonly code?: RetrievalErrorCode;
  readonly scheme?: RegExp;
  /** The peer's reply code. */
  readonly reply?: (code: number) => boolean;
  /** Codes of the system's, Node's or OpenSSL's error underneath. */
  readonly cause?: RegExp;
  /** Where two cases differ in nothing else. The ftp driver's messages begin with the command that was refused. */
  readonly message?: RegExp;
  /** The last command sent. */
  readonly sent?: RegExp;
  /** Whether the head of an answer came. */
  readonly answered?: boolean;
}

const ftp = /^ftps?$/;
const http = /^https?$/;
const file = /^file$/;

export const rows: readonly Row[] = [
  // Before a connection, and while it is made.
  { exitCode: 6, cause: /^(ENOTFOUND|EAI_\w+|ENODATA)$/, reason: 'the name cannot be resolved' },
  { exitCode: 28, code: 'timeout', reason: 'a clock ran out: connecting, silence, or the whole' },
  { exitCode: 3, code: 'unsupported', scheme: file, reason: 'a file of another host: curl calls the URL malformed' },
  {
    exitCode: 3,
    code: 'policy',
    message: /\bCR\b|\bLF\b|\bNUL\b/,
    reason: 'the URL would smuggle line ends into the protocol',
  },
  {
    exitCode: 1,
    code: 'policy',
    message: /may not lead to|--proto/,
    reason: 'a scheme that may not be used, or not be reached by a redirect',
  },
  {
    exitCode: 13,
    code: 'policy',
    message: /data connection to port/,
    reason: 'a reply to PASV that no server in its senses gives',
  },
  { exitCode: 7, code: 'policy', reason: 'not allowed to connect, hence not connected' },
  { exitCode: 19, code: 'unsupported', scheme: ftp, reason: 'a server without SIZE and MDTM, asked for nothing else' },
  { exitCode: 3, code: 'unsupported', scheme: /^mailto$/, reason: 'no mail address: the URL is malformed' },
  { exitCode: 1, code: 'unsupported', reason: 'no driver for the scheme' },
  {
    exitCode: 60,
    cause:
      /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT_ALTNAME|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_)/,
    reason: 'the certificate proves nothing; curl had 51 for a wrong name until 7.62',
  },
  { exitCode: 35, code: 'unreachable', message: /^no TLS/, reason: 'the handshake failed' },

  // Limits and ranges, whatever the protocol.
  { exitCode: 47, code: 'limit', message: /references/, reason: 'too many redirects' },
  { exitCode: 63, code: 'limit', message: /body may have/, reason: 'longer than --max-filesize' },
  { exitCode: 22, code: 'range', scheme: http, reason: 'a status of 400 or more, 416' },
  { exitCode: 36, code: 'range', reason: 'curl: "Offset was beyond file size" is a bad download resume' },

  // HTTP.
  { exitCode: 22, scheme: http, reply: (code) => code >= 400, reason: 'a status of 400 or more, all the same to curl' },
  { exitCode: 56, code: 'incomplete', cause: /^(ECONNRESET|EPIPE|ECONNABORTED)$/, reason: 'the connection broke' },
  { exitCode: 52, code: 'incomplete', scheme: http, answered: false, reason: 'the server closed without an answer' },
  {
    exitCode: 1,
    code: 'protocol',
    scheme: http,
    message: /Expected HTTP\//,
    reason: 'curl: "Received HTTP/0.9 when not allowed"',
  },
  {
    exitCode: 33,
    code: 'protocol',
    scheme: http,
    message: /usable Content-Range|another range/,
    reason: 'curl: "Requested range was not delivered by the server"',
  },
  {
    exitCode: 61,
    code: 'protocol',
    scheme: http,
    message: /compress|decod|coding|broken \w+ data/,
    reason: 'a content or transfer coding that cannot be undone',
  },
  {
    exitCode: 61,
    code: 'limit',
    scheme: http,
    message: /encoded \d+ times/,
    reason: 'more codings than anybody needs',
  },
  {
    exitCode: 1,
    code: 'protocol',
    scheme: http,
    message: /Invalid HTTP version|space after version|Invalid (response )?status/,
    reason: 'curl: "Unsupported HTTP version", "Unsupported response code"',
  },
  { exitCode: 8, code: 'protocol', scheme: http, answered: false, reason: 'a head that is none: weird server reply' },

  // FTP: by the reply and by the command it answers.
  { exitCode: 28, scheme: ftp, reply: (code) => code === 421, reason: 'curl takes 421 for a time-out' },
  {
    exitCode: 8,
    scheme: ftp,
    message: /^the connection to/,
    reason: 'a greeting that is no welcome: weird server reply',
  },
  { exitCode: 11, scheme: ftp, message: /^the login as/, sent: /^ACCT/, reason: 'the account was rejected' },
  { exitCode: 67, scheme: ftp, message: /^the login as/, reason: 'the login was denied' },
  { exitCode: 67, code: 'credentials', reason: 'no login, no object' },
  { exitCode: 64, scheme: ftp, message: /^AUTH|will not secure/, reason: 'TLS was required and the server has none' },
  { exitCode: 9, scheme: ftp, message: /^CWD /, reason: 'the directory was refused' },
  { exitCode: 14, scheme: ftp, message: /EPSV or PASV: 227/, reason: 'a 227 without a port' },
  {
    exitCode: 13,
    scheme: ftp,
    message: /^(EPSV|PASV)|EPSV or PASV/,
    reason: 'no passive mode, or a reply that makes no sense',
  },
  { exitCode: 17, scheme: ftp, message: /^TYPE /, reason: 'the type was refused' },
  { exitCode: 56, scheme: ftp, message: /never said that this is all/, reason: 'the dialogue broke off' },
  {
    exitCode: 18,
    scheme: ftp,
    message: /octets/,
    reason: 'the transfer ended short, or the server did not report that it is all',
  },
  {
    exitCode: 78,
    scheme: ftp,
    message: /^(RETR|SIZE|MDTM) /,
    reply: (code) => code === 550,
    reason: 'there is no such file',
  },
  {
    exitCode: 19,
    scheme: ftp,
    message: /^(RETR|LIST|NLST|MLSD)/,
    reason: 'the transfer was refused; for a listing 550 is no missing file',
  },
  { exitCode: 8, scheme: ftp, code: 'protocol', reason: 'weird server reply' },

  // Whatever is left.
  { exitCode: 37, scheme: file, reason: 'the file cannot be read' },
  { exitCode: 7, code: 'unreachable', reason: 'no connection' },
  { exitCode: 78, code: 'not-found', reason: 'there is no such object' },
  { exitCode: 18, code: 'incomplete', answered: true, reason: 'the body ended before its protocol said so' },
  { exitCode: 56, code: 'incomplete', reason: 'the connection was lost in the dialogue' },
  { exitCode: 1, code: 'not-an-object', reason: 'nothing to retrieve behind such a URL' },
  { exitCode: 9, code: 'refused', reason: 'the peer will not' },
  { exitCode: 56, reason: 'what came cannot be used' },
];

/** What the table looks at. */
export interface Trouble {
  readonly code?: RetrievalErrorCode | undefined;
  readonly message: string;
  readonly scheme?: string | undefined;
  readonly reply?: Reply | undefined;
  /** The codes of the errors underneath, nearest first. */
  readonly causes: readonly string[];
  readonly sent?: string | undefined;
  readonly answered: boolean;
}

/** What a transfer knows besides its error. */
export type Circumstances = Pick<Trouble, 'scheme' | 'sent' | 'answered'>;

/** The exit code of anything thrown. */
export function exitCodeOf(error: unknown, circumstances: Circumstances): number {
  if (error instanceof Failure) return error.exitCode;
  if (!(error instanceof Error)) return 56;
  if (error.name === 'UrlSyntaxError') return 3;
  const { code, reply } = error as { code?: RetrievalErrorCode; reply?: Reply };
  const { message } = error;
  return rowFor({
    code: error.name === 'RetrievalError' ? code : undefined,
    message,
    reply,
    causes: causesOf(error),
    ...circumstances,
  }).exitCode;
}

/** The first row that fits; the last one fits everything. */
export function rowFor(trouble: Trouble): Row {
  return rows.find((row) => fits(row, trouble))!;
}

function fits({ code, scheme, reply, cause, message, sent, answered }: Row, trouble: Trouble): boolean {
  if (code !== undefined && code !== trouble.code) return false;
  if (answered !== undefined && answered !== trouble.answered) return false;
  if (scheme && !scheme.test(trouble.scheme ?? '')) return false;
  if (reply && !(trouble.reply && reply(trouble.reply.code))) return false;
  if (cause && !trouble.causes.some((text) => cause.test(text))) return false;
  return (!message || message.test(trouble.message)) && (!sent || sent.test(trouble.sent ?? ''));
}

function causesOf(error: unknown): string[] {
  const codes: string[] = [];
  for (let at = error; at instanceof Error && codes.length < 8; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') codes.push(at.code);
    if (at instanceof AggregateError) codes.push(...at.errors.flatMap((one: unknown) => causesOf(one)));
  }
  return codes;
}
