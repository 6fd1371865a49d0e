/** EPLF, D. J. Bernstein's easily parsed LIST format: `+i8388621.48594,m825718503,r,s280,\tdjb.html`. */
import { latin1Of } from '@retriever/driver';
import { isDots, octetsAt, type LineParser } from './listed-line.ts';

export const parseEplf: LineParser = (line, text) => {
  const tab = text.indexOf('\t');
  if (!text.startsWith('+') || tab === -1) return undefined;
  const rawName = octetsAt(line, tab + 1);
  if (rawName.length === 0 || isDots(latin1Of(rawName))) return 'skip';
  const facts = text.slice(1, tab).split(',');
  const value = (letter: string): string | undefined => facts.find((fact) => fact.startsWith(letter))?.slice(1);
  const kind = facts.includes('/') ? 'directory' : facts.includes('r') ? 'file' : 'other';
  const size = value('s');
  const modified = value('m');
  const mode = value('up');
  const id = value('i');
  return {
    rawName,
    kind,
    ...(size !== undefined && /^\d{1,15}$/.test(size) && kind === 'file' && { size: Number(size) }),
    ...(modified !== undefined &&
      /^\d{1,11}$/.test(modified) && { modified: new Date(Number(modified) * 1000), precision: 'second' as const }),
    ...((mode !== undefined || id !== undefined) && {
      facts: {
        ...(id !== undefined && { unique: id }),
        ...(mode !== undefined && { 'unix.mode': mode.slice(1).padStart(4, '0') }),
      },
    }),
  };
};
