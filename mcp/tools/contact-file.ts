/** Returns the rows as a CSV contact file. It has every column that any row has, with name and phone_number first. */
export function contactFile(rows: readonly Readonly<Record<string, string | number>>[]): string {
  const columns = [...new Set(['name', 'phone_number', ...rows.flatMap((row) => Object.keys(row))])];
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
  return lines.map((cells) => `${cells.map(quoted).join(',')}\n`).join('');
}

const quoted = (cell: string | number): string => `"${String(cell).replaceAll('"', '""')}"`;
