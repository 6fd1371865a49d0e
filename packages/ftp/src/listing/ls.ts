/** LIST as `ls -l` and as IIS write it; the lines are taken apart by basic-ftp, octets and dates are ours. */
import type { FileInfo } from 'basic-ftp';
import type { EntryKind } from '@retriever/driver';
import { dosDate, unixDate } from './list-date.ts';
import { octetsAt, type LineParser } from './listed-line.ts';

type ParseList = (text: string) => FileInfo[];

const unixMode = /^[\s\d]*([bcdelfmpSs-])([r-][w-][xsStTL-][r-][w-][xsStTL-][r-][w-][xsStTL-]?)/;
const dosStart = /^\d{2}[-/.]\d{2}[-/.]\d{2,4}\s/;

/** Unix lines: `-rw-r--r-- 1 owner group 43 Jan 1 2020 name`. */
export function unixParser(parseList: ParseList, now: () => number = Date.now): LineParser {
  return (line, text) => {
    if (/^total \d+/.test(text)) return 'skip';
    const mode = unixMode.exec(text);
    if (!mode) return undefined;
    const [, type = '-', permissions = ''] = mode;
    const info = parsed(parseList, text);
    if (info === undefined || info === 'skip') return info;
    const whole = info.link === undefined ? info.name : `${info.name} -> ${info.link}`;
    const start = text.length - whole.length;
    const kind = kinds[type] ?? 'other';
    return {
      rawName: octetsAt(line, start, start + info.name.length),
      kind,
      ...(kind === 'file' && Number.isSafeInteger(info.size) && { size: info.size }),
      ...unixDate(info.rawModifiedAt, now()),
      ...(info.link !== undefined && { linkTarget: info.link }),
      facts: {
        'unix.mode': octalOf(permissions),
        ...(info.user !== undefined && { 'unix.owner': info.user }),
        ...(info.group !== undefined && { 'unix.group': info.group }),
      },
    };
  };
}

/** DOS lines: `12-05-96  05:03PM       <DIR>          name`. */
export function dosParser(parseList: ParseList): LineParser {
  return (line, text) => {
    if (!dosStart.test(text)) return undefined;
    const info = parsed(parseList, text);
    if (info === undefined || info === 'skip') return info;
    const kind = info.isDirectory ? 'directory' : 'file';
    return {
      rawName: octetsAt(line, text.length - info.name.length),
      kind,
      ...(kind === 'file' && Number.isSafeInteger(info.size) && { size: info.size }),
      ...dosDate(info.rawModifiedAt),
    };
  };
}

const kinds: Readonly<Record<string, EntryKind>> = { '-': 'file', f: 'file', d: 'directory', l: 'link', e: 'link' };

/** One line as basic-ftp sees it. A CR in a name would end it there; a stand-in of the same width keeps the positions. */
function parsed(parseList: ParseList, text: string): FileInfo | 'skip' | undefined {
  try {
    const [info] = parseList(text.replaceAll('\r', '\x01'));
    // It leaves out the directory itself and its parent.
    if (!info) return 'skip';
    // Without a date it went through the MLSD parser, which takes any line that begins with a space.
    return info.rawModifiedAt !== '' ? info : undefined;
  } catch {
    return undefined;
  }
}

/** `rwxr-sr-x` as `2755`, in the four digits that MLSD's `UNIX.mode` has. */
function octalOf(permissions: string): string {
  const bits = Array.from(permissions.padEnd(9, '-'), (letter) => letter !== '-');
  const special = [2, 5, 8].map((at) => /[sStT]/.test(permissions[at] ?? ''));
  const digit = (at: number): number => {
    const execute = bits[at + 2] && !/[STL]/.test(permissions[at + 2] ?? '');
    return (bits[at] ? 4 : 0) + (bits[at + 1] ? 2 : 0) + (execute ? 1 : 0);
  };
  return [(special[0] ? 4 : 0) + (special[1] ? 2 : 0) + (special[2] ? 1 : 0), digit(0), digit(3), digit(6)].join('');
}
