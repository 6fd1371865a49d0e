/** What a server's FAILURE is in the words of all drivers. */
import { RetrievalError, textOf, type RetrievalErrorCode } from '@retriever/driver';
import type { Failure } from './answer.ts';
import { octetsOf } from './quoting.ts';

const codes: Readonly<Record<string, RetrievalErrorCode>> = {
  'NOT-FOUND': 'not-found',
  'NOT-A-DIRECTORY': 'not-found',
  'AUTHENTICATION-REQUIRED': 'credentials',
  'AUTHENTICATION-DATA': 'credentials',
  'VERSION-NOT-SUPPORTED': 'unsupported',
};

export function failureOf({ code, words }: Failure): RetrievalError {
  const said = textOf(octetsOf(words === '' ? code : `${code} ${words}`));
  return new RetrievalError(Object.hasOwn(codes, code) ? codes[code]! : 'refused', `the server answered ${said}`, {
    temporary: code === 'SERVER-FAILED',
  });
}
