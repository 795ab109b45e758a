import type { Figure } from './figure';

/** Aligned columns, for a terminal. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, value, unit, goal, holds }) => [
    name,
    number(value),
    unit,
    goal === null ? '' : `<= ${number(goal)}`,
    holds === null ? '' : holds ? 'holds' : 'DOES NOT HOLD',
  ]);
  const all = [['figure', 'value', 'unit', 'goal', ''], ...rows];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) =>
          column === 1 ? cell.padStart(widths[1] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Three places are noise above ten. */
function number(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}
