/** Follows references: HTTP redirects, access methods. Policy is asked at each hop by the client itself. */
import { RetrievalError } from '@retriever/driver';
import { defaultPort, parse, redact, UrlSyntaxError, type Url } from '@retriever/url';
import { failureOf } from '../failure.ts';
import type { Layer, LayerRequest } from '../layer.ts';

export interface FollowOptions {
  /** References followed in one retrieval. Default 20. */
  readonly maxReferences?: number;
}

/**
 * Goes where references lead until something else comes.
 *
 * Where a target has no driver, is not allowed or cannot be reached, the reference's alternatives are tried in their order;
 * each counts as a hop.
 *
 * Credentials and header fields that carry them stay with the origin they were given for.
 *
 * @throws RetrievalError `limit` after `maxReferences` hops, `protocol` for a target that is no URL.
 */
export function follow({ maxReferences = 20 }: FollowOptions = {}): Layer {
  return (next) => async (first) => {
    let request = first;
    let hops = 0;
    for (let retrieved = await next(request); ;) {
      if (retrieved.kind !== 'reference' || request.keepReference) return retrieved;
      await retrieved.body?.cancel();
      const { url: from } = retrieved;
      const targets = [retrieved.target, ...(retrieved.alternatives ?? [])];
      const failures: unknown[] = [];
      for (const [at, target] of targets.entries()) {
        if (hops === maxReferences) throw tooMany(maxReferences, target, from);
        hops += 1;
        request.trace?.({ type: 'redirected', target: shown(target) });
        const following = nextRequest(request, target, from);
        try {
          retrieved = await next(following);
          request = following;
          break;
        } catch (error) {
          failures.push(error);
          // The first target is what the peer would rather have had.
          if (!isUnusable(error)) throw error;
          if (at === targets.length - 1) throw failures[0];
        }
      }
    }
  };
}

function tooMany(maxReferences: number, target: string, from: Url): unknown {
  const message = `more than ${maxReferences} references followed, the last to ${shown(target)}`;
  return failureOf(new RetrievalError('limit', message), from);
}

/** Whether an alternative, if there is one, is worth trying: this target was not even reached. */
function isUnusable(error: unknown): boolean {
  return error instanceof RetrievalError && unusable.has(error.code);
}

const unusable: ReadonlySet<string> = new Set(['unsupported', 'policy', 'unreachable']);

function nextRequest(request: LayerRequest, target: string, from: Url): LayerRequest {
  const url = parseTarget(target, from);
  const moved = { ...request, url, from };
  if (originOf(url) === originOf(from)) return moved;
  return {
    ...moved,
    credentials: undefined,
    headers: request.headers?.filter(([name]) => !secretHeaders.has(name.toLowerCase())),
  };
}

const secretHeaders = new Set(['authorization', 'cookie', 'proxy-authorization']);

function parseTarget(target: string, from: Url): Url {
  try {
    return parse(target);
  } catch (error) {
    if (!(error instanceof UrlSyntaxError)) throw error;
    const message = `${redact(from)} leads to something that is no URL: ${error.message}`;
    throw failureOf(new RetrievalError('protocol', message, { cause: error }), from);
  }
}

/** Scheme, host and port: within it a user's credentials may travel. */
function originOf(url: Url): string {
  const host = 'host' in url ? url.host?.toLowerCase() : '';
  const port = 'port' in url ? url.port : undefined;
  return `${url.scheme}://${host}:${port ?? defaultPort(url.scheme)}`;
}

function shown(target: string): string {
  try {
    return redact(parse(target));
  } catch {
    return 'something that is no URL';
  }
}
