/** What the errors of the file system mean to a retrieval. */
import { RetrievalError, type RetrievalErrorCode } from '@retriever/driver';

const meanings = new Map<string, readonly [RetrievalErrorCode, string]>([
  ['ENOENT', ['not-found', 'there is no such file or directory']],
  ['ENOTDIR', ['not-found', 'a part of the path is no directory']],
  ['ENAMETOOLONG', ['not-found', 'no file can have so long a name']],
  ['EACCES', ['refused', 'permission denied']],
  ['EPERM', ['refused', 'permission denied']],
  ['ELOOP', ['refused', 'too many symbolic links, or one where none may be']],
  ['ENXIO', ['refused', 'it is a socket or a device that nobody serves']],
  ['EIO', ['incomplete', 'the file cannot be read']],
  ['EMFILE', ['limit', 'too many files are open']],
  ['ENFILE', ['limit', 'too many files are open']],
]);

/** The error as a RetrievalError; what is no error of the file system passes through. */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error) || typeof error.code !== 'string')
    return error;
  const [code, words] = meanings.get(error.code) ?? (['refused', 'the system will not open it'] as const);
  return new RetrievalError(code, `${words} (${error.code})`, {
    cause: error,
    temporary: code === 'limit' || code === 'incomplete',
  });
}
