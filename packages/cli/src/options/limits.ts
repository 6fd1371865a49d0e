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
    long: 'fail-early',
    group: 'limits',
    help: 'stop at the first URL that fails',
    set: (settings, on) => void (settings.failEarly = on),
  },
];
