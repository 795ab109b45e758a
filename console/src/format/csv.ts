const SEPARATORS = [',', ';', '\t'];

/** Splits CSV text into rows of cells and drops empty rows. The separator is the one that the first line uses most. */
export function rowsOfCsv(text: string): string[][] {
  const content = text.replace(/^\uFEFF/, '');
  const separator = separatorOf(content);
  const rows: string[][] = [];
  let row: string[] = [];
  // A cell is quoted, with doubled quotes inside, or ends before a separator or a line break.
  const cell = new RegExp(` *"((?:[^"]|"")*)"[^${separator}\\r\\n]*|[^${separator}\\r\\n]*`, 'y');
  for (let at = 0; at <= content.length;) {
    cell.lastIndex = at;
    const [whole = '', quoted] = cell.exec(content) ?? [];
    row.push((quoted === undefined ? whole : quoted.replaceAll('""', '"')).trim());
    at += whole.length;
    if (content[at] !== separator) {
      rows.push(row);
      row = [];
    }
    at += content.startsWith('\r\n', at) ? 2 : 1;
  }
  return rows.filter((cells) => cells.some((each) => each !== ''));
}

function separatorOf(content: string): string {
  const [line = ''] = content.split(/\r?\n/, 1);
  const uses = (separator: string): number => line.split(separator).length;
  return SEPARATORS.toSorted((one, other) => uses(other) - uses(one))[0] ?? ',';
}
