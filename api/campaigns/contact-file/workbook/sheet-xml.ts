import { MAX_SHEET_ROWS } from '../result';

const EMPTY_CELL = /<c\b[^<>]*\/>|<c\b[^<>]*><\/c>/g;
const EMPTY_ROW = /<row\b[^<>]*\/>|<row\b[^<>]*>\s*<\/row>/g;
const ROOT_PREFIX = /<(\w+):(?:workbook|worksheet|sst|styleSheet|Relationships)\b/;
const ISO_DATE_CELL = /(<c\b[^<>]*\s)t="d"/g;
const MERGES = /<mergeCells\b[^]*?<\/mergeCells>/;
const MERGE = /<mergeCell ref="([A-Z]{1,3})(\d+):([A-Z]{1,3})(\d+)"/g;
const MAX_MERGED_CELLS = 100_000;

const DEFINED_NAMES = /<definedNames>[^]*?<\/definedNames>/;

/** A row or a cell without its address, which the format leaves to the writer. */
const UNADDRESSED = /<(?:c|row)\b(?![^<>]*\sr=)/;
const ROW_OR_CELL = /<(c|row)\b([^<>]*)>/g;
const ADDRESS = /\sr=["']([A-Z]{0,3})(\d+)["']/;

/**
 * The sheet with the addresses that its writer left out: a row follows the one before it, a cell the one to its left. The reader takes
 * rows and cells by their addresses alone.
 */
export function withAddresses(sheetXml: string): string {
  if (!UNADDRESSED.test(sheetXml)) return sheetXml;
  let row = 0;
  let column = 0;
  return sheetXml.replace(ROW_OR_CELL, (tag, kind: string, attributes: string) => {
    const [, letters, digits] = ADDRESS.exec(attributes) ?? [];
    if (kind === 'row') column = 0;
    if (digits === undefined) {
      if (kind === 'row') row += 1;
      else column += 1;
      return `<${kind} r="${kind === 'row' ? '' : columnLetters(column)}${row}"${attributes}>`;
    }
    row = Number(digits);
    if (kind === 'c') column = columnNumber(letters ?? '');
    return tag;
  });
}

/** Some programs write `<x:row>` for `<row>`; the reader knows only the latter. */
export function withoutPrefix(xml: string): string {
  const prefix = ROOT_PREFIX.exec(xml.slice(0, 2_000))?.[1];
  return prefix === undefined ? xml : xml.replaceAll(`<${prefix}:`, '<').replaceAll(`</${prefix}:`, '</');
}

/** Print areas and named ranges are of no use here, and the reader stumbles over those of sheets that it is not given. */
export function withoutDefinedNames(workbookXml: string): string {
  return workbookXml.replace(DEFINED_NAMES, '');
}

/**
 * The sheet without its formatted but empty cells and rows, cut after the last row that could still be read. Spreadsheets save
 * a million empty rows when a whole column is formatted: the reader takes 1 KiB for each.
 */
export function trimSheet(sheetXml: string): { xml: string; isCut: boolean } {
  const xml = sheetXml
    .replace(EMPTY_CELL, '')
    .replace(EMPTY_ROW, '')
    // ISO dates are written as text, which the reader would take for numbers.
    .replace(ISO_DATE_CELL, '$1t="str"');
  const end = endOfRow(xml, MAX_SHEET_ROWS);
  if (end === null) return { xml: withoutGiantMerges(xml), isCut: false };
  return { xml: `${xml.slice(0, end)}</sheetData></worksheet>`, isCut: true };
}

/** The reader makes an object for each cell of a merge, and one may be as large as the sheet: then none is read. */
function withoutGiantMerges(xml: string): string {
  let cells = 0;
  for (const [, left = '', top, right = '', bottom] of xml.matchAll(MERGE)) {
    cells += (columnNumber(right) - columnNumber(left) + 1) * (Number(bottom) - Number(top) + 1);
    if (cells > MAX_MERGED_CELLS) return xml.replace(MERGES, '');
  }
  return xml;
}

function columnNumber(letters: string): number {
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);
}

function columnLetters(number: number): string {
  const letter = String.fromCharCode(65 + ((number - 1) % 26));
  return number > 26 ? columnLetters(Math.floor((number - 1) / 26)) + letter : letter;
}

/** The end of the nth row where more rows follow, else null. */
function endOfRow(xml: string, nth: number): number | null {
  let end = 0;
  for (let row = 0; row < nth; row += 1) {
    const close = xml.indexOf('</row>', end);
    if (close === -1) return null;
    end = close + '</row>'.length;
  }
  return xml.includes('</row>', end) ? end : null;
}
