/** Errors in the vocabulary of Fetch, for its promise and for the bodies it hands out. */
import { createBody, RetrievalError, type Body } from '@retriever/driver';
import { UrlSyntaxError } from '@retriever/url';

/** Fetch fails with a TypeError, the truth as its cause; an abort with its own reason; a bug stays what it is. */
export function asFetchError(error: unknown): unknown {
  if (!(error instanceof RetrievalError || error instanceof UrlSyntaxError)) return error;
  return new TypeError(error.message, { cause: error });
}

/** The body with its failures as Fetch has them. */
export function fetchBody(body: Body): Body {
  return createBody({
    size: body.size,
    async pump(sink) {
      try {
        await body.pipeTo(sink);
      } catch (error) {
        throw asFetchError(error);
      }
    },
    cancel: (reason) => body.cancel(reason),
  });
}
