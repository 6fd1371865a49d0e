/** Limits. */
import type { Option } from './option.ts';
import { octets, seconds, wholeNumber } from './values.ts';

export const limitOptions: readonly Option[] = [
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
    long: 'retry-max-time',
    value: 'SECONDS',
    group: 'limits',
    help: 'no further attempt after so long',
    take: (settings, value) => void (settings.retryMaxTime = seconds('retry-max-time', value)),
  },
  {
    long: 'retry-all-errors',
    group: 'limits',
    help: 'with --retry: whatever the trouble, and also when a file came in part',
    set: (settings, on) => void (settings.retryAllErrors = on),
  },
  {
    long: 'limit-rate',
    value: 'OCTETS',
    group: 'limits',
    help: 'so many a second at the most; K, M and G are understood',
    take: (settings, value) => void (settings.limitRate = octets('limit-rate', value)),
  },
  {
    long: 'speed-limit',
    short: 'Y',
    value: 'OCTETS',
    group: 'limits',
    help: 'give up a body with fewer a second',
    take: (settings, value) => void (settings.speedLimit = octets('speed-limit', value)),
  },
  {
    long: 'speed-time',
    short: 'y',
    value: 'SECONDS',
    group: 'limits',
    help: '-Y on average over so long (default 30)',
    take: (settings, value) => void (settings.speedTime = seconds('speed-time', value)),
  },
  {
    long: 'fail-early',
    group: 'limits',
    help: 'stop at the first URL that fails',
    set: (settings, on) => void (settings.failEarly = on),
  },
];
