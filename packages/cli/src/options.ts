/**
 * The options, one row each: the row drives parsing, `--help` and the checks of both.
 *
 * Spellings and meanings are curl's wherever curl has the option. A parser library is of no use here: `-o` and `-O` are
 * repeated, ordered and paired with URLs, short options stick together (`-sSLofile`), long ones may be shortened.
 */
import { UsageError } from './failure.ts';
import type { FtpTls, Settings } from './settings.ts';

export type OptionGroup = 'output' | 'request' | 'http' | 'ftp' | 'security' | 'limits' | 'messages' | 'commands';

interface OptionText {
  readonly long: string;
  readonly short?: string;
  readonly group: OptionGroup;
  /** One line for `--help`; an option without it is accepted but not advertised. */
  readonly help?: string;
}

/** An option without a value; `--no-NAME` sets it to false. */
export interface Flag extends OptionText {
  readonly set: (settings: Settings, on: boolean) => void;
}

/** An option with a value. */
export interface Valued extends OptionText {
  /** What stands for the value in `--help`. */
  readonly value: string;
  readonly take: (settings: Settings, value: string) => void;
}

export type Option = Flag | Valued;

/** An option of curl's that would send something: understood, refused, exit code 2. */
const refused = (long: string, short: string | undefined, why: string): Option => ({
  long,
  ...(short !== undefined && { short }),
  group: 'request',
  value: 'X',
  take: () => {
    throw new UsageError(`--${long}: ${why}`);
  },
});

const uploads = 'retriever retrieves; it sends no data and changes nothing on a server';

/** An option of curl's that asks for what is done anyway. */
const granted = (long: string, short?: string): Option => ({
  long,
  ...(short !== undefined && { short }),
  group: 'request',
  set: () => undefined,
});

