/** `-w FORMAT`: curl's variables, from what became of a transfer. */
import { jsonLine } from './json-line.ts';
import { readFileSync } from 'node:fs';
import { redact } from '@retriever/url';
import { Failure, messageOf } from './failure.ts';
import type { Transfer } from './transfer.ts';

type Value = string | number | null;

/** Six decimals, as curl prints seconds. */
const seconds = (milliseconds: number | undefined): string => ((milliseconds ?? 0) / 1000).toFixed(6);
const effective = ({ last, url }: Transfer) => last?.url ?? url;

const variables: Readonly<Record<string, (transfer: Transfer) => Value>> = {
  content_type: ({ metadata }) => fieldOf(metadata?.headers, 'content-type') ?? metadata?.mediaType ?? '',
  errormsg: ({ error }) => (error === undefined ? '' : messageOf(error)),
  exitcode: ({ exitCode }) => exitCode,
  filename_effective: ({ file }) => file ?? '',
  ftp_entry_path: () => '',
  http_code: (transfer) => String(replyCode(transfer)).padStart(3, '0'),
  http_connect: () => '000',
  http_version: ({ transcript }) => transcript.httpVersion ?? '0',
  local_ip: () => '',
  method: ({ head }) => (head ? 'HEAD' : 'GET'),
  num_connects: ({ transcript }) => transcript.connections,
  num_headers: ({ metadata }) => metadata?.headers?.length ?? 0,
  num_redirects: ({ hops }) =>
    Math.max(0, hops.filter(({ kind }, at) => kind === 'reference' && at < hops.length - 1).length),
  num_retries: ({ retries }) => retries,
  redirect_url: ({ last }) => (last?.kind === 'reference' ? last.target : ''),
  referer: () => '',
  remote_ip: ({ transcript }) => transcript.address,
  remote_port: ({ transcript }) => transcript.port,
  response_code: (transfer) => String(replyCode(transfer)).padStart(3, '0'),
  scheme: (transfer) => effective(transfer)?.scheme.toUpperCase() ?? '',
  size_download: ({ octets }) => octets,
  size_header: ({ headerOctets }) => headerOctets,
  size_request: () => 0,
  size_upload: () => 0,
  speed_download: ({ octets, endedAt }) => Math.round((octets * 1000) / Math.max(1, endedAt)),
  speed_upload: () => 0,
  ssl_verify_result: () => 0,
  time_appconnect: ({ transcript }) => seconds(transcript.times.secured),
  time_connect: ({ transcript }) => seconds(transcript.times.connected),
  time_namelookup: ({ transcript }) => seconds(transcript.times.resolved),
  time_pretransfer: ({ transcript }) => seconds(transcript.times.secured ?? transcript.times.connected),
  time_redirect: () => seconds(0),
  time_starttransfer: ({ startedBodyAt }) => seconds(startedBodyAt),
  time_total: ({ endedAt }) => seconds(endedAt),
  url: ({ shownUrl }) => shownUrl,
  url_effective: (transfer) => {
    const url = effective(transfer);
    return url ? redact(url) : transfer.shownUrl;
  },
  urlnum: ({ number }) => number,
};

/** FTP's latest reply counts as a code, as with curl. */
function replyCode({ metadata, error, transcript }: Transfer): number {
  const reply = metadata?.reply?.code ?? (error as { reply?: { code: number } } | undefined)?.reply?.code;
  if (metadata?.headers && reply !== undefined) return reply;
  const last = transcript.received.findLast((line) => /^\d{3} /.test(line));
  return last === undefined ? (reply ?? 0) : Number(last.slice(0, 3));
}

function fieldOf(headers: readonly (readonly [string, string])[] | undefined, wanted: string): string | undefined {
  return headers?.findLast(([name]) => name.toLowerCase() === wanted)?.[1];
}

/** The text of `-w`: itself, or what `@FILE` (`@-`: stdin) holds, its lines put together. */
export function writeOutFormat(given: string): string {
  if (!given.startsWith('@')) return given;
  try {
    return readFileSync(given === '@-' ? 0 : given.slice(1), 'utf8').replaceAll(/[\r\n]/g, '');
  } catch (error) {
    throw new Failure(26, `cannot read the format in ${given.slice(1)}: ${(error as Error).message}`, error);
  }
}

export interface WrittenOut {
  readonly to: 'stdout' | 'stderr';
  readonly text: string;
}

/** The format filled in, in pieces for stdout and stderr. Unknown variables are left out with a warning. */
export function writeOut(format: string, transfer: Transfer, warn: (text: string) => void): WrittenOut[] {
  const pieces: WrittenOut[] = [];
  let to: WrittenOut['to'] = 'stdout';
  let ended = false;
  const add = (text: string): void => void (text !== '' && pieces.push({ to, text }));
  for (const [token] of format.matchAll(/%%|%\{[^}]*\}|%header\{[^}]*\}|\\[nrt\\]|[^%\\]+|[%\\]/g)) {
    if (ended) break;
    const name = /^%\{(.*)\}$/s.exec(token)?.[1];
    const header = /^%header\{(.*)\}$/s.exec(token)?.[1];
    if (name === 'stdout' || name === 'stderr') to = name;
    else if (name === 'onerror') ended = transfer.exitCode === 0;
    else if (name !== undefined) add(valueOf(name, transfer, warn));
    else if (header !== undefined) add(fieldOf(transfer.metadata?.headers, header.toLowerCase())?.trim() ?? '');
    else add(escapes[token] ?? token);
  }
  return pieces;
}

const escapes: Readonly<Record<string, string>> = { '%%': '%', '\\n': '\n', '\\r': '\r', '\\t': '\t', '\\\\': '\\' };

function valueOf(name: string, transfer: Transfer, warn: (text: string) => void): string {
  if (name === 'json') return jsonLine(asJson(transfer)).trimEnd();
  if (name === 'header_json') return headersAsJson(transfer);
  if (Object.hasOwn(variables, name)) return String(variables[name]!(transfer));
  warn(`unknown --write-out variable: ${JSON.stringify(name)}`);
  return '';
}

/** All variables; numbers as numbers, as curl does it. */
function asJson(transfer: Transfer): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      const text = value(transfer);
      const isNumber = typeof text === 'string' && /^(time_|http_code|response_code|http_connect)/.test(name);
      return [name, isNumber ? Number(text) : text === '' ? null : text];
    }),
  );
}

/** A field a line, as curl has it. */
function headersAsJson({ metadata }: Transfer): string {
  const fields = new Map<string, string[]>();
  for (const [name, value] of metadata?.headers ?? []) {
    const values = fields.get(name.toLowerCase());
    if (values) values.push(value);
    else fields.set(name.toLowerCase(), [value]);
  }
  const members = [...fields].map(([name, values]) =>
    jsonLine({ [name]: values })
      .trimEnd()
      .slice(1, -1),
  );
  return `{${members.join(',\n')}\n}`;
}
