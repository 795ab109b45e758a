import { isUtf8 } from 'node:buffer';
import { inTurns } from '../../../runtime/loop-turn';
import { LOST, refuseFile, type ContactFileRefusal, type RowFaults, type SheetRow } from './result';

const UTF16_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/** Returns null if the content isn't UTF-16. Invalid UTF-8 is reported later, with its cells. */
export function refuseUtf16(content: Buffer): ContactFileRefusal | null {
  const marked = UTF16_MARKS.some((mark) => content.subarray(0, 2).equals(mark));
  // Without a byte order mark, UTF-16 is recognized by a NUL byte in its first character.
  const unmarked = content.length >= 2 && (content[0] === 0) !== (content[1] === 0);
  if (!marked && !unmarked) return null;
  return refuseFile('it is encoded in UTF-16; save it as CSV UTF-8');
}

const HASHES = /^#{3,}$/;
const ERROR = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|SPILL!|CALC!)$/;

/** Reports the cells whose text was lost before the upload, by a wrong encoding or by the spreadsheet that saved it. */
export async function addTextFaults(
  content: Buffer,
  rows: readonly SheetRow[],
  faults: RowFaults,
): Promise<void> {
  const isValid = isUtf8(content);
  // Search the cells only if the whole content shows a sign of lost text.
  const isSuspect = !isValid || ['\0', '#', LOST.character].some((sign) => content.includes(sign));
  if (!isSuspect) return;
  const header = rows[0]?.cells ?? [];
  for await (const { row, cells } of inTurns(rows)) {
    for (const [index, value] of cells.entries()) {
      const reason = textFault(value, isValid);
      if (reason === null) continue;
      const column = header[index]?.trim() ?? null;
      faults.add({ row, column, value: value.replaceAll('\0', ''), reason });
    }
  }
}

function textFault(value: string, isValid: boolean): string | null {
  if (value.includes('\0')) return 'contains a NUL byte';
  // The parser writes U+FFFD for bytes that aren't UTF-8.
  if (value.includes(LOST.character))
    return isValid ? LOST.reason : 'is not encoded in UTF-8; save the file as CSV UTF-8';
  if (!value.startsWith('#')) return null;
  if (HASHES.test(value))
    return 'was saved as #### because its column was too narrow; widen the column and save the file again';
  return ERROR.test(value) ? `contains the formula error ${value}` : null;
}
