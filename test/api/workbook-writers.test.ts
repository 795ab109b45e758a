/** The same two rows as different programs write them, with all part names, prefixes, quotes and cells that Excel can read. */
import type { ContactFileRefusal, SheetRow } from '../../api/campaigns/contact-file/result';
import { readWorkbook } from '../../api/campaigns/contact-file/workbook/read-workbook';
import { xlsxSheets } from '../../api/campaigns/contact-file/workbook/xlsx-sheets';
import { xlsSheets } from '../../api/campaigns/contact-file/workbook/xls-sheets';
import { writtenXlsx, xlsOf, type Written } from './support/workbook';

const read = (content: Buffer) => readWorkbook(content, xlsxSheets);
const rowsOf = (result: SheetRow[] | ContactFileRefusal) =>
  Array.isArray(result) ? result.map(({ row, cells }) => [row, ...cells]) : result;

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const STRICT = 'http://purl.oclc.org/ooxml/spreadsheetml/main';
const STRICT_TYPE = 'http://purl.oclc.org/ooxml/officeDocument/relationships';

const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const HEAD = `<row>${text('name')}${text('phone_number')}${text('due')}</row>`;
const asha = (cell: string): string => `<row>${text('Asha')}${text('9812345600')}${cell}</row>`;
const ROWS = HEAD + asha(text('May'));
const EXPECTED = [
  [1, 'name', 'phone_number', 'due'],
  [2, 'Asha', '9812345600', 'May'],
];
const sheet = (rows: string, more = ''): string =>
  `<worksheet xmlns="${MAIN}">${more}<sheetData>${rows}</sheetData></worksheet>`;
const GOOD = { data: sheet(ROWS) };
const JUNK = {
  data: sheet(`<row>${text('name')}${text('phone')}</row><row>${text('Old')}${text('1')}</row>`),
};

