/** What went wrong below the drivers, in the error model's terms. */
import { RetrievalError } from '@retriever/driver';
import { redact, type Url } from '@retriever/url';

/** System error codes that mean no connection could be made or kept. */
const systemFailures: Readonly<Record<string, 'unreachable' | 'timeout' | 'incomplete'>> = {
  EADDRNOTAVAIL: 'unreachable',
  EAI_AGAIN: 'unreachable',
  EAI_FAIL: 'unreachable',
  ECONNABORTED: 'incomplete',
  ECONNREFUSED: 'unreachable',
  ECONNRESET: 'incomplete',
  EHOSTDOWN: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENODATA: 'unreachable',
  ENOTFOUND: 'unreachable',
  EPIPE: 'incomplete',
  ETIMEDOUT: 'timeout',
};

/** Takes secrets out of a text. */
export type Mask = (text: string) => string;

/**
 * An error on its way to the caller: RetrievalErrors get the URL they belong to and lose secrets that the peer echoed,
 * system errors become RetrievalErrors, everything else (an abort's reason, a bug) stays what it is.
 */
export function failureOf(error: unknown, url: Url, mask: Mask = (text) => text): unknown {
  if (error instanceof RetrievalError) {
    const failure = withoutSecrets(error, mask);
    failure.url ??= redact(url);
    return failure;
  }
  const code = systemFailureOf(error);
  if (!code || !(error instanceof Error)) return error;
  return failureOf(new RetrievalError(code, error.message, { cause: error }), url, mask);
}

/** What a system error means; undefined for errors that are none. */
export function systemFailureOf(error: unknown): 'unreachable' | 'timeout' | 'incomplete' | undefined {
  const code = String((error as NodeJS.ErrnoException | null | undefined)?.code);
  return Object.hasOwn(systemFailures, code) ? systemFailures[code] : undefined;
}

/** A connection that could not be made. The cause keeps the system's own code. */
export function unreachable(host: string, port: number, error: Error): RetrievalError {
  if (error instanceof RetrievalError) return error;
  const code = systemFailureOf(error) === 'timeout' ? 'timeout' : 'unreachable';
  return new RetrievalError(code, `cannot connect to ${host} port ${port}: ${error.message}`, {
    cause: error,
  });
}

/** The error itself, or a copy if it holds a secret: without its cause then, which may hold it too. */
function withoutSecrets(error: RetrievalError, mask: Mask): RetrievalError {
  const { code, message, reply, temporary, retrieval } = error;
  const shown = reply && { code: reply.code, text: mask(reply.text) };
  if (mask(message) === message && shown?.text === reply?.text) return error;
  return new RetrievalError(code, mask(message), { reply: shown, temporary, retrieval });
}
