/** `get --json`: one object a URL that says what became of it. */
import { redact } from '@retriever/url';
import { RetrievalError, type Body, type Listing } from '@retriever/driver';
import { entryRecord } from './entry-record.ts';
import { pointerRecord } from './pointer-record.ts';
import type { Transfer } from './transfer.ts';

/** The plain object for one line of JSON; what is unknown is left out. */
export function resultRecord(transfer: Transfer): Record<string, unknown> {
  const { shownUrl, url, retrieved, hops, metadata, file, octets, error, exitCode } = transfer;
  const { size, modified, mediaType, charset, etag, suggestedName, range, notModified, reply, headers } =
    metadata ?? {};
  const end = retrieved?.url ?? hops.at(-1)?.url ?? url;
  return {
    url: shownUrl,
    ...(end && String(end) !== String(url) && { effectiveUrl: redact(end) }),
    ...(retrieved && { kind: retrieved.kind }),
    ok: exitCode === 0 && !metadata?.refusal,
    exitCode,
    ...(error !== undefined && { error: errorRecord(error) }),
    ...(reply && { status: reply.code, statusText: reply.text }),
    ...present({ mediaType, charset, size, modified, etag, suggestedName, range, notModified, headers }),
    ...leading(transfer),
    octets,
    seconds: Math.round(transfer.endedAt) / 1000,
    ...(file !== undefined && { file }),
    ...transfer.content,
  };
}

function present(facts: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined));
}

function leading({ retrieved }: Transfer): Record<string, unknown> {
  switch (retrieved?.kind) {
    case 'reference':
      return present({ target: retrieved.target, alternatives: retrieved.alternatives });
    case 'service':
    case 'mailbox':
      return pointerRecord(retrieved);
    default:
      return {};
  }
}

function errorRecord(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, temporary, reply } = error instanceof RetrievalError ? error : {};
  return present({ code, message: error.message, temporary, reply });
}

/** The octets as text where they are UTF-8, else as base64. @throws RetrievalError `limit` beyond 64 MiB: those want a file. */
export async function bodyRecord(body: Body, count: (octets: number) => void): Promise<Record<string, unknown>> {
  const octets = await body.bytes();
  count(octets.length);
  try {
    return { body: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(octets) };
  } catch {
    return { bodyBase64: Buffer.from(octets).toString('base64') };
  }
}

export async function entriesRecord({ entries }: Listing): Promise<Record<string, unknown>> {
  const records: Record<string, unknown>[] = [];
  for await (const entry of entries) records.push(entryRecord(entry));
  return { entries: records };
}
