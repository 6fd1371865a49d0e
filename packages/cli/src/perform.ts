/** One URL on its way to stdout or a file. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Retrieved, RetrieveOptions } from '@retriever/client';
import type { Body, Metadata } from '@retriever/driver';
import { redactText } from '@retriever/url';
import { adviceOn } from './advice.ts';
import { announcedSize } from './announced-size.ts';
import { requireKnownCodings } from './content-codings.ts';
import { saveEtag } from './etag-file.ts';
import { exitCodeOf, type Circumstances } from './exit-codes.ts';
import { Failure, messageOf } from './failure.ts';
import { suggestedFileName } from './file-name.ts';
import { urlGiven } from './given-url.ts';
import { headerBlock } from './header-block.ts';
import { outputFor, type Output } from './output.ts';
import { requestFor, type RequestPlan } from './request.ts';
import { bodyRecord, entriesRecord } from './result-record.ts';
import { delayAfter, isWorthRepeating, mayTryAgain } from './retrying.ts';
import { resumed } from './resume.ts';
import type { Destination, Settings } from './settings.ts';
import { withQuery } from './url-query.ts';
import type { Transfer, TransferContext } from './transfer.ts';

/** Retrieves one URL to where it belongs. Failures are in the result, never thrown. */
export async function perform(
  transfer: Transfer,
  destination: Destination | undefined,
  context: TransferContext,
): Promise<void> {
  const { etagSave, removeOnError } = context.settings;
  try {
    transfer.url = withQuery(urlGiven(transfer.given, context.settings), context.plan.query);
    const output = outputFor(destination, transfer.url, context);
    try {
      await retrieveAgain(transfer, output, context);
      if (etagSave !== undefined && transfer.metadata) saveEtag(etagSave, transfer.metadata);
    } catch (error) {
      if (removeOnError && !isInterrupted(context.signal)) output.remove();
      throw error;
    } finally {
      output.close();
    }
  } catch (error) {
    transfer.error = error;
    transfer.exitCode = exitCodeOf(error, circumstancesOf(transfer));
  }
  transfer.endedAt = transfer.elapsed;
}

/** The user gave up: what came stays for another time. */
function isInterrupted({ aborted, reason }: AbortSignal): boolean {
  return aborted && !(reason instanceof Failure);
}

/** With `--retry`, what breaks off on its way into a file comes again: from the beginning, with `-C -` from where it ended. */
async function retrieveAgain(transfer: Transfer, output: Output, context: TransferContext): Promise<void> {
  const { settings, signal, trace } = context;
  for (;;) {
    try {
      return await retrieveInto(transfer, output, context);
    } catch (error) {
      const begun = transfer.retrieved !== undefined && (settings.continueAt ?? '-') === '-';
      if (signal.aborted || !begun || !mayTryAgain(transfer, settings) || !isWorthRepeating(error, settings))
        throw error;
      if (!output.restart()) throw error;
      const delayMs = delayAfter(transfer.retries, settings);
      trace({
        type: 'retrying',
        attempt: transfer.retries + 2,
        delayMs,
        reason: messageOf(error),
        url: transfer.shownUrl,
        time: Date.now(),
        retrieval: 0,
      });
      await sleep(delayMs, undefined, { signal });
      transfer.beginAnew();
    }
  }
}

function circumstancesOf({ retrieved, hops, url, transcript }: Transfer): Circumstances {
  const { scheme } = retrieved?.url ?? transcript.url ?? hops.at(-1)?.url ?? url ?? {};
  return { scheme, sent: transcript.sent, answered: retrieved !== undefined };
}

async function retrieveInto(transfer: Transfer, output: Output, context: TransferContext): Promise<void> {
  const { settings, plan } = context;
  try {
    transfer.retrieved = await retrieve(transfer, output, requestFor(transfer.url!, settings, plan), context);
  } finally {
    // Without anything retrieved the header tells why; a file stays as it is.
    if (transfer.retrieved || !output.isFile) await tellHeader(transfer, output, context);
  }
  const { retrieved } = transfer;
  if (!retrieved) return;
  if (retrieved.kind === 'service' && settings.connect) {
    const { openSession } = await import('./session.ts');
    return openSession(retrieved, context, (octets) => {
      transfer.octets += octets.length;
      return (output.isFile ? output : context.stdout).write(octets);
    });
  }
  if (retrieved.kind === 'service' || retrieved.kind === 'mailbox') {
    return settings.json ? undefined : output.text(adviceOn(retrieved));
  }
  const { metadata } = retrieved;
  const failing = settings.fail !== 'no' && (metadata.refusal?.reply?.code ?? 0) >= 400;
  if (settings.location && leadsNowhere(metadata)) throw new Failure(3, metadata.refusal!.message, metadata.refusal);
  if (settings.compressed && !settings.head) requireKnownCodings(metadata);
  if (settings.head) requireRoomFor(metadata, settings);
  const unwanted =
    settings.head ||
    metadata.notModified === true ||
    outdated(metadata, plan) ||
    (failing && settings.fail === 'early');
  if (unwanted) await retrieved.body?.cancel();
  else if (settings.json && !output.isFile) transfer.content = await contentRecord(retrieved, transfer);
  else if (retrieved.body) await save(retrieved.body, transfer, output, context);
  else hintAtTarget(retrieved, context);
  // An object that was not wanted leaves the file as it was; so does an error page.
  if (!unwanted || settings.head) output.complete(settings.remoteTime ? metadata.modified : undefined);
  transfer.file = output.file;
  if (failing)
    throw new Failure(22, `The requested URL returned error: ${metadata.refusal?.reply?.code}`, metadata.refusal);
}

