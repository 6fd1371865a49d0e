/** A listing in columns: kind, size, date, name. Columns that nothing is in are left out. */
import type { Entry } from '@retriever/driver';
import { lineForTerminal } from './terminal-text.ts';

export type Line = Omit<Entry, 'rawName'>;

/** @param width - The terminal's; undefined when there is none: then nothing is cut off. */
export function columnsOf(entries: readonly Line[], width: number | undefined): string[] {
  const sizes = entries.map(({ size }) => (size === undefined ? '' : String(size)));
  const dates = entries.map((entry) => dateText(entry));
  const kindWidth = Math.max(0, ...entries.map(({ kind }) => kindText(kind).length));
  const sizeWidth = Math.max(0, ...sizes.map(({ length }) => length));
  const dateWidth = Math.max(0, ...dates.map(({ length }) => length));
  return entries.map((entry, at) => {
    const cells = [kindText(entry.kind).padEnd(kindWidth)];
    if (sizeWidth > 0) cells.push((sizes[at] ?? '').padStart(sizeWidth));
    if (dateWidth > 0) cells.push((dates[at] ?? '').padEnd(dateWidth));
    return cut([...cells, nameText(entry)].join('  ').trimEnd(), width);
  });
}

function kindText(kind: Entry['kind']): string {
  return kind === 'directory' ? 'dir' : kind === 'info' ? '' : kind;
}

/** Directories end with a slash, links and services say where they lead. */
function nameText({ name, kind, linkTarget, url }: Line): string {
  const shown = lineForTerminal(name);
  if (kind === 'directory') return shown.endsWith('/') ? shown : `${shown}/`;
  const target = linkTarget ?? (kind === 'link' || kind === 'service' ? url : undefined);
  return target === undefined ? shown : `${shown} -> ${lineForTerminal(target)}`;
}

/** In UTC, as exact as the server told. */
function dateText({ modified, precision = 'second' }: Line): string {
  if (!modified || Number.isNaN(modified.getTime())) return '';
  return modified
    .toISOString()
    .replace('T', ' ')
    .slice(0, precision === 'day' ? 10 : 16);
}

function cut(line: string, width: number | undefined): string {
  return width === undefined || line.length <= width ? line : `${line.slice(0, Math.max(0, width - 3))}...`;
}
