import { dateStyles } from './date-styles';
import { sharedTexts } from './shared-texts';
import { visibleFirst, type Sheet } from './sheet';
import { sheetRows } from './sheet-rows';
import { UnreadableWorkbook } from './unreadable-workbook';
import { WorkbookPackage } from './workbook-package';
import { attribute, isTrue, prefixedAttribute, readXml } from './xml';

/** Default path of the workbook part, for files whose relationships don't name it. */
const USUAL_WORKBOOK = 'xl/workbook.xml';

/** Yields the sheets in tab order, hidden ones last. Each is read only when it is needed. */
export async function* xlsxSheets(content: Buffer): AsyncGenerator<Sheet> {
  const parts = await WorkbookPackage.open(content);
  const workbookName = await workbookPart(parts);
  const { tabs, is1904 } = readBook(await parts.read(workbookName));
  const relationships = await parts.relationships(workbookName);
  const partOf = (kind: string): Promise<Buffer> | null => {
    // Some programs write neither shared texts nor styles but still reference their parts.
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
  if (worksheets.length === 0) throw new UnreadableWorkbook('it has no worksheet');
  for (const { target, isHidden } of worksheets.sort(visibleFirst)) {
    yield { ...sheetRows(await parts.read(target), { texts, isDate, is1904 }), isHidden };
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

const NOT_A_WORKBOOK = 'it is a zip file but not an .xlsx workbook';

interface Tab {
  /** Id of the relationship to its part. */
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
