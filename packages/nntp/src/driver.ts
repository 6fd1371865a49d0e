/** The driver for `news:` and `snews:` (RFC 1738 §3.6, RFC 5538), `nntp:` and `nntps:` (RFC 1738 §3.7), by RFC 3977. */
import {
  heldLease,
  RetrievalError,
  textOf,
  type Access,
  type Driver,
  type Retrieval,
  type RetrievalRequest,
} from '@retriever/driver';
import type { NewsUrl, NntpUrl } from '@retriever/url';
import { askAhead, retrieveArticle } from './article.ts';
import { listGroups } from './group-list.ts';
import { listArticles } from './group-overview.ts';
import { isDeadSession } from './dead-session.ts';
import type { Job } from './job.ts';
import { serversFor, type NewsServer } from './news-server.ts';
import { settingsOf, type NntpOptions, type NntpSettings } from './options.ts';
import { openSession, sessionKey } from './session.ts';
import { wishOf, type Wish } from './wish.ts';

/**
 * Makes the driver for `news:`, `snews:`, `nntp:` and `nntps:` URLs.
 *
 * @example
 * const client = createClient({ drivers: [nntp({ servers: ['news.example.org', 'nntps://news.example.net'] })] });
 */
export function nntp(options?: NntpOptions): Driver<NewsUrl | NntpUrl> {
  const settings = settingsOf(options);
  return {
    schemes: ['news', 'snews', 'nntp', 'nntps'],
    retrieve: (request, access) => retrieve(request, access, settings),
  };
}

interface Task {
  readonly request: RetrievalRequest<NewsUrl | NntpUrl>;
  readonly access: Access;
  readonly settings: NntpSettings;
  readonly wish: Wish;
}

async function retrieve(request: Task['request'], access: Access, settings: NntpSettings): Promise<Retrieval> {
  const task = { request, access, settings, wish: wishOf(request.url) };
  const servers = serversFor(request, settings);
  const failures: RetrievalError[] = [];
  for (const [at, server] of servers.entries()) {
    access.signal.throwIfAborted();
    try {
      return await fromServer(task, server);
    } catch (error) {
      // Whatever broke because of the abort, the abort is the reason.
      access.signal.throwIfAborted();
      if (!(error instanceof RetrievalError)) throw error;
      failures.push(error);
      const next = servers[at + 1];
      if (next) access.report({ type: 'note', text: `${error.message}; asking ${next.host}` });
    }
  }
  throw outcome(task, failures);
}

/** Nobody has it only when everybody said so; else the server that could not be asked is the trouble. */
function outcome({ wish }: Task, failures: readonly RetrievalError[]): RetrievalError {
  const [first, second] = failures;
  if (!first) return new RetrievalError('unsupported', 'there is no news server to ask');
  const trouble = failures.find(({ code }) => code !== 'not-found');
  if (trouble || !second) return trouble ?? first;
  return new RetrievalError(
    'not-found',
    `none of ${failures.length} news servers has ${nameOf(wish)}: ${failures.map(({ message }) => message).join(' · ')}`,
    { reply: failures.at(-1)?.reply },
  );
}

function nameOf(wish: Wish): string {
  if (wish.kind === 'article') return textOf(wish.messageId);
  return wish.kind === 'groups' ? 'such groups' : textOf(wish.group);
}

async function fromServer(task: Task, server: NewsServer): Promise<Retrieval> {
  for (;;) {
    const retrieval = await attempt(task, server);
    if (retrieval) return retrieval;
  }
}

/** One session's try. Undefined: a session that had been idle proved dead; the next one may serve. */
async function attempt({ request, access, settings, wish }: Task, server: NewsServer): Promise<Retrieval | undefined> {
  const report: Access['report'] = (event) => access.report(event);
  const ahead = askAhead(request, wish, settings, report);
  const lease = heldLease(
    await access.lease(sessionKey(server, settings), (dial) => openSession(server, settings, dial, report), {
      ahead: ahead && ((session) => ahead.send(session)),
    }),
  );
  lease.session.connection.report = report;
  try {
    return await serve({ request, access, settings, server, lease, ahead }, wish);
  } catch (error) {
    const retry = lease.reused && isDeadSession(error, lease.session);
    // After a response out of turn nobody knows what the server is about to say.
    lease.end(error instanceof RetrievalError && error.code !== 'protocol');
    if (!retry) throw error;
    access.report({ type: 'note', text: `opening a new session: ${String(error)}` });
    return undefined;
  }
}

function serve(job: Job, wish: Wish): Promise<Retrieval> {
  switch (wish.kind) {
    case 'article':
    case 'number':
      return retrieveArticle(job, wish);
    case 'group':
      return listArticles(job, wish);
    case 'groups':
      return listGroups(job, wish.wildmat);
  }
}
