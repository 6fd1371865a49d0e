/** A line of text with a caret under one of its characters. */
import { lineForTerminal } from './terminal-text.ts';

/** Two lines, the second with the caret; of a line longer than `columns` the part around it. */
export function pointAt(text: string, position: number, columns: number): [line: string, caret: string] {
  const before = lineForTerminal(text.slice(0, position));
  const after = lineForTerminal(text.slice(position));
  const room = Math.max(20, columns);
  if (before.length + after.length <= room) return [before + after, `${' '.repeat(before.length)}^`];
  const kept = before.slice(-Math.floor(room / 2));
  const head = kept === before ? before : `...${kept.slice(3)}`;
  const left = room - head.length;
  const tail = after.length <= left ? after : `${after.slice(0, left - 3)}...`;
  return [head + tail, `${' '.repeat(head.length)}^`];
}
