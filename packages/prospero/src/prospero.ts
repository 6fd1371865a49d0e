/** The Prospero driver, RFC 1738 §3.11: "contacting a Prospero directory server … to determine appropriate access methods". */
import { RetrievalError, type Driver, type Retrieval } from '@retriever/driver';
import type { ProsperoUrl } from '@retriever/url';
import type { Answer } from './answer.ts';
import { ask, type Answered, type Context } from './ask.ts';
import { directory } from './directory.ts';
import { failureOf } from './failure.ts';
import { fileObject } from './file-object.ts';
import { withDefaults, type ProsperoOptions } from './options.ts';
import { isQuery, questionOf } from './question.ts';

/**
 * Retrieves prospero: URLs over ARDP and UDP.
 *
 * - A file object is a reference to its access methods as URLs, in the server's order; `contents` says when the octets are
 *   asked of the server itself. Its attributes are `metadata.headers`, every access method among them.
 * - A directory is a listing: a link into Prospero is a prospero URL, an external one the URL of its access method.
 * - An Archie query is a directory (see {@link archieUrl}).
 * - FORWARDED answers, ARDP redirects and, if wanted, unions are followed, so many at the most; each server is dialled through
 *   the client, so that policy is asked.
 * - `metadataOnly`, `range`, `ifModifiedSince` and the like are ignored.
 *
 * @example
 * const client = createClient({ drivers: [prospero(), ftp()], layers: [follow()] });
 */
export function prospero(options?: ProsperoOptions): Driver<ProsperoUrl> {
  const limits = withDefaults(options);
  return {
    schemes: ['prospero'],
    async retrieve({ url }, access) {
      access.signal.throwIfAborted();
      const context = { access, limits };
      return retrieve(questionOf(url), context);
    },
  };
}

async function retrieve(question: Answered['question'], context: Context): Promise<Retrieval> {
  if (isQuery(question)) {
    const listed = await ask(question, 'list', context);
    if (!isNoDirectory(listed.answer)) return meaningOf(listed, context);
  }
  return meaningOf(await ask(question, 'all', context), context);
}

/**
 * What an answer amounts to. The commands run up to the first that fails: a file tells its attributes and then that it is no
 * directory; a directory tells them, or NONE-FOUND, and then its links.
 */
function meaningOf(answered: Answered, context: Context): Promise<Retrieval> {
  const { answer } = answered;
  if (isFile(answer)) return fileObject(answered, context);
  if (answer.failure) throw failureOf(answer.failure);
  if (answer.links.length > 0 || answer.noneFound) return directory(answered, context);
  throw new RetrievalError('protocol', 'the answer says neither what there is nor that there is nothing');
}

/** A gateway's name may be that of a document. */
function isNoDirectory({ failure }: Answer): boolean {
  return failure?.code === 'NOT-A-DIRECTORY' || failure?.code === 'NOT-FOUND';
}

function isFile({ attributes, links, failure }: Answer): boolean {
  if (attributes.length === 0 || links.length > 0) return false;
  if (failure) return failure.code === 'NOT-A-DIRECTORY';
  return attributes.some(({ name }) => name === 'ACCESS-METHOD');
}
