import type { ContactFileRefusal, SheetRow } from '../result';
import { readWorkbook, type SheetReader } from './read-workbook';

/** What the parent sends, once. */
export interface WorkbookToRead {
  content: Uint8Array;
}

/** What it is answered, once, before the process ends. */
export interface WorkbookRead {
  result: SheetRow[] | ContactFileRefusal;
}

/** The whole life of a process that reads one workbook. The parent limits its memory and time, and kills it. */
export function answerParent(sheetsOf: SheetReader): void {
  process.once('message', ({ content }: WorkbookToRead) => {
    void readWorkbook(Buffer.from(content), sheetsOf).then((result) => {
      const answer: WorkbookRead = { result };
      process.send?.(answer, () => process.disconnect());
    });
  });
  // Nobody else would end it when the parent is gone.
  process.once('disconnect', () => process.exit());
}
