/** The driver for `wais:` (RFC 1738 §3.9): RFC 1625, as freeWAIS-sf speaks it. */
import { heldLease, type Access, type Driver, type Retrieval, type RetrievalRequest } from '@retriever/driver';
import type { WaisUrl } from '@retriever/url';
import { retrieveDocument } from './document.ts';
import { isDeadSession } from './dead-session.ts';
import { settingsOf, type WaisOptions, type WaisSettings } from './options.ts';
import { search } from './search-listing.ts';
import { openSession, sessionKey } from './session.ts';
import { targetOf, type Target } from './target.ts';

/**
 * Makes the driver for `wais:` URLs.
 *
 * - A database is a listing: what it says of itself, its description and its catalogue; the body is the description.
 * - A search is a listing of documents, the best first: headline, `facts.score`, `facts.lines`, `facts.types`, size, and the
 *   URL in libwww's spelling. `facts.noResult` marks the catalogue that a server offers when it found nothing.
 * - A document is content, its octets as the server has them. The URL's length is its size; without one the document goes on
 *   until the server has no more. `metadataOnly` asks for one octet of it, to see whether it is there.
 *
 * @example
 * const client = createClient({ drivers: [wais({ maxDocuments: 40 })] });
 */
export function wais(options?: WaisOptions): Driver<WaisUrl> {
  const settings = settingsOf(options);
  return { schemes: ['wais'], retrieve: (request, access) => retrieve(request, access, settings) };
}

async function retrieve(
  request: RetrievalRequest<WaisUrl>,
  access: Access,
  settings: WaisSettings,
): Promise<Retrieval> {
  const target = targetOf(request.url);
  try {
    for (;;) {
      access.signal.throwIfAborted();
      const retrieval = await attempt(request, access, settings, target);
      if (retrieval) return retrieval;
    }
  } catch (error) {
    // Whatever broke because of the abort, the abort is the reason.
    access.signal.throwIfAborted();
    throw error;
  }
}

/** One session's try. Undefined: a session that had been idle proved dead; the next one may serve. */
async function attempt(
  request: RetrievalRequest<WaisUrl>,
  access: Access,
  settings: WaisSettings,
  target: Target,
): Promise<Retrieval | undefined> {
  const { url } = request;
  const lease = heldLease(
    await access.lease(sessionKey(url, settings), (dial) =>
      openSession(url, settings, dial, (event) => access.report(event)),
    ),
  );
  lease.session.connection.report = (event) => access.report(event);
  const job = { request, settings, access, lease };
  try {
    return await (target.kind === 'search' ? search(job, target.words) : retrieveDocument(job, target));
  } catch (error) {
    const retry = lease.reused && isDeadSession(error, lease.session);
    lease.end();
    if (!retry) throw error;
    access.report({ type: 'note', text: `opening a new session: ${String(error)}` });
    return undefined;
  }
}