describe.each<[string, Written]>([
  ['sheet.xml', { sheets: [{ target: 'worksheets/sheet.xml', data: sheet(ROWS) }] }],
  ['contacts.xml', { sheets: [{ target: 'worksheets/contacts.xml', data: sheet(ROWS) }] }],
  ['a name with a space', { sheets: [{ target: 'worksheets/my%20sheet.xml', data: sheet(ROWS) }] }],
  ['a name in Hindi', { sheets: [{ target: 'worksheets/शीट.xml', data: sheet(ROWS) }] }],
  ['another ending', { sheets: [{ target: 'worksheets/sheet1.part', data: sheet(ROWS) }] }],
  ['another folder', { sheets: [{ target: '../data/one.xml', data: sheet(ROWS) }] }],
  ['an absolute target', { sheets: [{ target: '/xl/worksheets/a.xml', data: sheet(ROWS) }] }],
  ['a target with ./', { sheets: [{ target: './worksheets/a.xml', data: sheet(ROWS) }] }],
  ['a target with backslashes', { sheets: [{ target: 'worksheets\\a.xml', data: sheet(ROWS) }] }],
  [
    'a part whose name differs in case from its target',
    { sheets: [{ target: 'Worksheets/Sheet1.XML', name: 'xl/worksheets/sheet1.xml', data: sheet(ROWS) }] },
  ],
  [
    'backslashes in the names of parts',
    { sheets: [{ target: 'worksheets/a.xml', name: 'xl\\worksheets\\a.xml', data: sheet(ROWS) }] },
  ],
  [
    'a slash before the names of parts',
    { sheets: [{ target: 'worksheets/a.xml', name: '/xl/worksheets/a.xml', data: sheet(ROWS) }] },
  ],
  ['another name for the workbook', { book: 'xl/workbook2.xml', sheets: [{ data: sheet(ROWS) }] }],
  ['the workbook in another folder', { book: 'office/book/wb.xml', sheets: [{ data: sheet(ROWS) }] }],
  ['the workbook at the top', { book: 'wb.xml', sheets: [{ data: sheet(ROWS) }] }],
  ['no relationship to the workbook', { isNamed: false, sheets: [{ data: sheet(ROWS) }] }],
  [
    'the strict edition',
    {
      namespace: STRICT,
      types: STRICT_TYPE,
      sheets: [{ data: sheet(ROWS).replace(MAIN, STRICT) }],
    },
  ],
  ['single quotes', { sheets: [{ data: sheet(ROWS).replaceAll('"', "'") }] }],
  ['spaces in tags', { sheets: [{ data: sheet(ROWS).replace(/(\w)>/g, '$1\n >') }] }],
  ['spaces around =', { sheets: [{ data: sheet(ROWS).replaceAll('t="inlineStr"', 't = "inlineStr"') }] }],
  [
    'a prefix on every element',
    {
      sheets: [
        {
          data: sheet(ROWS)
            .replace(/<(\/?)(?=\w)/g, '<$1x:')
            .replace('xmlns=', 'xmlns:x='),
        },
      ],
    },
  ],
  ['CDATA', { sheets: [{ data: sheet(ROWS).replace(/<t>(\w+)<\/t>/g, '<t><![CDATA[$1]]></t>') }] }],
  ['character references', { sheets: [{ data: sheet(ROWS).replaceAll('Asha', '&#65;&#x73;ha') }] }],
  ['comments', { sheets: [{ data: sheet(ROWS).replaceAll('<row>', '<!-- a row --><row>') }] }],
  ['a byte order mark', { sheets: [{ data: `\ufeff<?xml version="1.0"?>${sheet(ROWS)}` }] }],
  [
    'UTF-16',
    {
      sheets: [
        { data: Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${sheet(ROWS)}`, 'utf16le') },
      ],
    },
  ],
  ['declared Latin-1', { sheets: [{ data: `<?xml version="1.0" encoding="ISO-8859-1"?>${sheet(ROWS)}` }] }],
  [
    'elements of another namespace among its own',
    {
      sheets: [{ data: sheet(`<o:row xmlns:o="other"><o:c t="str"><o:v>no</o:v></o:c></o:row>${ROWS}`) }],
    },
  ],
  [
    'addresses with dollar signs and in lower case',
    {
      sheets: [
        {
          data: sheet(
            ROWS.replace('<row><c', '<row r="1"><c r="$A$1"')
              .replace('</c><c', '</c><c r="b1"')
              .replace('<row><c', '<row r=" 2 "><c'),
          ),
        },
      ],
    },
  ],
  [
    'a chart before the sheet',
    {
      sheets: [
        { kind: 'chartsheet', target: 'chartsheets/sheet1.xml', data: `<chartsheet xmlns="${MAIN}"/>` },
        { target: 'worksheets/sheet2.xml', data: sheet(ROWS) },
      ],
    },
  ],
  [
    'a hidden and a very hidden sheet before it',
    {
      sheets: [{ ...JUNK, state: 'hidden' }, { ...JUNK, state: 'veryHidden' }, { data: sheet(ROWS) }],
    },
  ],
  [
    'tabs in another order than their parts',
    {
      sheets: [
        { target: 'worksheets/sheet2.xml', data: sheet(ROWS) },
        { target: 'worksheets/sheet1.xml', ...JUNK },
      ],
    },
  ],
  [
    'a sheet that no tab names',
    { sheets: [{ data: sheet(ROWS) }], parts: [{ name: 'xl/worksheets/sheet0.xml', ...JUNK }] },
  ],
  [
    'trash and a mimetype',
    {
      sheets: [{ data: sheet(ROWS) }],
      parts: [
        { name: '[trash]/0000.dat', data: 'x' },
        { name: 'mimetype', data: 'application/vnd.ms-excel' },
      ],
    },
  ],
  [
    'an external relationship with the same kind',
    {
      sheets: [{ data: sheet(ROWS) }],
      relations: '<Relationship Id="x" Type="t/styles" Target="http://x/s.xml" TargetMode="External"/>',
    },
  ],
  [
    'relationships to missing shared texts and styles',
    {
      sheets: [{ data: sheet(ROWS) }],
      relations:
        '<Relationship Id="a" Type="t/styles" Target="styles.xml"/><Relationship Id="b" Type="t/sharedStrings" Target="sharedStrings.xml"/>',
    },
  ],
  ['another prefix for the relationships', { prefix: 'rel', sheets: [{ data: sheet(ROWS) }] }],
])('a workbook with %s', (_what, written) => {
  test('reads a workbook as Excel shows it', async () => {
    expect(rowsOf(await read(writtenXlsx(written)))).toEqual(EXPECTED);
  });
});

const STRINGS =
  `<sst xmlns="${MAIN}"><si><t>name</t></si><si><t>Flat 5_x000D_\nPune</t></si>` +
  '<si><r><t>Ra</t></r><r><rPr><b/></rPr><t xml:space="preserve">vi </t></r><r><t>Rao</t></r>' +
  '<rPh sb="0" eb="1"><t>ignored</t></rPh><phoneticPr fontId="1"/></si><si><t>_x005F_x000D_</t></si></sst>';

/** The text of a cell under `due`, or the fault. */
async function dueOf(cell: string, more: Partial<Written> = {}): Promise<unknown> {
  const data = sheet(HEAD + asha(cell));
  const result = await read(writtenXlsx({ sheets: [{ data }], strings: STRINGS, ...more }));
  return Array.isArray(result) ? result[1]?.cells[2] : result.details[0]?.reason;
}

test.each([
  ['an escape in a shared text', '<c t="s"><v>1</v></c>', 'Flat 5\r\nPune'],
  ['an escape in an inline text', text('Flat 5_x000D_\nPune'), 'Flat 5\r\nPune'],
  [
    'an escape in the text of a formula',
    '<c t="str"><f>A1</f><v>Flat 5_x000D_\nPune</v></c>',
    'Flat 5\r\nPune',
  ],
  ['an escape in lower case', text('Ravi_x000d_Rao'), 'Ravi\rRao'],
  ['an escaped space', '<c t="str"><v>Ravi_x0020_Rao</v></c>', 'Ravi Rao'],
  ['an escaped escape in a shared text', '<c t="s"><v>3</v></c>', '_x000D_'],
  ['an escaped escape in an inline text', text('_x005F_x000D_'), '_x000D_'],
  ['an escaped escape in the text of a formula', '<c t="str"><v>_x005f_x000D_</v></c>', '_x000D_'],
  ['text that only looks like an escape', text('_xyz_ _x12_'), '_xyz_ _x12_'],
  ['an escaped emoji', text('_xD83D__xDE42_'), '\u{1f642}'],
  ['entities in the text of a formula', '<c t="str"><v>&amp;lt; &lt;b&gt;</v></c>', '&lt; <b>'],
  ['runs without their pronunciation', '<c t="s"><v>2</v></c>', 'Ravi Rao'],
  [
    'inline runs without their pronunciation',
    '<c t="inlineStr"><is><r><t>Ra</t></r><r><t>vi</t></r><rPh sb="0" eb="1"><t>x</t></rPh></is></c>',
    'Ravi',
  ],
  ['spaces that must be kept', '<c t="inlineStr"><is><t xml:space="preserve"> May </t></is></c>', ' May '],
  ['a boolean by its number', '<c t="b"><v>0</v></c>', 'false'],
  ['a boolean by its word', '<c t="b"><v>false</v></c>', 'false'],
  ['a true boolean by its word', '<c t="b"><v>true</v></c>', 'true'],
  ['an error', '<c t="e"><v>#REF!</v></c>', 'contains the formula error #REF!'],
  ['an ISO day', '<c t="d"><v>2026-11-02</v></c>', '2026-11-02'],
  ['an ISO day with midnight', '<c t="d"><v>2026-11-02T00:00:00</v></c>', '2026-11-02'],
  ['an ISO instant', '<c t="d"><v>2026-11-02T10:30:05.000Z</v></c>', '2026-11-02T10:30:05'],
  ['a number with spaces around it', '<c><v> 45000\n</v></c>', '45000'],
  ['a number with an exponent', '<c t="n"><v>9.19876543210E11</v></c>', '919876543210'],
  ['a small number', '<c><v>1E-7</v></c>', '0.0000001'],
  ['a whole number with more digits than a double', '<c><v>12345678901234567</v></c>', '12345678901234567'],
  ['a malformed number', '<c><v>12,5</v></c>', 'is not a finite number'],
  ['a value without a type', '<c><is><t>May</t></is></c>', 'May'],
  ['nothing', '<c t="n"><v></v></c>', ''],
])('reads a cell with %s', async (_what, cell, expected) => {
  expect(await dueOf(cell)).toBe(expected);
});

/** A format is the format's code, or @ and the id of a built-in format. */
const FORMATS: [format: string, value: number, expected: string][] = [
  [String.raw`\R\s\.\ #,##0`, 45000, '45000'],
  [String.raw`0\ \d\a\y\s`, 30, '30'],
  [String.raw`0\ \k\m`, 45000, '45000'],
  [String.raw`0\ \h\r\s`, 8, '8'],
  [String.raw`0\ \p\t\s`, 45000, '45000'],
  ['#,##0_M_M_M', 45000, '45000'],
  ['B1#,##0', 45000, '45000'],
  ['0 days', 45000, '45000'],
  ['"due in "0" days"', 45000, '45000'],
  ['[Red]#,##0;[Blue]-#,##0', 45000, '45000'],
  ['[$$-409]#,##0.00', 45000, '45000'],
  ['[$Rs-4009]\\ #,##0', 45000, '45000'],
  ['_ * #,##0_d ;_ * "-"_h ;_ @_ ', 45000, '45000'],
  ['*d#,##0', 45000, '45000'],
  ['0.00E+00', 45000, '45000'],
  ['General', 45000, '45000'],
  [String.raw`General\ \d\a\y\s`, 45000, '45000'],
  ['Standard', 45000, '45000'],
  ['0%', 0.15, '0.15'],
  ['# ?/?', 0.5, '0.5'],
  ['@', 45000, '45000'],
  [';;;', 45000, '45000'],
  ['[h]:mm', 1.09375, '1.09375'],
  ['[h]:mm:ss', 1.09375, '1.09375'],
  ['[mm]:ss', 1.09375, '1.09375'],
  ['[ss].00', 1.09375, '1.09375'],
  ['@46', 1.09375, '1.09375'],
  ['@14', 45000, '2023-03-15'],
  ['@22', 45000.4375, '2023-03-15T10:30:00'],
  ['@45', 0.0038194444, '00:05:30'],
  ['@31', 45000, '2023-03-15'],
  ['dd/mm/yyyy', 45000, '2023-03-15'],
  ['[$-409]d-mmm-yy;@', 45000, '2023-03-15'],
  ['[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', 45000, '2023-03-15'],
  ['yyyy"年"m"月"d"日"', 45000, '2023-03-15'],
  ['B2yyyy-mm-dd', 45000, '2023-03-15'],
  ['[=0]"";dd/mm/yyyy', 45000, '2023-03-15'],
  ['h:mm AM/PM', 0.4375, '10:30:00'],
  ['mm:ss.0', 0.4375, '10:30:00'],
  ['mmm', 45000, '2023-03-15'],
  ['dd/mm/yyyy', 1, '1900-01-01'],
  ['dd/mm/yyyy', -1, 'contains the formula error #####'],
];

const escapedXml = (code: string): string =>
  code.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const styles = (format: string): string =>
  `<styleSheet xmlns="${MAIN}"><numFmts><numFmt numFmtId="164" formatCode="${escapedXml(format)}"/></numFmts>` +
  `<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>` +
  `<cellXfs><xf numFmtId="0"/><xf numFmtId="${format.startsWith('@') && format.length > 1 ? format.slice(1) : 164}"/></cellXfs></styleSheet>`;

test.each(FORMATS)('reads with the .xlsx format %s the number %d as %s', async (format, value, expected) => {
  expect(await dueOf(`<c s="1"><v>${value}</v></c>`, { styles: styles(format) })).toBe(expected);
});

test.each(FORMATS.filter(([format]) => !/^@./.test(format)))(
  'reads with the .xls format %s the number %d as %s',
  async (format, value, expected) => {
    const content = xlsOf(
      [
        ['name', 'phone', 'due'],
        ['Asha', '9812345600'],
      ],
      (written) => {
        written.C2 = { t: 'n', v: value, z: format };
        written['!ref'] = 'A1:C2';
      },
    );
    const result = await readWorkbook(content, xlsSheets);
    expect(Array.isArray(result) ? result[1]?.cells[2] : result.details[0]?.reason).toBe(expected);
  },
);

test.each<[string, string, string]>([
  ['a day', '<c s="1"><v>43538</v></c>', '2023-03-15'],
  ['a time of day', '<c s="1"><v>0.4375</v></c>', '10:30:00'],
])('reads from a workbook with the 1904 date system %s', async (_what, cell, expected) => {
  const properties = '<workbookPr date1904="true"/>';
  expect(await dueOf(cell, { styles: styles('yyyy-mm-dd hh:mm'), properties })).toBe(expected);
});

describe('a clear message', () => {
  const message = async (content: Buffer): Promise<string> => {
    const result = await read(content);
    return Array.isArray(result) ? 'was read' : result.message;
  };

  test.each<[string, Written, string]>([
    [
      'a workbook with a document type',
      {
        sheets: [
          { data: `<!DOCTYPE worksheet [<!ENTITY a "aaaaaaaaaa">]>${sheet(HEAD + asha(text('&a;')))}` },
        ],
      },
      'document type',
    ],
    [
      'a workbook whose only sheet is hidden',
      { sheets: [{ ...GOOD, state: 'hidden' }] },
      'only its hidden sheets contain data',
    ],
    [
      'a workbook whose sheet is missing',
      { sheets: [{ target: 'worksheets/a.xml' }] },
      'xl/worksheets/a.xml is missing',
    ],
    ['a workbook of deep XML', { sheets: [{ data: sheet('<a>'.repeat(100_000)) }] }, 'nested too deeply'],
    [
      'a workbook with a giant attribute',
      { sheets: [{ data: sheet(`<row spans="${'1 '.repeat(300_000)}"/>`) }] },
      'too much text',
    ],
    [
      'a workbook with a giant text in pieces of CDATA',
      { sheets: [{ data: sheet(HEAD + asha(text('<![CDATA[]]>'.repeat(3) + 'x'.repeat(70_000)))) }] },
      'longer than 64 KiB',
    ],
    [
      'a workbook with a text that is missing',
      { sheets: [{ data: sheet('<row><c t="s"><v>7</v></c></row>') }] },
      'damaged',
    ],
  ])('explains the fault of %s', async (_what, written, reason) => {
    expect(await message(writtenXlsx(written))).toContain(reason);
  });

  test('explains the fault of a workbook with only a chart', async () => {
    const chart = { kind: 'chartsheet', target: 'chartsheets/sheet1.xml', data: '<chartsheet/>' };
    expect(await message(writtenXlsx({ sheets: [chart] }))).toContain('no worksheet');
  });

  test('names a visible sheet that lacks the required columns, not a hidden one', async () => {
    const content = writtenXlsx({
      sheets: [{ data: sheet(`<row>${text('x')}</row>`) }, { ...GOOD, state: 'hidden' }],
    });
    expect(await message(content)).toContain('is required but missing');
  });

  test("explains the fault of another program's document", async () => {
    const document = writtenXlsx({
      book: 'word/document.xml',
      bookXml: '<w:document xmlns:w="w"/>',
      sheets: [],
    });
    expect(await message(document)).toContain('not an .xlsx workbook');
    const calc = writtenXlsx({ book: '', sheets: [], parts: [{ name: 'content.xml', data: '<office/>' }] });
    expect(await message(calc)).toContain('OpenDocument file; save it as .xlsx');
    const binary = writtenXlsx({ book: 'xl/workbook.bin', bookXml: 'x', sheets: [] });
    expect(await message(binary)).toContain('save it as .xlsx');
  });
});
