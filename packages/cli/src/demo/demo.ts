/** `retriever demo`: small servers in this process, and what retrieving from them looks like. */
import { jsonLine } from '../json-line.ts';
import type { Client, Retrieved, TraceRecord } from '@retriever/client';
import { createClient, type Entry } from 'retriever';
import type { Messages } from '../messages.ts';
import type { Settings } from '../settings.ts';
import { StandardOutput } from '../standard-output.ts';
import { lineForTerminal } from '../terminal-text.ts';
import { wrapped } from '../wrapped.ts';
import { exchangeLine } from './exchange-line.ts';
import { fileStage } from './file-stage.ts';
import { ftpStage } from './ftp-stage.ts';
import { gopherStage } from './gopher-stage.ts';
import { httpStage } from './http-stage.ts';
import { mailtoStage } from './mailto-stage.ts';
import { newsStage } from './news-stage.ts';
import { prosperoStage } from './prospero-stage.ts';
import type { Origins, Scene, Stage } from './stage.ts';
import { telnetStage } from './telnet-stage.ts';
import { waisStage } from './wais-stage.ts';

/** A scheme joins the demo with a file of its own and a row here. */
const stages: readonly Stage[] = [
  fileStage,
  httpStage,
  ftpStage,
  gopherStage,
  newsStage,
  waisStage,
  prosperoStage,
  telnetStage,
  mailtoStage,
];

/** What came of a scene. */
export interface Played {
  readonly scene: Scene;
  readonly ledTo: string;
  readonly octets: number | undefined;
  readonly exchange: string;
  readonly failed: boolean;
}

/** @returns 0 when every scene ended as it should. */
export async function demo({ json }: Settings, _messages: Messages, signal: AbortSignal): Promise<number> {
  const stdout = new StandardOutput();
  const open = await Promise.all(stages.map((stage) => stage.open()));
  try {
    const origins: Origins = Object.fromEntries(stages.map(({ scheme }, at) => [scheme, open[at]!.origin]));
    if (!json) await stdout.write(heading(stdout.isTerminal));
    for (const scene of open.flatMap((stage) => stage.scenes(origins))) {
      const played = await play(scene, signal);
      if (signal.aborted) return 130;
      await stdout.write(json ? jsonLine(record(played)) : row(played, stdout));
    }
    if (!json) await stdout.write(`\n${dim(closing, stdout.isTerminal)}\n`);
    return 0;
  } finally {
    for (const stage of open) stage.close();
  }
}

async function play(scene: Scene, signal: AbortSignal): Promise<Played> {
  const records: TraceRecord[] = [];
  await using client = createClient({ trace: (event) => void records.push(event) });
  const outcome = await outcomeOf(client, scene.url, signal);
  return { scene, ...outcome, exchange: exchangeLine(records) };
}

async function outcomeOf(
  client: Client,
  url: string,
  signal: AbortSignal,
): Promise<Pick<Played, 'ledTo' | 'octets' | 'failed'>> {
  try {
    const retrieved = await client.retrieve(url, { signal });
    return { ...(await readOut(retrieved)), failed: false };
  } catch (error) {
    const { code = 'failure' } = error as { code?: string };
    return { ledTo: `an error: ${code}`, octets: undefined, failed: true };
  }
}

async function readOut(retrieved: Retrieved): Promise<{ ledTo: string; octets: number | undefined }> {
  if (retrieved.kind === 'listing') {
    const entries: Entry[] = [];
    for await (const entry of retrieved.entries) entries.push(entry);
    return { ledTo: `a listing of ${entries.length} entries`, octets: undefined };
  }
  if (retrieved.kind === 'service') return { ledTo: `a service, port ${retrieved.port}`, octets: undefined };
  if (retrieved.kind === 'mailbox') return { ledTo: retrieved.address, octets: undefined };
  let octets = 0;
  await retrieved.body?.pipeTo((chunk) => void (octets += chunk.length));
  return { ledTo: retrieved.metadata.mediaType ?? retrieved.kind, octets };
}

function record({ scene, ledTo, octets, exchange, failed }: Played): Record<string, unknown> {
  return { title: scene.title, url: scene.url, ledTo, ...(octets !== undefined && { octets }), exchange, ok: !failed };
}

const bold = (text: string, on: boolean): string => (on ? `\u001b[1m${text}\u001b[22m` : text);
const dim = (text: string, on: boolean): string => (on ? `\u001b[2m${text}\u001b[22m` : text);
const red = (text: string, on: boolean): string => (on ? `\u001b[31m${text}\u001b[39m` : text);

const urlWidth = 44;
const ledToWidth = 24;

function heading(colours: boolean): string {
  const introduction = 'Small servers in this process, and one client; nothing leaves this computer.\n\n';
  return introduction + bold(`${'URL'.padEnd(urlWidth)}  ${'LED TO'.padEnd(ledToWidth)}  OCTETS\n`, colours);
}

/** The URL and what came of it, and below in one line what it took. */
function row(
  { scene, ledTo, octets, exchange, failed }: Played,
  { isTerminal: colours, columns = 120 }: StandardOutput,
): string {
  const url = lineForTerminal(scene.url);
  const told = lineForTerminal(ledTo).padEnd(ledToWidth);
  const first = `${url.padEnd(urlWidth)}  ${failed ? red(told, colours) : told}  ${String(octets ?? '-').padStart(6)}`;
  // A URL too long for its column has the line for itself.
  const head = url.length <= urlWidth ? first : `${url}\n${' '.repeat(urlWidth)}${first.slice(url.length)}`;
  const below = wrapped(`${scene.title}: ${lineForTerminal(exchange)}`, columns - 4).join('\n    ');
  return `${head}\n${dim(`  ${below}`, colours)}\n`;
}

const closing =
  'The servers are gone now. Yours are next: retriever URL, retriever ls URL,\nretriever -v URL, retriever --help';