export const options: readonly Option[] = [
  {
    long: 'output',
    short: 'o',
    value: 'FILE',
    group: 'output',
    help: 'write to FILE; the first -o is for the first URL; - is stdout, even a terminal',
    take: (settings, name) => settings.destinations.push({ to: 'file', name }),
  },
  {
    long: 'remote-name',
    short: 'O',
    group: 'output',
    help: "write to a file with the URL's last name",
    set: (settings, on) => void (on && settings.destinations.push({ to: 'remote-name' })),
  },
  {
    long: 'remote-name-all',
    group: 'output',
    help: '-O for every URL that has no -o',
    set: (settings, on) => void (settings.remoteNameAll = on),
  },
  {
    long: 'remote-header-name',
    short: 'J',
    group: 'output',
    help: 'with -O: take the name the server suggests',
    set: (settings, on) => void (settings.serverName = on),
  },
  {
    long: 'output-dir',
    value: 'DIR',
    group: 'output',
    help: 'put the files of -o and -O into DIR',
    take: (settings, value) => void (settings.outputDir = value),
  },
  {
    long: 'create-dirs',
    group: 'output',
    help: 'make the directories that are missing',
    set: (settings, on) => void (settings.createDirs = on),
  },
  {
    long: 'no-clobber',
    group: 'output',
    help: 'never overwrite: write to FILE.1, FILE.2, ...',
    set: (settings, on) => void (settings.clobber = !on),
  },
  { long: 'clobber', group: 'output', set: (settings, on) => void (settings.clobber = on) },
  {
    long: 'remote-time',
    short: 'R',
    group: 'output',
    help: "give the file the remote object's time",
    set: (settings, on) => void (settings.remoteTime = on),
  },
  {
    long: 'continue-at',
    short: 'C',
    value: 'OFFSET',
    group: 'output',
    help: 'go on at OFFSET; - goes on where FILE ends, or starts over if the object changed',
    take: (settings, value) => {
      if (value !== '-') wholeNumber('continue-at', value);
      settings.continueAt = value;
    },
  },
  {
    long: 'include',
    short: 'i',
    group: 'output',
    help: 'print the header before the body',
    set: (settings, on) => void (settings.include = on),
  },
  { long: 'show-headers', group: 'output', set: (settings, on) => void (settings.include = on) },
  {
    long: 'head',
    short: 'I',
    group: 'output',
    help: 'print the header alone; for ftp: and file: time and size',
    set: (settings, on) => void (settings.head = on),
  },
  {
    long: 'dump-header',
    short: 'D',
    value: 'FILE',
    group: 'output',
    help: 'write headers (for ftp: the replies) to FILE',
    take: (settings, value) => void (settings.dumpHeader = value),
  },
  {
    long: 'json',
    group: 'output',
    help: 'print one JSON object a line: results, entries, URLs',
    set: (settings, on) => void (settings.json = on),
  },
  {
    long: 'write-out',
    short: 'w',
    value: 'FORMAT',
    group: 'output',
    help: 'print FORMAT after each transfer: %{http_code} %{size_download} ... or @FILE',
    take: (settings, value) => void (settings.writeOut = value),
  },
  { long: 'no-buffer', short: 'N', group: 'output', set: () => undefined },
  { long: 'buffer', group: 'output', set: () => undefined },

  {
    long: 'url',
    value: 'URL',
    group: 'request',
    help: 'a URL, as if it stood by itself',
    take: (settings, value) => settings.urls.push(value),
  },
  {
    long: 'range',
    short: 'r',
    value: 'RANGE',
    group: 'request',
    help: 'only these octets: 0-99, 100-, -500',
    take: (settings, value) => void (settings.range = value),
  },
  {
    long: 'time-cond',
    short: 'z',
    value: 'TIME',
    group: 'request',
    help: 'only if changed after TIME (a date, or a file for its time); -TIME: before it',
    take: (settings, value) => void (settings.timeCondition = value),
  },
  {
    long: 'user',
    short: 'u',
    value: 'USER[:PASSWORD]',
    group: 'request',
    help: 'log in; without a password it is asked for on the terminal',
    take: (settings, value) => void (settings.user = value),
  },
  {
    long: 'connect',
    group: 'request',
    help: 'telnet: open the session; ^] is the way out; the server writes to the terminal as it likes',
    set: (settings, on) => void (settings.connect = on),
  },
  {
    long: 'parallel',
    short: 'Z',
    group: 'request',
    help: 'retrieve several URLs at once; what goes to stdout keeps their order',
    set: (settings, on) => void (settings.parallel = on),
  },
  {
    long: 'parallel-max',
    value: 'N',
    group: 'request',
    help: 'with -Z: N at once at the most (default 50, never more than 300)',
    take: (settings, value) => void (settings.parallelMax = Math.min(300, wholeNumber('parallel-max', value) || 50)),
  },
  {
    long: 'parallel-max-host',
    value: 'N',
    group: 'request',
    help: 'with -Z: N connections to one host at the most (default 6)',
    take: (settings, value) => void (settings.parallelMaxHost = wholeNumber('parallel-max-host', value)),
  },
  granted('globoff', 'g'),
  granted('disable', 'q'),
  granted('path-as-is'),
  granted('keepalive'),
  granted('tcp-nodelay'),
  granted('styled-output'),
  granted('retry-connrefused'),
  granted('sessionid'),
  granted('alpn'),
  granted('npn'),
  granted('compressed-ssh'),
  granted('post301'),
  granted('post302'),
  granted('post303'),
  granted('junk-session-cookies', 'j'),
  granted('parallel-immediate'),
  {
    long: 'request',
    short: 'X',
    value: 'METHOD',
    group: 'request',
    take: (settings, value) => {
      if (value === 'HEAD') settings.head = true;
      else if (value !== 'GET') throw new UsageError(`--request ${value}: ${uploads}`);
    },
  },
  { long: 'get', short: 'G', group: 'request', set: () => undefined },
  refused('data', 'd', uploads),
  refused('data-binary', undefined, uploads),
  refused('data-raw', undefined, uploads),
  refused('data-urlencode', undefined, uploads),
  refused('form', 'F', uploads),
  refused('upload-file', 'T', uploads),
  refused('quote', 'Q', uploads),
  refused('ftp-port', 'P', 'retriever opens every connection itself (passive mode only)'),

  {
    long: 'location',
    short: 'L',
    group: 'http',
    help: 'follow redirects and other references',
    set: (settings, on) => void (settings.location = on),
  },
  {
    long: 'max-redirs',
    value: 'N',
    group: 'http',
    help: 'follow N at the most (default 50; -1: no limit)',
    take: (settings, value) => void (settings.maxRedirects = wholeNumber('max-redirs', value, -1)),
  },
  {
    long: 'fail',
    short: 'f',
    group: 'http',
    help: 'exit with 22 on an HTTP status of 400 or more, print no error page',
    set: (settings, on) => void (settings.fail = on ? 'early' : 'no'),
  },
  {
    long: 'fail-with-body',
    group: 'http',
    help: 'the same, but print the error page',
    set: (settings, on) => void (settings.fail = on ? 'with-body' : 'no'),
  },
  {
    long: 'header',
    short: 'H',
    value: 'LINE',
    group: 'http',
    help: "send 'Name: value'; 'Name:' sends none; @FILE reads lines",
    take: (settings, value) => settings.headers.push(value),
  },
  {
    long: 'user-agent',
    short: 'A',
    value: 'NAME',
    group: 'http',
    help: 'the User-Agent field',
    take: (settings, value) => void (settings.userAgent = value),
  },
  {
    long: 'referer',
    short: 'e',
    value: 'URL',
    group: 'http',
    help: 'the Referer field',
    take: (settings, value) => void (settings.referer = value),
  },
  {
    long: 'cookie',
    short: 'b',
    value: 'DATA',
    group: 'http',
    help: "send cookies: 'NAME=VALUE; NAME=VALUE'",
    take: (settings, value) => void (settings.cookie = value),
  },
  {
    long: 'compressed',
    group: 'http',
    help: 'ask for a compressed transfer and undo the compression',
    set: (settings, on) => void (settings.compressed = on),
  },
  granted('http1.1'),
  granted('basic'),
  granted('anyauth'),

  {
    long: 'list-only',
    short: 'l',
    group: 'ftp',
    help: 'list names only (NLST)',
    set: (settings, on) => void (settings.listOnly = on),
  },
  {
    long: 'use-ascii',
    short: 'B',
    group: 'ftp',
    help: 'transfer text (TYPE A), as ;type=a does',
    set: (settings, on) => void (settings.useAscii = on),
  },
  {
    long: 'ftp-method',
    value: 'METHOD',
    group: 'ftp',
    help: 'reach directories by multicwd, singlecwd or nocwd',
    take: (settings, value) => void (settings.ftpMethod = ftpMethod(value)),
  },
  {
    long: 'disable-epsv',
    group: 'ftp',
    help: 'do not try EPSV before PASV',
    set: (settings, on) => void (settings.epsv = !on),
  },
  { long: 'epsv', group: 'ftp', set: (settings, on) => void (settings.epsv = on) },
  granted('ftp-pasv'),
  granted('ftp-skip-pasv-ip'),
  granted('eprt'),
  granted('disable-eprt'),
  {
    long: 'ftp-account',
    value: 'ACCOUNT',
    group: 'ftp',
    help: 'the answer to a server that asks for ACCT',
    take: (settings, value) => void (settings.ftpAccount = value),
  },
  tlsRow('ssl', 'try', 'secure the connection if the server can (AUTH TLS)'),
  tlsRow('ssl-reqd', 'require', 'secure the connection or fail'),
  tlsRow('ftp-ssl', 'try'),
  tlsRow('ftp-ssl-reqd', 'require'),

  {
    long: 'insecure',
    short: 'k',
    group: 'security',
    help: 'take any certificate: you may be talking to anybody',
    set: (settings, on) => void (settings.insecure = on),
  },
  {
    long: 'cacert',
    value: 'FILE',
    group: 'security',
    help: 'trust the certificates in FILE (PEM) alone',
    take: (settings, value) => void (settings.cacert = value),
  },
  {
    long: 'ipv4',
    short: '4',
    group: 'security',
    help: 'connect to IPv4 addresses only',
    set: (settings, on) => void (settings.ipFamily = on ? 4 : undefined),
  },
  {
    long: 'ipv6',
    short: '6',
    group: 'security',
    help: 'connect to IPv6 addresses only',
    set: (settings, on) => void (settings.ipFamily = on ? 6 : undefined),
  },
  {
    long: 'allow-port',
    value: 'PORT',
    group: 'security',
    help: "allow a port that is another protocol's",
    take: (settings, value) => settings.allowPorts.push(wholeNumber('allow-port', value)),
  },
  {
    long: 'allow-ask',
    group: 'security',
    help: 'submit the answers in a gopher URL (RFC 1738 3.4.9)',
    set: (settings, on) => void (settings.allowAsk = on),
  },

  {
    long: 'max-time',
    short: 'm',
    value: 'SECONDS',
    group: 'limits',
    help: 'for each transfer in all',
    take: (settings, value) => void (settings.maxTime = seconds('max-time', value)),
  },
  {
    long: 'connect-timeout',
    value: 'SECONDS',
    group: 'limits',
    help: 'until a connection is there (default 30)',
    take: (settings, value) => void (settings.connectTimeout = seconds('connect-timeout', value)),
  },
  {
    long: 'max-filesize',
    value: 'OCTETS',
    group: 'limits',
    help: 'retrieve nothing longer; K, M and G are understood',
    take: (settings, value) => void (settings.maxFilesize = octets('max-filesize', value)),
  },
  {
    long: 'retry',
    value: 'N',
    group: 'limits',
    help: 'try N more times when the trouble may pass',
    take: (settings, value) => void (settings.retry = wholeNumber('retry', value)),
  },
  {
    long: 'retry-delay',
    value: 'SECONDS',
    group: 'limits',
    help: 'wait so long before each (default 1, 2, 4, ...)',
    take: (settings, value) => void (settings.retryDelay = seconds('retry-delay', value)),
  },
  {
    long: 'fail-early',
    group: 'limits',
    help: 'stop at the first URL that fails',
    set: (settings, on) => void (settings.failEarly = on),
  },

  {
    long: 'silent',
    short: 's',
    group: 'messages',
    help: 'no progress meter, no error messages',
    set: (settings, on) => void (settings.silent = on),
  },
  {
    long: 'show-error',
    short: 'S',
    group: 'messages',
    help: 'with -s: error messages all the same',
    set: (settings, on) => void (settings.showError = on),
  },
  {
    long: 'verbose',
    short: 'v',
    group: 'messages',
    help: 'show the dialogue: > sent, < received, * remarks',
    set: (settings, on) => void (settings.verbose = on),
  },
  {
    long: 'trace-ascii',
    value: 'FILE',
    group: 'messages',
    help: 'write what -v shows to FILE; - is stdout',
    take: (settings, value) => void (settings.traceFile = value),
  },
  { long: 'trace', value: 'FILE', group: 'messages', take: (settings, value) => void (settings.traceFile = value) },
  { long: 'trace-config', value: 'WHAT', group: 'messages', take: () => undefined },
  { long: 'trace-time', group: 'messages', set: () => undefined },
  { long: 'trace-ids', group: 'messages', set: () => undefined },
  {
    long: 'progress-bar',
    short: '#',
    group: 'messages',
    help: 'a bar as progress meter',
    set: (settings, on) => void (settings.meter = on ? 'bar' : 'line'),
  },
  {
    long: 'no-progress-meter',
    group: 'messages',
    help: 'no progress meter',
    set: (settings, on) => void (settings.meter = on ? 'none' : 'line'),
  },
  { long: 'progress-meter', group: 'messages', set: (settings, on) => void (settings.meter = on ? 'line' : 'none') },
  {
    long: 'stderr',
    value: 'FILE',
    group: 'messages',
    help: 'write messages to FILE; - is stdout',
    take: (settings, value) => void (settings.stderr = value),
  },
  {
    long: 'help',
    short: 'h',
    group: 'messages',
    help: 'this text',
    set: (settings, on) => void (settings.help = on),
  },
  {
    long: 'version',
    short: 'V',
    group: 'messages',
    help: 'the version and the schemes there are',
    set: (settings, on) => void (settings.version = on),
  },

  {
    long: 'strict',
    group: 'commands',
    help: 'parse: refuse what RFC 1738 does not allow',
    set: (settings, on) => void (settings.strict = on),
  },
  {
    long: 'show-password',
    group: 'commands',
    help: 'parse: show the password',
    set: (settings, on) => void (settings.showPassword = on),
  },
];

