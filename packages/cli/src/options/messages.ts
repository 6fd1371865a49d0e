/** What is told. */
import type { Option } from './option.ts';

export const messageOptions: readonly Option[] = [
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
];
