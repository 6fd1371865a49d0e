/** Tells the formats of LIST apart, line by line: no command says which one a server writes. */
import { parseEplf } from './eplf.ts';
import type { LineParser, ListedLine } from './listed-line.ts';
import { dosParser, unixParser } from './ls.ts';
import { parseMlsd } from './mlsd.ts';
import { namesParser } from './names.ts';
import { vmsParser } from './vms.ts';

/** BSD ftpd runs `ls` and sends its complaints as data, with 226 behind them. */
const complaint = /^(?:\S*\bls: |\S.*: (?:no such file or directory|permission denied|not found|cannot access)\s*$)/i;

/** MLSD as it should be; a line that is not stays a line of text. */
export function mlsdParser(): LineParser {
  return (line, text) => parseMlsd(line, text) ?? asText(line, text);
}

/** Any LIST format. Loads basic-ftp, which nothing else needs. */
export async function listParser(now?: () => number): Promise<LineParser> {
  const { parseList } = await import('basic-ftp');
  const formats = [parseEplf, dosParser(parseList), unixParser(parseList, now), vmsParser()];
  const names = namesParser();
  let sawFormat = false;
  return (line, text) => {
    if (text.trim() === '') return 'skip';
    for (const [at, parse] of formats.entries()) {
      const listed = parse(line, text);
      if (listed === undefined) continue;
      sawFormat = true;
      // The format that fits is tried first from now on.
      if (at > 0) formats.unshift(...formats.splice(at, 1));
      return listed;
    }
    if (complaint.test(text)) return asText(line, text);
    // A server that answers LIST with bare names.
    return sawFormat ? asText(line, text) : names(line, text);
  };
}

/** A line that names nothing: the server's complaint, or words for people. Kept, so that nothing is lost; it has no URL. */
function asText(line: Uint8Array, text: string): ListedLine | 'skip' {
  if (text.trim() === '') return 'skip';
  return { rawName: Uint8Array.from(line), kind: complaint.test(text) ? 'error' : 'info' };
}
