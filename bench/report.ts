/** Prints figures side by side, each with its ratio to the first row that has one. */
import type { Figures } from './measure.ts';

/** One row per program; ratios against `reference` (its row is 1.00). */
export function printFigures(
  title: string,
  figures: readonly Figures[],
  reference: string,
  work: (wall: number) => string,
): void {
  const base = figures.find(({ program }) => program === reference);
  const rows = figures.map(({ program, wall, cpu, peakRss }) => [
    program,
    `${wall.toFixed(3)} s`,
    work(wall),
    `${cpu.toFixed(2)} s`,
    `${(peakRss / 1e6).toFixed(0)} MB`,
    base ? (wall / base.wall).toFixed(2) : '',
    base && base.cpu > 0 ? (cpu / base.cpu).toFixed(2) : '',
  ]);
  printTable(title, ['', 'wall', 'work', 'CPU', 'peak RSS', `wall/${reference}`, `CPU/${reference}`], rows);
}

export function printTable(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd();
  console.log(`\n${title}\n${line(head)}`);
  for (const row of rows) console.log(line(row));
}
