import { utils, write, type WorkSheet } from '@e965/xlsx';
import { Workbook, type Worksheet } from 'exceljs';
import { zipOf, type ZipPart } from './zip';

export type Row = (string | number | boolean | Date | null)[];

/** An .xlsx with one sheet of these rows, which `fill` may go on with. */
export async function xlsxOf(
  rows: Row[],
  fill: (sheet: Worksheet, workbook: Workbook) => void = () => undefined,
) {
  const workbook = new Workbook();
  const sheet = workbook.addWorksheet('Contacts');
  sheet.addRows(rows);
  fill(sheet, workbook);
  return Buffer.from(await workbook.xlsx.writeBuffer());
}

/** An .xls with one sheet of these rows, which `fill` may go on with. */
export function xlsOf(rows: Row[], fill: (sheet: WorkSheet) => void = () => undefined): Buffer {
  const sheet = utils.aoa_to_sheet(rows, { UTC: true });
  fill(sheet);
  const workbook = utils.book_new();
  utils.book_append_sheet(workbook, sheet, 'Contacts');
  return write(workbook, { type: 'buffer', bookType: 'biff8' }) as Buffer;
}

const WORKBOOK =
  '<workbook xmlns:r="r"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>';
const RELATIONS =
  '<Relationships><Relationship Id="rId1" Type="worksheet" Target="worksheets/sheet1.xml"/></Relationships>';

/** An .xlsx whose only sheet is written by hand, with further parts. */
export function rawXlsx(sheet: Omit<ZipPart, 'name'>, parts: ZipPart[] = []): Buffer {
  return zipOf([
    { name: 'xl/workbook.xml', data: WORKBOOK },
    { name: 'xl/_rels/workbook.xml.rels', data: RELATIONS },
    { name: 'xl/worksheets/sheet1.xml', ...sheet },
    ...parts,
  ]);
}

export const sheetXml = (rows: string): string => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;

/** A row of the hand-written sheet, each cell a text. */
export const rowXml = (row: number, cells: string[]): string =>
  `<row r="${row}">${cells
    .map((text, index) => `<c r="${String.fromCharCode(65 + index)}${row}" t="str"><v>${text}</v></c>`)
    .join('')}</row>`;
