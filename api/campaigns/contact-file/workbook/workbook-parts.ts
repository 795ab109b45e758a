import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { refuseFile } from '../result';

export const WORKBOOK_PART = 'xl/workbook.xml';
export const RELATIONS_PART = 'xl/_rels/workbook.xml.rels';

export const NOT_A_WORKBOOK = refuseFile('it is a zip file, but no .xlsx workbook');

/** What is read of a workbook; drawings, pivot tables and themes are never unpacked. */
const SHARED_PARTS: ReadonlySet<string> = new Set([
  WORKBOOK_PART,
  RELATIONS_PART,
  'xl/sharedStrings.xml',
  'xl/styles.xml',
]);
const SHEET_PART = /^xl\/worksheets\/sheet\d+\.xml$/;

export const isReadPart = (name: string): boolean => SHARED_PARTS.has(name) || SHEET_PART.test(name);

/** XML as text, by name. */
export type Parts = ReadonlyMap<string, string>;

export interface WorkbookParts {
  shared: Parts;
  sheets: Parts;
}

/** Throws when a part is damaged, or longer than the zip's directory says: its size was judged by that. */
export async function unpackWorkbook(content: Buffer): Promise<WorkbookParts> {
  const zip = await fromBufferPromise(content);
  const shared = new Map<string, string>();
  const sheets = new Map<string, string>();
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName;
    if (SHARED_PARTS.has(name)) shared.set(name, await unpack(zip, entry));
    else if (SHEET_PART.test(name)) sheets.set(name, await unpack(zip, entry));
  }
  return { shared, sheets };
}

async function unpack(zip: ZipFile, entry: Entry): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    if (chunk instanceof Buffer) chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16) throw new Error('a part is not in UTF-8');
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}
