/** `retriever extract [FILE]`: the URLs in a text, one a line. */
import { readFileSync } from 'node:fs';
import { extract, type ExtractedUrl } from '@retriever/url';
import { Failure } from './failure.ts';
import { jsonLine } from './json-line.ts';
import type { Messages } from './messages.ts';
import type { Settings } from './settings.ts';
import { StandardOutput } from './standard-output.ts';
import { lineForTerminal } from './terminal-text.ts';

/** @throws Failure 26 */
export async function extractUrls({ urls: files, json }: Settings, messages: Messages): Promise<number> {
  const stdout = new StandardOutput();
  for (const file of files.length === 0 ? ['-'] : files) {
    const text = await contentOf(file);
    for (const found of extract(text)) {
      if (json) await stdout.write(jsonLine(record(found, files.length > 1 ? file : undefined)));
      else if (found.url) await stdout.write(`${lineForTerminal(found.text)}\n`);
      else messages.line(`retriever: no URL, though it is announced as one: ${found.text}`);
    }
  }
  return 0;
}

/** Offsets are in UTF-16 code units, as `extract` counts them. */
function record(
  { url, text, start, end, wrapped, alternative }: ExtractedUrl,
  file: string | undefined,
): Record<string, unknown> {
  return {
    url: text,
    ...(file !== undefined && { file }),
    start,
    end,
    wrapped,
    valid: url !== undefined,
    ...(alternative !== undefined && { alternative }),
  };
}

async function contentOf(file: string): Promise<string> {
  try {
    if (file !== '-') return readFileSync(file, 'utf8');
    const chunks: Uint8Array[] = [];
    for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
    return Buffer.concat(chunks).toString('utf8');
  } catch (error) {
    throw new Failure(26, `cannot read ${file}: ${(error as Error).message}`, error);
  }
}
