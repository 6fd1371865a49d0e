/** LIST as VMS writes it: `CII-MANUAL.TEX;1  213/216  29-JAN-1996 03:33:12  [ANONYMOU,ANONYMOUS]  (RWED,RWED,,)`. */
import { vmsDate } from './list-date.ts';
import { octetsAt, type LineParser } from './listed-line.ts';

const nameAlone = /^(\S+;\d+)\s*$/;
const rest =
  /^\s+(\d+)(?:\/\d+)?\s+(\d\d?-[A-Z]{3}-\d{4}(?: +\d\d?:\d\d(?::\d\d(?:\.\d+)?)?)?)(?:\s+\[([^\]]*)\])?(?:\s+\(([^)]*)\))?$/i;
const header = /^(?:Directory [^\s:]+:\[[^\]]*\]|Total of \d+ files?\b.*|Grand total of .*)$/i;

/** Long names stand on a line of their own, the rest on the next: the parser keeps such a name for one line. */
export function vmsParser(): LineParser {
  let kept: Uint8Array | undefined;
  return (line, text) => {
    if (header.test(text)) return 'skip';
    if (nameAlone.test(text)) {
      kept = octetsAt(line, 0, text.trimEnd().length);
      return 'skip';
    }
    const end = /^\S+;\d+(?=\s)/.exec(text)?.[0].length ?? 0;
    const rawName = end > 0 ? octetsAt(line, 0, end) : kept;
    kept = undefined;
    const match = rest.exec(text.slice(end).trimEnd());
    if (!rawName || !match) return undefined;
    const [, blocks, date = '', owner, protection] = match;
    // CWD takes the directory's name without its type and version.
    const suffix = /\.DIR;\d+$/i.exec(text.slice(0, end) || String.fromCharCode(...rawName))?.[0].length ?? 0;
    return {
      rawName,
      kind: suffix > 0 ? 'directory' : 'file',
      ...(suffix > 0 && { urlName: rawName.slice(0, -suffix) }),
      ...vmsDate(date),
      facts: {
        // Blocks of 512 octets, the last one not full: no size.
        'vms.blocks': Number(blocks),
        ...(owner !== undefined && { 'vms.owner': owner }),
        ...(protection !== undefined && { 'vms.protection': protection }),
      },
    };
  };
}
