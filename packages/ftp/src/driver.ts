/** The driver for `ftp:` (RFC 959, RFC 1738 §3.2) and `ftps:` (implicit TLS). */
import {
  heldLease,
  RetrievalError,
  type Access,
  type Driver,
  type Retrieval,
  type RetrievalRequest,
} from '@retriever/driver';
import type { FtpUrl } from '@retriever/url';
import { retrieveContent } from './content.ts';
import { listDirectory, listName, listNames } from './directory-listing.ts';
import { NeedsNewSession } from './directory.ts';
import { isDeadSession, leavesInOrder } from './dead-session.ts';
import { identityOf } from './identity.ts';
import type { Job } from './job.ts';
import { settingsOf, type FtpOptions, type FtpSettings } from './options.ts';
import { planOf, type Plan } from './plan.ts';
import { openSession, sessionKey, type SessionTarget } from './session.ts';

/**
 * Makes the driver for `ftp:` and `ftps:` URLs.
 *
 * @example
 * const client = createClient({ drivers: [ftp({ anonymousPassword: 'me@example.org' })] });
 */
export function ftp(options?: FtpOptions): Driver<FtpUrl> {
  const settings = settingsOf(options);
  return { schemes: ['ftp', 'ftps'], retrieve: (request, access) => retrieve(request, access, settings) };
}

async function retrieve(request: RetrievalRequest<FtpUrl>, access: Access, settings: FtpSettings): Promise<Retrieval> {
  const plan = planOf(request.url, settings.method);
  const target: SessionTarget = { url: request.url, identity: identityOf(request, settings), settings };
  try {
    for (;;) {
      access.signal.throwIfAborted();
      const retrieval = await attempt(request, access, plan, target);
      if (retrieval) return retrieval;
    }
  } catch (error) {
    // Whatever broke because of the abort, the abort is the reason.
    access.signal.throwIfAborted();
    throw error;
  }
}

/** One session's try. Undefined: a session that had been idle could not serve; the next one may (RFC 1738 §3.2.5). */
async function attempt(
  request: RetrievalRequest<FtpUrl>,
  access: Access,
  plan: Plan,
  target: SessionTarget,
): Promise<Retrieval | undefined> {
  const lease = heldLease(await access.lease(sessionKey(target), (dial) => openSession(target, dial, access)));
  const { session } = lease;
  session.control.report = (event) => access.report(event);
  try {
    return await withEitherIac({ request, access, plan, settings: target.settings, lease });
  } catch (error) {
    const retry = lease.reused && (error instanceof NeedsNewSession || isDeadSession(error, session));
    lease.end(!retry && leavesInOrder(error));
    if (!retry) throw error;
    access.report({ type: 'note', text: `opening a new session: ${String(error)}` });
    return undefined;
  }
}

/** 0xFF in a name: as it is for vsftpd and Pure-FTPd, doubled for the BSD servers (RFC 959 §3.3). Nothing tells which. */
async function withEitherIac(job: Job): Promise<Retrieval> {
  const { control } = job.lease.session;
  try {
    return await serve(job);
  } catch (error) {
    const holdsIac = [...job.plan.cwds, job.plan.name].some((part) => part.includes(0xff));
    if (!holdsIac || control.doublesIac || !isNotThere(error)) throw error;
    control.doublesIac = true;
    return serve(job).catch(() => {
      control.doublesIac = false;
      throw error;
    });
  }
}

async function serve(job: Job): Promise<Retrieval> {
  const { typecode, segment } = job.plan;
  if (typecode === 'd') return listNames(job);
  if (segment.length === 0 && typecode === undefined) return listDirectory(job);
  try {
    return await retrieveContent(job);
  } catch (error) {
    if (typecode !== undefined || !mayBeDirectory(error)) throw error;
    // Perhaps a directory without its `/`. If not, the first refusal is the one that matters.
    return listName(job).catch((second: unknown) => {
      throw second instanceof RetrievalError && second.reply ? error : second;
    });
  }
}

/** RETR's 550; or no command told anything, because the server has neither SIZE nor MDTM. */
const mayBeDirectory = (error: unknown): boolean =>
  isNotThere(error) || (error instanceof RetrievalError && error.code === 'unsupported');

const isNotThere = (error: unknown): boolean => error instanceof RetrievalError && error.reply?.code === 550;
