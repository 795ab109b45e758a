import { Workbook, ValueType, type Cell, type CellValue, type Worksheet } from 'exceljs';
import { errorText, numberText, type CellReading } from './cell-text';
import { dateStyles } from './date-styles';
import { plainSheet } from './plain-sheet';
import { sharedTexts, textsXml } from './plain-texts';
import { visibleFirst, type Sheet, type SheetCells } from './sheet';
import { storedZip } from './stored-zip';
import { UnreadableWorkbook } from './unreadable-workbook';
import { WorkbookPackage } from './workbook-package';
import { attribute, isTrue, prefixedAttribute, readXml } from './xml';

/** Its place where the package names none, as in zips that a program wrote by hand. */
const USUAL_WORKBOOK = 'xl/workbook.xml';

/**
 * The sheets in the order of their tabs, hidden ones last, each read only when it is asked for. exceljs knows parts by their names and one
 * spelling of XML, so it gets each sheet in that spelling, as the only one of a new workbook.
 */
export async function* xlsxSheets(content: Buffer): AsyncGenerator<Sheet> {
  const parts = await WorkbookPackage.open(content);
  const workbookName = await workbookPart(parts);
  const { tabs, is1904 } = readBook(await parts.read(workbookName));
  const relationships = await parts.relationships(workbookName);
  const partOf = (kind: string): Promise<Buffer> | null => {
    // Programs that write neither shared texts nor styles may still name their parts.
    const found = relationships.find((one) => one.kind === kind && parts.has(one.target));
    return found === undefined ? null : parts.read(found.target);
  };
  const [strings, styles] = [await partOf('sharedstrings'), await partOf('styles')];
  const texts = strings === null ? [] : sharedTexts(strings);
  const isDate = styles === null ? () => false : dateStyles(styles);
  const worksheets = tabs.flatMap(({ id, isHidden }) =>
    relationships
      .filter((one) => one.id === id && one.kind === 'worksheet')
      .map(({ target }) => ({ target, isHidden })),
  );
  if (worksheets.length === 0) throw new UnreadableWorkbook('it has no sheet of cells');
  for (const { target, isHidden } of worksheets.sort(visibleFirst)) {
    const sheetTexts = [...texts];
    const { xml, isCut } = plainSheet(await parts.read(target), { texts: sheetTexts, isDate, is1904 });
    yield { rows: rowsOf(await load(xml, sheetTexts)), isCut, isHidden };
  }
}

async function workbookPart(parts: WorkbookPackage): Promise<string> {
  const [document] = (await parts.relationships('')).filter(({ kind }) => kind === 'officedocument');
  const name = document?.target ?? USUAL_WORKBOOK;
  const isBinary = name.toLowerCase().endsWith('.bin');
  if (parts.has(name) && !isBinary) return name;
  if (isBinary || parts.has('xl/workbook.bin'))
    throw new UnreadableWorkbook('it is an .xlsb workbook; save it as .xlsx');
  if (parts.has('content.xml')) throw new UnreadableWorkbook('it is an OpenDocument file; save it as .xlsx');
  throw new UnreadableWorkbook(NOT_A_WORKBOOK);
}

const NOT_A_WORKBOOK = 'it is a zip file, but no .xlsx workbook';

interface Tab {
  /** The id of the relationship that names its part. */
  id: string;
  isHidden: boolean;
}

function readBook(bytes: Buffer): { tabs: Tab[]; is1904: boolean } {
  const tabs: Tab[] = [];
  let is1904 = false;
  readXml(bytes, {
    open: (path, attributes) => {
      if (!path.startsWith('workbook')) throw new UnreadableWorkbook(NOT_A_WORKBOOK);
      if (path === 'workbook/workbookPr') is1904 = isTrue(attribute(attributes, 'date1904'));
      if (path !== 'workbook/sheets/sheet') return;
      const isHidden = /^(hidden|veryHidden)$/i.test(attribute(attributes, 'state') ?? '');
      tabs.push({ id: prefixedAttribute(attributes, 'id') ?? '', isHidden });
    },
  });
  return { tabs, is1904 };
}

const RELATIONS =
  '<Relationships><Relationship Id="r1" Type="worksheet" Target="worksheets/sheet1.xml"/></Relationships>';
const BOOK = '<workbook><sheets><sheet name="Contacts" sheetId="1" r:id="r1"/></sheets></workbook>';

async function load(sheetXml: string, texts: readonly string[]): Promise<Worksheet> {
  const zip = storedZip(
    new Map([
      ['xl/workbook.xml', BOOK],
      ['xl/_rels/workbook.xml.rels', RELATIONS],
      ['xl/sharedStrings.xml', textsXml(texts)],
      ['xl/worksheets/sheet1.xml', sheetXml],
    ]),
  );
  const workbook = new Workbook();
  // Copied, as exceljs declares an ArrayBuffer.
  await workbook.xlsx.load(Uint8Array.from(zip).buffer);
  const [worksheet] = workbook.worksheets;
  if (worksheet === undefined) throw new Error('exceljs read no sheet');
  return worksheet;
}

function* rowsOf(worksheet: Worksheet): Generator<SheetCells> {
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

/** A formula counts by the value that was stored with it. Dates and rich texts come as plain texts. */
function readValue(value: CellValue): CellReading {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return numberText(value);
    case 'boolean':
      return String(value);
    default:
      return value !== null && value !== undefined && 'error' in value ? errorText(value.error) : '';
  }
}
