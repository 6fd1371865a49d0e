/** From a file URL to the path it names, RFC 1738 §3.10. Paths are octets: any name there is can be named. */
import { Buffer } from 'node:buffer';
import { RetrievalError } from '@retriever/driver';
import type { FileUrl } from '@retriever/url';

const SLASH = 0x2f;
const NUL = 0x00;

/**
 * The local path, absolute.
 *
 * @throws RetrievalError `unsupported` for another host; `policy` for an encoded `/` or NUL inside a segment.
 */
export function pathOf(url: FileUrl): Buffer {
  requireThisHost(url);
  const segments = [...url.octets.directories, url.octets.name];
  segments.forEach(requireSegment);
  return native(Buffer.concat(segments.flatMap((segment) => [Buffer.of(SLASH), segment])));
}

/** "the machine from which the URL is being interpreted", RFC 1738 §3.10. */
function requireThisHost({ host = '' }: FileUrl): void {
  if (host === '' || host.toLowerCase() === 'localhost') return;
  throw new RetrievalError(
    'unsupported',
    `the file is on another host, ${host}; RFC 1738 §3.10 names no way to get it from there, and none is tried`,
  );
}

function requireSegment(segment: Uint8Array): void {
  const bad = segment.find((octet) => octet === SLASH || octet === NUL);
  if (bad === undefined) return;
  const what = bad === NUL ? 'NUL (%00)' : 'an encoded "/" (%2F), which is data there and no separator';
  throw new RetrievalError('policy', `a segment of the path holds ${what}; no file can have that name`);
}

/** On Windows `/C:/x`, or `/C|/x` as it was once written, is `C:/x`. */
function native(path: Buffer): Buffer {
  if (process.platform !== 'win32') return path;
  const text = path.toString();
  if (text.includes('\\'))
    throw new RetrievalError('policy', 'a segment of the path holds "\\"; no file can have that name');
  return Buffer.from(text.replace(/^\/([A-Za-z])[:|](?=\/|$)/, '$1:'));
}
