/** Layers: what needs only the request and the outcome wraps the retrieval; what needs sockets is part of access. */
import type {
  Body,
  Content,
  Entry,
  Listing,
  Mailbox,
  Reference,
  Retrieval,
  RetrievalRequest,
  Service,
  TraceEvent,
} from '@retriever/driver';
import type { Url } from '@retriever/url';
import type { TraceRecord } from './trace.ts';

/** A retrieval with the URL it came from in the end, after references were followed. */
export type Retrieved = (Content | Listing | Reference | Service | Mailbox) & { readonly url: Url };

/** A request on its way through the layers. */
export interface LayerRequest extends RetrievalRequest {
  readonly signal?: AbortSignal | undefined;
  /** When the whole retrieval must be over, in milliseconds since the epoch. */
  readonly deadlineAt?: number | undefined;
  /** The URL whose reference led here. Set by whoever follows references; policy sees it. */
  readonly from?: Url | undefined;
  /** Hand out references instead of following them. Default false. */
  readonly keepReference?: boolean | undefined;
  /** Called with every trace record of this retrieval's hops. */
  readonly onTrace?: ((record: TraceRecord) => void) | undefined;
  /** Puts an event on the trace of this request. */
  readonly trace?: ((event: TraceEvent) => void) | undefined;
}

export type Handler = (request: LayerRequest) => Promise<Retrieved>;

/**
 * Wraps a handler in another.
 *
 * @example
 * const shout: Layer = (next) => async (request) => {
 *   console.error(String(request.url));
 *   return next(request);
 * };
 */
export type Layer = (next: Handler) => Handler;

/** The retrieval with its body, if it has one, replaced. */
export function withBody<R extends Retrieval>(retrieval: R, replace: (body: Body) => Body): R {
  return 'body' in retrieval && retrieval.body ? { ...retrieval, body: replace(retrieval.body) } : retrieval;
}

/** The retrieval with its entries, if it has any, replaced. */
export function withEntries<R extends Retrieval>(
  retrieval: R,
  replace: (entries: AsyncIterable<Entry>) => AsyncIterable<Entry>,
): R {
  return retrieval.kind === 'listing' ? { ...retrieval, entries: replace(retrieval.entries) } : retrieval;
}
