/** `retriever ls URL…`: what a URL lists, in columns; of a single object, what is known of it. */
import { jsonLine } from './json-line.ts';
import type { Client, Retrieved } from '@retriever/client';
import type { Entry } from '@retriever/driver';
import { decodeText, redact, type Url } from '@retriever/url';
import { adviceOn } from './advice.ts';
import { announcedSize } from './announced-size.ts';
import { withPassword } from './ask.ts';
import { clientFor } from './client.ts';
import { columnsOf, type Line } from './columns.ts';
import { entryRecord } from './entry-record.ts';
import { pointerRecord } from './pointer-record.ts';
import { exitCodeOf } from './exit-codes.ts';
import { BrokenPipe, messageOf, UsageError } from './failure.ts';
import { urlGiven } from './given-url.ts';
import type { Messages } from './messages.ts';
import { isHttp, planRequests, requestFor, type RequestPlan } from './request.ts';
import type { Settings } from './settings.ts';
import { StandardOutput } from './standard-output.ts';
import { verboseLine } from './transcript.ts';
import { withQuery } from './url-query.ts';

interface Context {
  readonly settings: Settings;
  readonly plan: RequestPlan;
  readonly client: Client;
  readonly stdout: StandardOutput;
  readonly columns: number | undefined;
  readonly signal: AbortSignal;
}

/** @returns The exit code of the last URL. @throws UsageError */
export async function ls(given: Settings, messages: Messages, signal: AbortSignal): Promise<number> {
  if (given.urls.length === 0) throw new UsageError('no URL given');
  const settings = await withPassword(given);
  const stdout = new StandardOutput();
  const warn = (text: string): void => messages.line(`retriever: ${text}`);
  const client = clientFor(
    { ...settings, json: true },
    {
      trace: (record) => {
        const line = settings.verbose ? verboseLine(record) : undefined;
        if (line !== undefined) messages.line(line);
      },
      hops: (next) => next,
      warn,
    },
  );
  const plan = planRequests(settings, warn);
  const { columns } = stdout;
  const context: Context = { settings, plan, client, stdout, columns, signal };
  let exitCode = 0;
  for (const [number, text] of settings.urls.entries()) {
    let url: Url | undefined;
    exitCode = 0;
    try {
      url = withQuery(urlGiven(text, settings), plan.query);
      if (settings.urls.length > 1 && !settings.json) await stdout.write(`${number > 0 ? '\n' : ''}${redact(url)}\n`);
      await list(url, context);
    } catch (error) {
      if (signal.aborted) exitCode = 130;
      else exitCode = exitCodeOf(error, { scheme: url?.scheme, answered: false });
      if (!signal.aborted && !(error instanceof BrokenPipe)) messages.error(exitCode, messageOf(error));
      if (signal.aborted || error instanceof BrokenPipe) break;
    }
  }
  client.close();
  return exitCode;
}

async function list(url: Url, { settings, plan, client, stdout, columns, signal }: Context): Promise<void> {
  // HTTP has no listings, and its HEAD costs no body.
  const request = { ...requestFor(url, settings, plan), metadataOnly: isHttp(url), keepRefusal: false, signal };
  const retrieved = await client.retrieve(url, request);
  if (retrieved.kind !== 'listing') {
    if ('body' in retrieved) await retrieved.body?.cancel();
    return stdout.writeText(settings.json ? jsonLine(objectRecord(retrieved)) : objectLine(retrieved, columns));
  }
  if (settings.json) {
    for await (const entry of retrieved.entries) await stdout.write(jsonLine(entryRecord(entry)));
    return undefined;
  }
  const entries: Entry[] = [];
  for await (const entry of retrieved.entries) entries.push(entry);
  // A file system has no order of its own; servers have one, and a menu means it.
  if (url.scheme === 'file') entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const lines = columnsOf(entries, columns).map((line) => `${line}\n`);
  return stdout.write(lines.join(''));
}

function objectLine(retrieved: Retrieved, columns: number | undefined): string {
  if (retrieved.kind === 'service' || retrieved.kind === 'mailbox') return adviceOn(retrieved);
  return `${columnsOf([objectEntry(retrieved)], columns).join('\n')}\n`;
}

function objectEntry(retrieved: Extract<Retrieved, { readonly kind: 'content' | 'reference' | 'listing' }>): Line {
  const { metadata, url } = retrieved;
  const size = announcedSize(metadata);
  return {
    kind: retrieved.kind === 'reference' ? 'link' : 'file',
    name: lastNameOf(url) || redact(url),
    ...(retrieved.kind === 'reference' && { linkTarget: retrieved.target }),
    ...(size !== undefined && { size }),
    ...(metadata.modified && { modified: metadata.modified }),
    ...(metadata.mediaType !== undefined && { mediaType: metadata.mediaType }),
  };
}

function lastNameOf(url: Url): string {
  const text =
    'name' in url ? (url.name ?? '') : 'path' in url ? (url.path ?? '') : 'selector' in url ? (url.selector ?? '') : '';
  return decodeText(text.slice(text.lastIndexOf('/') + 1).replaceAll(/%(?![\da-f]{2})/gi, '%25'));
}

function objectRecord(retrieved: Retrieved): Record<string, unknown> {
  const url = redact(retrieved.url);
  if (retrieved.kind === 'service' || retrieved.kind === 'mailbox')
    return { kind: retrieved.kind, url, ...pointerRecord(retrieved) };
  const { linkTarget, ...entry } = objectEntry(retrieved);
  return { ...entry, url, ...(linkTarget !== undefined && { linkTarget }) };
}
