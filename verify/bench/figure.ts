/** Defines a measured value, and prints values as tables. */

/** Returns the smallest value that at least `share` (0 to 1) of all values don't exceed, or NaN if there are no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** A measured value. Goals are always upper bounds. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** Null without a budget. */
  goal: number | null;
  /** Null without a goal. */
  holds: boolean | null;
}

const DIGITS = 1000;

/** Rounds to a thousandth before comparing, so that the printed value and the judged value agree. */
export function figure(name: string, value: number, unit: string, goal: number | null = null): Figure {
  if (!Number.isFinite(value)) throw new Error(`${name} could not be measured`);
  const rounded = Math.round(value * DIGITS) / DIGITS;
  return { name, value: rounded, unit, goal, holds: goal === null ? null : rounded <= goal };
}

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
