/** Conventions of Excel, and of programs that write for it, in CSV files. */

/** The delimiter can't be a letter, a digit or a quote. */
const FIRST_LINE = /^\ufeff?("?)sep=([^\p{L}\p{N}"\r\n])\1[ \t]*(?:\r\n|\n|\r|$)/iu;

/**
 * Reads a first line such as `sep=;`, which tells Excel the delimiter and isn't a row. Returns the content after it; `delimiter` is null
 * if there is no such line.
 */
export function namedDelimiter(content: Buffer): { delimiter: string | null; content: Buffer } {
  const [line, , delimiter] = FIRST_LINE.exec(content.toString('utf8', 0, 64)) ?? [];
  if (line === undefined || delimiter === undefined) return { delimiter: null, content };
  return { delimiter, content: content.subarray(Buffer.byteLength(line)) };
}

const QUOTE = 0x22;
const EQUALS = 0x3d;

/**
 * Programs write `="0123"` to make Excel keep the zero. This removes the equals sign, which leaves a quoted cell. The same text inside
 * another quoted cell is kept.
 */
export function withoutFormulaSigns(content: Buffer, delimiters: readonly string[]): Buffer {
  if (!content.includes('="')) return content;
  const starts = new Uint8Array(256);
  for (const byte of Buffer.from(`\r\n${delimiters.join('')}`)) starts[byte] = 1;
  const kept = Buffer.allocUnsafe(content.length);
  let length = 0;
  let isQuoted = false;
  let isStart = true;
  for (let at = 0; at < content.length; at += 1) {
    const byte = content[at] ?? 0;
    if (isStart && byte === EQUALS && content[at + 1] === QUOTE) continue;
    if (byte === QUOTE) isQuoted = !isQuoted;
    isStart = !isQuoted && starts[byte] === 1;
    kept[length] = byte;
    length += 1;
  }
  return kept.subarray(0, length);
}

const FORMULA_TEXT = /^="((?:[^"]|"")*)"$/;

/** Returns the text of a cell that was written as `"=""0123"""`. Other formulas are returned unchanged. */
export function formulaText(cell: string): string {
  if (!cell.startsWith('="')) return cell;
  return FORMULA_TEXT.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell;
}

/** Returns the number of cells up to the last one that isn't blank. */
export function filledWidth(cells: readonly string[]): number {
  let width = cells.length;
  while (width > 0 && (cells[width - 1] ?? '').trim() === '') width -= 1;
  return width;
}
