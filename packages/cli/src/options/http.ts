/** HTTP. */
import { granted, type Option } from './option.ts';
import { wholeNumber } from './values.ts';

export const httpOptions: readonly Option[] = [
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
];
