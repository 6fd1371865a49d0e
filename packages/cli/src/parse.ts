/** `retriever parse URL…`: a URL taken apart by RFC 1738. */
import { jsonLine } from './json-line.ts';
import { decodeText, defaultPort, parse, redact, redactText, UrlSyntaxError, type Url } from '@retriever/url';
import { pointAt } from './caret.ts';
import { UsageError } from './failure.ts';
import type { Messages } from './messages.ts';
import type { Settings } from './settings.ts';
import { StandardOutput } from './standard-output.ts';
import { lineForTerminal } from './terminal-text.ts';

/** @returns 3 when one of the texts is no URL. */
export async function parseUrls(settings: Settings, messages: Messages): Promise<number> {
  if (settings.urls.length === 0) throw new UsageError('no URL given');
  const stdout = new StandardOutput();
  let exitCode = 0;
  for (const [number, text] of settings.urls.entries()) {
    try {
      const url = parse(text, { strict: settings.strict });
      const separator = number > 0 && !settings.json ? '\n' : '';
      const shown = settings.json
        ? jsonLine(urlRecord(url))
        : description(url, settings.showPassword, messages.columns);
      await stdout.write(separator + shown);
    } catch (error) {
      if (!(error instanceof UrlSyntaxError)) throw error;
      exitCode = 3;
      if (settings.json) await stdout.write(jsonLine(errorRecord(text, error)));
      else tell(text, error, messages);
    }
  }
  return exitCode;
}

/** Where the text fails, unless that would show a password. */
function tell(text: string, { reason, rule, position }: UrlSyntaxError, messages: Messages): void {
  messages.error(3, `${reason} (${rule}, at ${position})`);
  const redacted = redactText(text);
  const lines = redacted === text ? pointAt(text, position, messages.columns - 2) : [redacted];
  for (const line of lines) messages.line(`  ${line}`);
}

/** `toJSON()` with what the escapes in its components stand for. */
export function urlRecord(url: Url): Record<string, unknown> {
  const decoded = decodedParts(url);
  return { url: String(url), ...url.toJSON(), ...(Object.keys(decoded).length > 0 && { decoded }) };
}

function errorRecord(url: string, { reason, rule, position }: UrlSyntaxError): Record<string, unknown> {
  return { url, error: { rule, position, message: reason } };
}

const notDecoded = new Set(['grammar', 'scheme', 'violations', 'schemePart']);

function decodedParts(url: Url): Record<string, unknown> {
  const parts = Object.entries(url.toJSON()).filter(([name]) => !notDecoded.has(name));
  return Object.fromEntries(
    parts.filter(([, part]) => JSON.stringify(part).includes('%')).map(([name, part]) => [name, decodedPart(part)]),
  );
}

function decodedPart(part: unknown): unknown {
  if (typeof part === 'string') return decodeText(part);
  if (Array.isArray(part)) return part.map((item) => decodedPart(item));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, decodedPart(value)]));
}

/** Lines for a person. */
export function description(url: Url, showPassword: boolean, columns: number): string {
  const { grammar } = url;
  const parts = Object.entries(url.toJSON()).filter(([name]) => name !== 'grammar' && name !== 'violations');
  const rows = parts.flatMap(([name, part]) => rowsOf(name, part, url, showPassword));
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = [
    showPassword ? String(url) : redact(url),
    ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    `  ${'grammar'.padEnd(width)}  ${grammar}${grammar === 'generic' ? ' (RFC 1738 §5, genericurl)' : ''}`,
  ].map((line) => lineForTerminal(line));
  return `${[...lines, ...violationLines(url, showPassword, columns)].join('\n')}\n`;
}

function rowsOf(name: string, part: unknown, url: Url, showPassword: boolean): [name: string, value: string][] {
  if (name === 'password' && !showPassword) return [[name, '***']];
  if (Array.isArray(part)) {
    if (part.length === 0) return [[name, '(none)']];
    return part.map((item, at): [string, string] => [`${name}[${at}]`, valueText(item)]);
  }
  const usual = defaultPort(url.scheme);
  if (name === 'host' && !('port' in url) && usual !== undefined) {
    return [
      [name, valueText(part)],
      ['port', `(none: ${usual})`],
    ];
  }
  return [[name, valueText(part)]];
}

/** A component as written, and what it stands for where that differs. */
function valueText(part: unknown): string {
  if (part === '') return '(empty)';
  if (typeof part !== 'string') return typeof part === 'number' ? String(part) : JSON.stringify(part);
  const decoded = part.includes('%') ? decodeText(part) : part;
  return decoded === part ? part : `${part}  = ${JSON.stringify(decoded)}`;
}

function violationLines(url: Url, showPassword: boolean, columns: number): string[] {
  const text = showPassword ? String(url) : redact(url);
  return url.violations.flatMap(({ rule, position, message }) => {
    const [line, caret] = pointAt(text, positionIn(text, url, position), columns - 4);
    return [
      `  departs from RFC 1738: ${lineForTerminal(message)} (${rule}, at ${position})`,
      `    ${line}`,
      `    ${caret}`,
    ];
  });
}

/** The position in the text with its password masked. */
function positionIn(text: string, url: Url, position: number): number {
  const whole = String(url);
  if (text === whole || !('password' in url) || url.password === undefined) return Math.min(position, text.length);
  const start = `${url.scheme}://${url.user ?? ''}:`.length;
  if (position <= start) return position;
  return Math.max(start, position - whole.length + text.length);
}
