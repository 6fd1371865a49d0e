/** Texts made piece by piece as the byte stream of a response. */
import { asFetchError } from './fetch-error.ts';

/**
 * The texts as UTF-8, each made when somebody reads.
 *
 * @param onCancel Called when nobody wants the rest; the texts may not have been begun then.
 */
export function textStream(
  texts: AsyncGenerator<string>,
  onCancel: () => Promise<void>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await texts.next();
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        } catch (error) {
          controller.error(asFetchError(error));
        }
      },
      async cancel() {
        // First, since a generator that waits for the peer returns only when that is over.
        await onCancel();
        await texts.return(undefined);
      },
    },
    // Nothing ahead of the reader: the entries may yet be taken in another way.
    { highWaterMark: 0 },
  );
}
