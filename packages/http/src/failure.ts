/** What undici's errors mean to a retrieval. */
import { connectionLost, RetrievalError } from '@retriever/driver';

const meanings = new Map<string, (error: Error) => RetrievalError>([
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', endedEarly],
  ['UND_ERR_HEADERS_OVERFLOW', (cause) => new RetrievalError('limit', "the response's head is too long", { cause })],
  [
    'UND_ERR_INVALID_ARG',
    (cause) => new RetrievalError('policy', `not a sendable request: ${cause.message}`, { cause }),
  ],
  // undici's words for octets nobody asked for and a protocol switch are "bad …".
  ['UND_ERR_SOCKET', (cause) => (cause.message.startsWith('bad ') ? brokeRules(cause) : endedEarly(cause))],
  ['ERR_ASSERTION', brokeRules],
]);

/** The error of a failed exchange, its head read or not: RetrievalErrors and aborts pass through, all others get a code. */
export function failureOf(error: Error, hasHead: boolean): Error {
  if (error instanceof RetrievalError || error.name === 'AbortError') return error;
  // llhttp's; undici means to give it a code and does not.
  if (error.name === 'HTTPParserError')
    return error.message.includes('Invalid EOF state') ? endedEarly(error) : brokeRules(error);
  // What is wrong with a head that has a length undici takes for a body that falls short of it.
  if (!hasHead && error.name === 'ResponseContentLengthMismatchError') return brokeRules(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return meanings.get(code)?.(error) ?? connectionLost(error);
}

function endedEarly(cause: Error): RetrievalError {
  return new RetrievalError('incomplete', 'the server closed the connection before the response was complete', {
    cause,
  });
}

function brokeRules(cause: Error): RetrievalError {
  return new RetrievalError('protocol', `not a response of HTTP/1.1: ${cause.message}`, { cause });
}
