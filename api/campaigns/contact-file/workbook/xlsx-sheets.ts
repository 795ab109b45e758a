import { Workbook, ValueType, type Cell, type CellValue, type Worksheet } from 'exceljs';
import { dateText, errorText, numberText, type CellReading } from './cell-text';
import type { Sheet, SheetCells } from './sheet';
import { trimSheet, withAddresses, withoutDefinedNames, withoutPrefix } from './sheet-xml';
import { storedZip } from './stored-zip';
import { UnreadableWorkbook } from './unreadable-workbook';
import { RELATIONS_PART, unpackWorkbook, WORKBOOK_PART, type Parts } from './workbook-parts';

/** Parts of a sheet that hold no values; the reader fails on some that other programs write. */
const IGNORED_NODES = [
  'autoFilter',
  'conditionalFormatting',
  'dataValidations',
  'drawing',
  'extLst',
  'headerFooter',
  'hyperlinks',
  'legacyDrawing',
  'pageSetup',
  'picture',
  'tableParts',
];

const LAST_ROW = 1_048_576;
const DAY_ZERO = '1899-12-30';

/**
 * The visible sheets in the order of their tabs, each read only when it is asked for. Streaming would need less memory, but
 * exceljs 4.4 decodes each chunk of a stream by itself, which breaks letters of several bytes at a chunk's end, and loses rich text.
 */
export async function* xlsxSheets(content: Buffer): AsyncGenerator<Sheet> {
  const { shared, sheets } = await unpackWorkbook(content);
  const parts = new Map([...shared].map(([name, xml]) => [name, withoutPrefix(xml)]));
  parts.set(WORKBOOK_PART, withoutDefinedNames(parts.get(WORKBOOK_PART) ?? ''));
  for (const name of await visibleSheets(parts, [...sheets.keys()])) {
    const { xml, isCut } = trimSheet(withAddresses(withoutPrefix(sheets.get(name) ?? '')));
    const [worksheet] = await load(new Map([...parts, [name, xml]]));
    if (worksheet !== undefined) yield { rows: rowsOf(worksheet), isCut };
  }
}

/** Names of parts in the order of the tabs: which is found by loading the workbook with sheets that hold nothing but their own name. */
async function visibleSheets(parts: Parts, names: string[]): Promise<string[]> {
  const book = [...parts].filter(([name]) => name === WORKBOOK_PART || name === RELATIONS_PART);
  const stubs = names.map((name): [string, string] => [name, sheetThatSays(name)]);
  const worksheets = await load(new Map([...book, ...stubs]));
  return worksheets
    .filter(({ state }) => state === 'visible')
    .map((worksheet) => worksheet.getCell('A1').text);
}

const sheetThatSays = (text: string): string =>
  `<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>${text}</v></c></row></sheetData></worksheet>`;

async function load(parts: Parts): Promise<Worksheet[]> {
  const workbook = new Workbook();
  // Copied, as exceljs declares an ArrayBuffer.
  await workbook.xlsx.load(Uint8Array.from(storedZip(parts)).buffer, { ignoreNodes: IGNORED_NODES });
  return workbook.worksheets;
}

function* rowsOf(worksheet: Worksheet): Generator<SheetCells> {
  if (worksheet.rowCount > LAST_ROW) throw new UnreadableWorkbook('it has rows that no spreadsheet has');
  for (let number = 1; number <= worksheet.rowCount; number += 1) {
    const row = worksheet.findRow(number);
    if (row === undefined) continue;
    const cells: CellReading[] = [];
    row.eachCell({ includeEmpty: false }, (cell, column) => {
      cells[column - 1] = readCell(cell);
    });
    yield { row: number, cells: Array.from(cells, (cell) => cell ?? '') };
  }
}

/** A cell merged downwards has the value for each of its rows; of one merged sideways only the first column has it. */
function readCell(cell: Cell): CellReading {
  const master = cell.type === ValueType.Merge ? cell.master : cell;
  return master.col === cell.col ? readValue(master.value) : '';
}

function readValue(value: CellValue): CellReading {
  if (value === null || value === undefined) return '';
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return numberText(value);
    case 'boolean':
      return String(value);
    default:
      return readObject(value);
  }
}

function readObject(value: Exclude<CellValue, string | number | boolean | null | undefined>): CellReading {
  if (value instanceof Date) return dateText(value, DAY_ZERO);
  if ('error' in value) return errorText(value.error);
  if ('richText' in value) return value.richText.map(({ text }) => text).join('');
  if ('text' in value) return readValue(value.text);
  // A formula counts by the value that was stored with it; one that was never calculated has none.
  return 'result' in value ? readValue(value.result) : '';
}
