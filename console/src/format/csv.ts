/** The first rows of a contact file, to show them before it is sent. The API reads the file itself, and its reading counts. */

const DELIMITERS = [',', ';', '\t'] as const;

export interface Preview {
  header: string[];
  rows: string[][];
}

/** Null where the text holds no row. A row that the text cuts off in the middle is left out if there is one before it. */
export function previewOf(text: string, most: number): Preview | null {
  const clean = text.replace(/^\ufeff/, '');
  const [header, ...rows] = DELIMITERS.map((delimiter) => rowsOf(clean, delimiter, most + 1)).reduce(
    (widest, candidate) => ((candidate[0]?.length ?? 0) > (widest[0]?.length ?? 0) ? candidate : widest),
  );
  return header === undefined ? null : { header: header.map((cell) => cell.trim()), rows };
}

function rowsOf(text: string, delimiter: string, most: number): string[][] {
  const rows: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = (): void => {
    cells.push(cell);
    if (cells.some((each) => each.trim() !== '')) rows.push(cells);
    cells = [];
    cell = '';
  };
  for (let at = 0; at < text.length && rows.length < most; at += 1) {
    const char = text.charAt(at);
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (char === '"' && cell === '') isQuoted = true;
    else if (char === delimiter) {
      cells.push(cell);
      cell = '';
    } else if (char === '\n' || char === '\r') {
      if (char === '\r' && text[at + 1] === '\n') at += 1;
      endRow();
    } else cell += char;
  }
  if (rows.length < most && (cell !== '' || cells.length > 0)) endRow();
  return rows;
}
