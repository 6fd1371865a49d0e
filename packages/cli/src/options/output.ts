/** Where it goes. */
import type { Option } from './option.ts';
import { wholeNumber } from './values.ts';

export const outputOptions: readonly Option[] = [
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
    long: 'remove-on-error',
    group: 'output',
    help: 'leave no part of a file whose transfer failed',
    set: (settings, on) => void (settings.removeOnError = on),
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
];
