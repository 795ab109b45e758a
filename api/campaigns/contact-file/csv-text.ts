import { isUtf8 } from 'node:buffer';
import { inTurns } from './in-turns';
import { refuseFile, type ContactFileRefusal, type RowFaults, type SheetRow } from './result';

const UTF16_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/** Null when the bytes can be read as lines of text; invalid UTF-8 is left to the cells it stands in. */
export function refuseUtf16(content: Buffer): ContactFileRefusal | null {
  const marked = UTF16_MARKS.some((mark) => content.subarray(0, 2).equals(mark));
  // Without a mark, UTF-16 gives itself away by a NUL in one half of its first character.
  const unmarked = content.length >= 2 && (content[0] === 0) !== (content[1] === 0);
  if (!marked && !unmarked) return null;
  return refuseFile('it is encoded in UTF-16; save it as CSV UTF-8');
}

/**
 * Names the cells that hold NUL bytes or bytes that are no UTF-8. The parser puts U+FFFD for the latter, so
 * cells are searched only when the whole content is known to be at fault.
 */
export async function addEncodingFaults(
  content: Buffer,
  rows: readonly SheetRow[],
  faults: RowFaults,
): Promise<void> {
  const hasNul = content.includes(0);
  const isValid = isUtf8(content);
  if (!hasNul && isValid) return;
  const header = rows[0]?.cells ?? [];
  for await (const { row, cells } of inTurns(rows)) {
    for (const [index, value] of cells.entries()) {
      const column = header[index]?.trim() ?? null;
      if (hasNul && value.includes('\0')) {
        faults.add({ row, column, value: value.replaceAll('\0', ''), reason: 'contains a NUL byte' });
      } else if (!isValid && value.includes('\ufffd')) {
        faults.add({ row, column, value, reason: 'is not encoded in UTF-8' });
      }
    }
  }
}
