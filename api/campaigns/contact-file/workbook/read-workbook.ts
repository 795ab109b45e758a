import { type ContactFileRefusal, type SheetRow, refuseFile } from '../result';
import { chooseSheet, type Sheet, UnreadableWorkbook } from './sheet';

/** The parent's only message. */
export interface WorkbookToRead {
  content: Uint8Array;
}

/**
 * Messages to the parent: first the rows in batches, so that the parent can serve other requests in between, then null or the reason for
 * rejection.
 */
export type WorkbookRead = { rows: SheetRow[] } | { refusal: ContactFileRefusal | null };

const ROWS_PER_MESSAGE = 500;

/** Runs the process that reads one workbook. The parent limits its memory and time, and kills it if necessary. */
export function answerParent(sheetsOf: SheetReader): void {
  process.once('message', ({ content }: WorkbookToRead) => {
    void readWorkbook(Buffer.from(content), sheetsOf).then((result) => {
      const rows = Array.isArray(result) ? result : [];
      for (let at = 0; at < rows.length; at += ROWS_PER_MESSAGE)
        send({ rows: rows.slice(at, at + ROWS_PER_MESSAGE) });
      send({ refusal: Array.isArray(result) ? null : result }, () => process.disconnect());
    });
  });
  // Exit when the parent is gone.
  process.once('disconnect', () => process.exit());
}

const send = (answer: WorkbookRead, sent: () => void = () => undefined): void =>
  void process.send?.(answer, sent);

type SheetReader = (content: Buffer) => AsyncIterable<Sheet> | Iterable<Sheet>;

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
