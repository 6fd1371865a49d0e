/** What is asked for, whatever the protocol. */
import { UsageError } from '../failure.ts';
import { granted, type Option } from './option.ts';
import { wholeNumber } from './values.ts';

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

export const requestOptions: readonly Option[] = [
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
    long: 'netrc',
    short: 'n',
    group: 'request',
    help: 'log in as ~/.netrc says, whatever the URL says',
    set: (settings, on) => void (settings.netrc = on ? 'required' : 'no'),
  },
  {
    long: 'netrc-optional',
    group: 'request',
    help: 'log in as ~/.netrc says where the URL has no password',
    set: (settings, on) => void (settings.netrc = on ? 'optional' : 'no'),
  },
  {
    long: 'netrc-file',
    value: 'FILE',
    group: 'request',
    help: 'FILE instead of ~/.netrc',
    take: (settings, value) => {
      settings.netrcFile = value;
      if (settings.netrc === 'no') settings.netrc = 'required';
    },
  },
  {
    long: 'config',
    short: 'K',
    value: 'FILE',
    group: 'request',
    help: "read more options from FILE, in curl's syntax; - is stdin; ~/.curlrc is never read",
    take: (_settings, file, readMore) => readMore(file),
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
];