/** The header goes where it is wanted before anything of the body does. */
async function tellHeader(transfer: Transfer, output: Output, { settings, dump }: TransferContext): Promise<void> {
  output.suggest(suggestedFileName(transfer.metadata?.suggestedName));
  await dump?.add(transfer);
  for (const block of transfer.hops.flatMap((hop) => headerBlock(hop, !settings.head) ?? [])) {
    transfer.headerOctets += block.length;
    if ((settings.include || settings.head) && !(settings.json && !output.isFile)) await output.header(block);
  }
}

/** `-I --max-filesize`: whether the object itself would be too long. @throws Failure 63 */
function requireRoomFor(metadata: Metadata, { maxFilesize = Infinity }: Settings): void {
  const size = announcedSize(metadata) ?? 0;
  if (size > maxFilesize)
    throw new Failure(63, `the object has ${size} octets, more than --max-filesize ${maxFilesize}`);
}

/** A redirection to what is no URL; one that says nothing at all is a page like any other. */
function leadsNowhere({ refusal, headers = [] }: Metadata): boolean {
  return (
    refusal?.code === 'protocol' && headers.some(([name, value]) => /^location$/i.test(name) && value.trim() !== '')
  );
}

/** With `--json` and no file the body is part of the result: entries of a listing, text, or base64. */
async function contentRecord(retrieved: Retrieved, transfer: Transfer): Promise<Record<string, unknown>> {
  if (retrieved.kind === 'listing') return entriesRecord(retrieved);
  if (!('body' in retrieved) || !retrieved.body) return {};
  return bodyRecord(retrieved.body, (octets) => (transfer.octets = octets));
}

/** `-z` with a driver or server that left the condition to us. */
function outdated({ modified, refusal }: Metadata, { timeCondition }: RequestPlan): boolean {
  if (!timeCondition || !modified || refusal) return false;
  return timeCondition.wanted === 'newer' ? modified <= timeCondition.time : modified > timeCondition.time;
}

function hintAtTarget(retrieved: Retrieved, { messages, settings }: TransferContext): void {
  if (retrieved.kind === 'reference' && !settings.silent)
    messages.line(`retriever: it leads to ${redactText(retrieved.target)}; -L goes there`);
}

async function save(body: Body, transfer: Transfer, output: Output, { gauge, stdout }: TransferContext): Promise<void> {
  // On a terminal that shows the body a meter would overwrite it.
  if (output.isFile || !stdout.isTerminal) gauge.begin(output.label, body.size, output.alreadyThere);
  let whole = false;
  try {
    await body.pipeTo((chunk) => {
      transfer.startedBodyAt ??= transfer.elapsed;
      transfer.octets += chunk.length;
      gauge.advance(chunk.length);
      return output.write(chunk);
    });
    await output.end();
    whole = true;
  } finally {
    gauge.end(whole);
  }
}

/** Retrieves the URL, with `-C` from where the file ends. Undefined when nothing is missing. */
async function retrieve(
  transfer: Transfer,
  output: Output,
  request: RetrieveOptions,
  { client, settings: { continueAt, fail }, signal, trace }: TransferContext,
): Promise<Retrieved | undefined> {
  const asked = (more: RetrieveOptions): Promise<Retrieved> => {
    // Of several attempts, the last one's hops are the transfer's.
    transfer.hops.length = 0;
    return client.retrieve(transfer.url!, { ...request, ...more, signal, onTrace: trace });
  };
  const automatic = continueAt === '-';
  const start = automatic ? output.present.size : Number(continueAt ?? 0);
  return start === 0 ? asked({}) : resumed({ start, automatic, failing: fail !== 'no', output, retrieve: asked });
}
