import { refuseFile, type ContactFileRefusal, type SheetRow } from '../result';
import { chooseSheet } from './choose-sheet';
import type { Sheet } from './sheet';
import { UnreadableWorkbook } from './unreadable-workbook';

export type SheetReader = (content: Buffer) => AsyncIterable<Sheet> | Iterable<Sheet>;

/**
 * Reads an untrusted workbook. Sets no limits, so run it only in a process with limited memory and time. Any exception rejects the file,
 * because few of the readers' many errors mean anything to a person.
 */
export async function readWorkbook(
  content: Buffer,
  sheetsOf: SheetReader,
): Promise<SheetRow[] | ContactFileRefusal> {
  try {
    return await chooseSheet(sheetsOf(content));
  } catch (error) {
    return refuseFile(reasonOf(error));
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof UnreadableWorkbook) return error.message;
  const message = error instanceof Error ? error.message : '';
  if (/password|encrypt/i.test(message)) return 'it is password-protected; save it without a password';
  if (message === 'Cannot find Workbook stream') return 'it is not an Excel workbook';
  return 'it cannot be read as a workbook; open it in a spreadsheet program and save it again as .xlsx';
}
