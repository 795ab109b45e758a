import { posix } from 'node:path';
import { utils, write, type WorkSheet } from '@e965/xlsx';
import { Workbook, type Worksheet } from 'exceljs';
import { zipOf, type ZipPart } from './zip';

export type Row = (string | number | boolean | Date | null)[];

/** An .xlsx with one sheet of these rows, which `fill` may extend. */
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

/** An .xls with one sheet of these rows, which `fill` may extend. */
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

/** An .xlsx with one hand-written sheet and optional extra parts. */
export function rawXlsx(sheet: Omit<ZipPart, 'name'>, parts: ZipPart[] = []): Buffer {
  return zipOf([
    { name: 'xl/workbook.xml', data: WORKBOOK },
    { name: 'xl/_rels/workbook.xml.rels', data: RELATIONS },
    { name: 'xl/worksheets/sheet1.xml', ...sheet },
    ...parts,
  ]);
}

export const sheetXml = (rows: string): string => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;

/** A hand-written row whose cells are all text. */
export const rowXml = (row: number, cells: string[]): string =>
  `<row r="${row}">${cells
    .map((text, index) => `<c r="${String.fromCharCode(65 + index)}${row}" t="str"><v>${text}</v></c>`)
    .join('')}</row>`;

/** A workbook as any program might write it. By default, fields are as Excel writes them. */
export interface Written {
  /** Path of the workbook part. If empty, no such part is written. */
  book?: string;
  bookXml?: string;
  /** True if the package names the workbook part. */
  isNamed?: boolean;
  namespace?: string;
  /** Prefix of the relationship types, which is also the namespace of `prefix`. */
  types?: string;
  prefix?: string;
  properties?: string;
  /** A sheet without data has no part. */
  sheets: { target?: string; name?: string; kind?: string; state?: string; data?: Buffer | string }[];
  strings?: string;
  styles?: string;
  relations?: string;
  parts?: ZipPart[];
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';
const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export function writtenXlsx(written: Written): Buffer {
  const { book = 'xl/workbook.xml', namespace = MAIN, types = TYPES, prefix = 'r', parts = [] } = written;
  const folder = posix.dirname(book);
  const sheets = written.sheets.map(({ target, name, kind = 'worksheet', state = 'visible', data }, at) => {
    const place = target ?? `worksheets/sheet${at + 1}.xml`;
    const part = name ?? posix.resolve('/', folder, decodeURI(place).replaceAll('\\', '/')).slice(1);
    return { place, part, kind, state, data };
  });
  const shared = [
    ['sharedStrings', written.strings],
    ['styles', written.styles],
  ].flatMap(([kind, data]) => (kind === undefined || data === undefined ? [] : [{ kind, data }]));
  const tabs = sheets.map(
    ({ state }, at) =>
      `<sheet name="Tab ${at}" sheetId="${at + 1}" state="${state}" ${prefix}:id="rId${at + 1}"/>`,
  );
  const bookXml =
    written.bookXml ??
    `<workbook xmlns="${namespace}" xmlns:${prefix}="${types}">${written.properties ?? ''}<sheets>${tabs.join('')}</sheets></workbook>`;
  const relations = [
    written.relations ?? '',
    ...sheets.map(
      ({ kind, place }, at) => `<Relationship Target="${place}" Id="rId${at + 1}" Type="${types}/${kind}"/>`,
    ),
    ...shared.map(({ kind }) => `<Relationship Id="${kind}" Type="${types}/${kind}" Target="${kind}.xml"/>`),
  ];
  const root = `<Relationships xmlns="${PACKAGE}"><Relationship Id="r1" Type="${types}/officeDocument" Target="/${book}"/></Relationships>`;
  const rels = posix.join(folder, '_rels', `${posix.basename(book)}.rels`);
  return zipOf([
    ...(book === ''
      ? []
      : [
          ...(written.isNamed === false ? [] : [{ name: '_rels/.rels', data: root }]),
          { name: book, data: bookXml },
          {
            name: rels,
            data: `<Relationships xmlns="${PACKAGE}">${relations.join('')}</Relationships>`,
          },
        ]),
    ...sheets.flatMap(({ part, data }) => (data === undefined ? [] : [{ name: part, data }])),
    ...shared.map(({ kind, data }) => ({ name: posix.join(folder, `${kind}.xml`), data })),
    ...parts,
  ]);
}
