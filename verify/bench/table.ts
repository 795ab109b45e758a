import type { Figure } from './figure';

/** Aligns columns for a terminal. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, value, unit, goal, holds }) => [
    name,
    number(value),
    unit,
    goal === null ? '' : `<= ${number(goal)}`,
    holds === null ? '' : holds ? 'holds' : 'DOES NOT HOLD',
  ]);
  return columns([['figure', 'value', 'unit', 'goal', ''], ...rows], [1]);
}

/** Aligns text in columns. `right` lists the right-aligned ones. */
export function columns(rows: readonly string[][], right: readonly number[]): string {
  const count = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_none, column) =>
    // A row with a single cell is a line of text that doesn't widen the first column.
    Math.max(...rows.map((row) => (row.length === 1 ? 0 : (row[column]?.length ?? 0)))),
  );
  const aligned = (cell: string, column: number) =>
    right.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => row.map(aligned).join('  ').trimEnd()).join('\n');
}

/** Rounds, because more digits would be noise. */
export function number(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}
