/**
 * Host-specific file names, RFC 1738 §3.10:
 *
 *     fileurl = "file://" [ host | "localhost" ] "/" fpath
 */
import { encodePath, decodePath, formatPath, readPath, type FilePath } from './ftp.ts';
import type { Components, Grammar } from './grammar.ts';
import { checkHost, formatHost, readHost } from './host.ts';
import { draft } from './parsed-url.ts';
import type { Octets } from './percent.ts';
import type { Reading } from './reading.ts';
import type { FileUrl } from './url.ts';

/** Raw input for `build.file`; the host is empty unless given. */
export interface RawFile {
  readonly host?: string;
  readonly directories?: readonly Octets[];
  readonly name?: Octets;
  readonly fragment?: Octets;
}

function decodeComponents(url: FileUrl): FileUrl['octets'] {
  return decodePath(url);
}

function finish(reading: Reading, host: string | undefined, path: FilePath): FileUrl {
  const url = draft<FileUrl>('file', reading, undefined, decodeComponents);
  if (host !== undefined) url.host = host;
  url.directories = path.directories;
  url.name = path.name;
  return url;
}

function parse(reading: Reading): FileUrl {
  const { text, start, end } = reading;
  if (text[start] !== '/' || start === end) {
    reading.fail('fileurl', start, '"//" must follow the scheme');
  }
  if (!text.startsWith('//', start)) {
    reading.tolerate('fileurl', start, '"//" is missing before the path');
    return finish(reading, undefined, readPath(reading, start + 1, end));
  }
  const hostStart = start + 2;
  const hostEnd = reading.find('/', hostStart);
  const host = hostEnd === hostStart ? '' : readHost(reading, hostStart, hostEnd);
  if (hostEnd === end) {
    reading.tolerate('fileurl', end, 'the "/" before the path is missing');
    return finish(reading, host, { directories: [], name: '' });
  }
  return finish(reading, host, readPath(reading, hostEnd + 1, end));
}

function format(url: Components<FileUrl>): string {
  return (url.host === undefined ? '' : `//${formatHost(url.host)}`) + formatPath(url);
}

/** Encodes raw input as components. */
export function encodeFile({ host = '', directories, name }: RawFile): Components<FileUrl> {
  return {
    grammar: 'file',
    scheme: 'file',
    host: host === '' ? '' : checkHost(host),
    ...encodePath(directories, name),
  };
}

export const file: Grammar<FileUrl> = { schemes: ['file'], parse, format };
