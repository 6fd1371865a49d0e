/** Not waiting longer than a signal allows. */

/** The promise's result, or the signal's reason as soon as it aborts. */
export function aborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    promise.catch(() => undefined);
    return Promise.reject(signal.reason as Error);
  }
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    const heedless = <V>(settle: (value: V) => void): ((value: V) => void) => {
      return (value) => {
        signal.removeEventListener('abort', onAbort);
        settle(value);
      };
    };
    promise.then(heedless(resolve), heedless(reject));
  });
}