function tlsRow(long: string, tls: FtpTls, help?: string): Flag {
  return {
    long,
    group: 'ftp',
    ...(help !== undefined && { help }),
    set: (settings, on) => void (settings.ftpTls = on ? tls : 'never'),
  };
}

function wholeNumber(option: string, value: string, least = 0): number {
  const number = /^-?\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= least)) throw new UsageError(`--${option} wants a whole number, not ${JSON.stringify(value)}`);
  return number;
}

function seconds(option: string, value: string): number {
  const number = /^\d*\.?\d+$|^\d+\.$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= 0)) throw new UsageError(`--${option} wants seconds, not ${JSON.stringify(value)}`);
  // A Node timer takes 31 bits of milliseconds: 24 days.
  return Math.min(number, 2_000_000);
}

const units: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  K: 1024,
  M: 1024 ** 2,
  G: 1024 ** 3,
  T: 1024 ** 4,
  P: 1024 ** 5,
};

function octets(option: string, value: string): number {
  const [, digits, unit] = /^(\d{1,15})([bkmgtp]?)$/i.exec(value) ?? [];
  if (digits === undefined) throw new UsageError(`--${option} wants octets, not ${JSON.stringify(value)}`);
  return Number(digits) * units[unit!.toUpperCase()]!;
}

function ftpMethod(value: string): 'multicwd' | 'singlecwd' | 'nocwd' {
  if (value === 'multicwd' || value === 'singlecwd' || value === 'nocwd') return value;
  throw new UsageError(`--ftp-method wants multicwd, singlecwd or nocwd, not ${JSON.stringify(value)}`);
}
