/** What a URL means in FTP commands (RFC 1738 §3.2.2), checked before anything is sent. */
import { requireOneLine } from '@retriever/driver';
import type { FtpUrl } from '@retriever/url';
import type { FtpSettings } from './options.ts';

export interface Plan {
  /** The arguments of the CWDs, in order. */
  readonly cwds: readonly Uint8Array[];
  /** The argument of the last command; empty: none. */
  readonly name: Uint8Array;
  /** The URL's own segments, which entries' URLs are built on. */
  readonly directories: readonly Uint8Array[];
  /** The URL's own last segment. */
  readonly segment: Uint8Array;
  readonly typecode: FtpUrl['typecode'];
}

/** @throws RetrievalError `policy` when a segment holds CR, LF or NUL (RFC 1738 §6). */
export function planOf(url: FtpUrl, method: FtpSettings['method']): Plan {
  const { directories, name } = url.octets;
  directories.forEach((segment) => requireOneLine(segment, 'a directory of the URL'));
  requireOneLine(name, 'the name in the URL');
  const common = { directories, segment: name, typecode: url.typecode };
  switch (method) {
    case 'multicwd':
      return { ...common, cwds: directories, name };
    case 'singlecwd':
      return { ...common, cwds: directories.length === 0 ? [] : [joined(directories)], name };
    case 'nocwd':
      return { ...common, cwds: [], name: joined([...directories, name]) };
  }
}

function joined(segments: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(segments.flatMap((segment, at) => (at === 0 ? [segment] : [Buffer.from('/'), segment])));
}
