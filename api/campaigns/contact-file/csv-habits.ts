/** The habits of Excel, and of programs that write for it, in csv files. */

/** A letter, a digit or a quote is no delimiter. */
const FIRST_LINE = /^\ufeff?("?)sep=([^\p{L}\p{N}"\r\n])\1[ \t]*(?:\r\n|\n|\r|$)/iu;

/**
 * A first line such as `sep=;` tells Excel the delimiter and is no row. The content is what follows it; `delimiter` is null without
 * such a line.
 */
export function namedDelimiter(content: Buffer): { delimiter: string | null; content: Buffer } {
  const [line, , delimiter] = FIRST_LINE.exec(content.toString('utf8', 0, 64)) ?? [];
  if (line === undefined || delimiter === undefined) return { delimiter: null, content };
  return { delimiter, content: content.subarray(Buffer.byteLength(line)) };
}

const QUOTE = 0x22;
const EQUALS = 0x3d;

/**
 * Programs write `="0123"` so that Excel keeps the zero. Without the equals sign in front, that is a quoted cell. A text within
 * another quoted cell stays as it is.
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

/** The text of a cell that was written as `"=""0123"""`. Any other formula counts by its own text. */
export function formulaText(cell: string): string {
  if (!cell.startsWith('="')) return cell;
  return FORMULA_TEXT.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell;
}

/** How many cells there are up to the last one that holds anything. */
export function filledWidth(cells: readonly string[]): number {
  let width = cells.length;
  while (width > 0 && (cells[width - 1] ?? '').trim() === '') width -= 1;
  return width;
}
