import type { ContactFileRefusal, SheetRow } from '../result';
import { readWorkbook, type SheetReader } from './read-workbook';

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
