/** `-C`: a retrieval that goes on where a file ends. */
import type { Retrieved, RetrieveOptions } from '@retriever/client';
import { RetrievalError, type Metadata } from '@retriever/driver';
import { Failure } from './failure.ts';
import type { Output } from './output.ts';

export interface Resumption {
  /** Octets that are there already. */
  readonly start: number;
  /** `-C -`: the file's own length was taken, so that starting over is right where going on would be wrong. */
  readonly automatic: boolean;
  /** `-f`: a refusal is one, whatever it says of the object's end. */
  readonly failing: boolean;
  readonly output: Output;
  readonly retrieve: (more: RetrieveOptions) => Promise<Retrieved>;
}

/** Retrieves what is missing of an object. Undefined: nothing is. @throws Failure 31 or 33 when the server gives no parts. */
export async function resumed(resumption: Resumption): Promise<Retrieved | undefined> {
  const { start, automatic, failing, output, retrieve } = resumption;
  const startOver = (): Promise<Retrieved> => retrieve({});
  const retrieved = await part(resumption);
  if (retrieved instanceof BeyondTheEnd) {
    const whole = retrieved.whole ?? (await sizeOf(resumption));
    if (whole === start) return undefined;
    if (automatic) return startOver();
    throw new Failure(36, `the object has no octet ${start}: cannot go on there`);
  }
  if (!('metadata' in retrieved) || retrieved.kind === 'reference') return retrieved;
  const { range, refusal, modified, size } = retrieved.metadata;
  if (range?.start === start && !(automatic && isNewer(modified, output.present.modified))) {
    output.append(start);
    return retrieved;
  }
  if (refusal) {
    // An error page is no part of the object: the file stays as it is.
    await retrieved.body.cancel();
    throw new Failure(failing ? 22 : 33, refusal.message, refusal);
  }
  await retrieved.body.cancel();
  // The object is another than the one the file is a part of: it changed meanwhile, or is shorter.
  if (range?.start === start || (automatic && size !== undefined && size < start)) return startOver();
  throw new Failure(
    retrieved.url.grammar === 'ftp' ? 31 : 33,
    'the server gives no part of the object: cannot go on where the file ends',
  );
}

/** The object has no octet where the file ends; `whole` is its size, if the refusal told. */
class BeyondTheEnd {
  readonly whole: number | undefined;

  constructor(whole: number | undefined) {
    this.whole = whole;
  }
}

/** The part from `start` on. A range beyond the object's end is an answer, not an error. */
async function part({ start, automatic, failing, retrieve }: Resumption): Promise<Retrieved | BeyondTheEnd> {
  try {
    const retrieved = await retrieve({ range: { start } });
    const { refusal, headers } = 'metadata' in retrieved ? retrieved.metadata : {};
    if (refusal?.code !== 'range' || (failing && !automatic)) return retrieved;
    if ('body' in retrieved) await retrieved.body?.cancel();
    return new BeyondTheEnd(unsatisfiedSize(headers));
  } catch (error) {
    if (!(error instanceof RetrievalError) || error.code !== 'range') throw error;
    return new BeyondTheEnd(undefined);
  }
}

/** `Content-Range: bytes * / 1234` of a 416, RFC 9110 §14.4. */
function unsatisfiedSize(headers: Metadata['headers']): number | undefined {
  const field = headers?.find(([name]) => name.toLowerCase() === 'content-range')?.[1];
  const told = /^bytes \*\/(\d+)$/.exec(field ?? '')?.[1];
  return told === undefined ? undefined : Number(told);
}

async function sizeOf({ retrieve }: Resumption): Promise<number | undefined> {
  const retrieved = await retrieve({ metadataOnly: true });
  return 'metadata' in retrieved ? retrieved.metadata.size : undefined;
}

function isNewer(modified: Metadata['modified'], than: Date | undefined): boolean {
  return modified !== undefined && than !== undefined && modified > than;
}
