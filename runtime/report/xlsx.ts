import { once } from 'node:events';
import { createRequire } from 'node:module';
import { PassThrough, type Readable } from 'node:stream';
import type * as Exceljs from 'exceljs';
import { inPieces } from '../loop-turn';
import { ROWS_IN_ONE_GO, type ReportCell, type ReportColumn } from './columns';
import type { ReportRow } from '../../domain/report-row';

/** Loads exceljs with the first workbook. It makes up half of the API's modules and would delay the start. */
const exceljs = (): typeof Exceljs => createRequire(__filename)('exceljs') as typeof Exceljs;

/** Excel rejects files with longer cells as damaged. */
const MAX_CELL_LENGTH = 32_767;

/** Writes the report as a workbook. All texts are in cells of type text, so none is a formula. */
export function xlsxReport(columns: readonly ReportColumn[], pages: AsyncIterable<ReportRow[]>): Readable {
  const output = new PassThrough();
  write(output, columns, pages).catch((error: unknown) => {
    output.destroy(
      error instanceof Error ? error : new Error('the report was not written', { cause: error }),
    );
  });
  return output;
}

async function write(
  output: PassThrough,
  columns: readonly ReportColumn[],
  pages: AsyncIterable<ReportRow[]>,
): Promise<void> {
  const workbook = new (exceljs().stream.xlsx.WorkbookWriter)({ stream: output, useSharedStrings: true });
  const sheet = workbook.addWorksheet('Contacts', { views: [{ state: 'frozen', ySplit: 1 }] });
  sheet.columns = columns.map(({ title, width }) => ({ header: title, width }));
  for await (const page of pages) {
    for await (const rows of inPieces(page, ROWS_IN_ONE_GO))
      for (const row of rows) sheet.addRow(columns.map(({ cellOf }) => cell(cellOf(row)))).commit();
    await drained(output);
    // The reader has closed the stream.
    if (output.destroyed) return;
  }
  sheet.commit();
  await workbook.commit();
}

const cell = (value: ReportCell): ReportCell =>
  typeof value === 'string' ? value.slice(0, MAX_CELL_LENGTH) : value;

/** Waits for a slow reader. Otherwise the writer would buffer all rows in memory. */
async function drained(output: PassThrough): Promise<void> {
  if (output.destroyed || !output.writableNeedDrain) return;
  await Promise.race([once(output, 'drain'), once(output, 'close')]);
}
