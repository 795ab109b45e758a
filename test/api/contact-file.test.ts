import { ORDINARY_TYPES } from '../../domain/phone-number';
import { readContactFile } from '../../api/campaigns/contact-file/read-contact-file';

const rules = { allowedCountries: ['IN'], allowedNumberTypes: [...ORDINARY_TYPES] };
const read = (content: string | Buffer, filename = 'contacts.csv') =>
  readContactFile({ filename, content: Buffer.from(content), rules });
const phones = async (content: string | Buffer) => {
  const result = await read(content);
  return 'contacts' in result ? result.contacts.map(({ row, phoneNumber }) => [row, phoneNumber]) : result;
};
const detailsOf = async (content: string | Buffer) => {
  const result = await read(content);
  return 'contacts' in result ? [] : result.details;
};

const ASHA = 'Asha,9876543210';
const one = [[2, '+919876543210']];

test('reads row, name, number and the other columns as text', async () => {
  const result = await read(
    'name,phone_number,Amount, due date \n Asha ,098765 43210,007, Monday\nRavi,9876543211,=1+1,\n',
  );
  expect(result).toEqual({
    format: 'csv',
    columns: ['Amount', 'due date'],
    contacts: [
      {
        row: 2,
        name: 'Asha',
        phoneNumber: '+919876543210',
        variables: { Amount: '007', 'due date': ' Monday' },
        ...{ timezone: null, language: null, duplicateOf: null },
      },
      {
        row: 3,
        name: 'Ravi',
        phoneNumber: '+919876543211',
        variables: { Amount: '=1+1', 'due date': '' },
        ...{ timezone: null, language: null, duplicateOf: null },
      },
    ],
  });
});

test('marks later rows with the same number as duplicates of the first', async () => {
  const result = await read(
    `name,phone\n${ASHA}\nRavi,9876543211\nAsha again,+91 98765 43210\nThird,09876543210\n`,
  );
  expect(result).toMatchObject({
    contacts: [
      { duplicateOf: null },
      { duplicateOf: null },
      { row: 4, duplicateOf: 2 },
      { row: 5, duplicateOf: 2 },
    ],
  });
});

describe('the syntax of a CSV file', () => {
  test.each([
    ['commas', 'name,phone\nAsha,9876543210'],
    ['semicolons', 'name;phone\nAsha;9876543210'],
    ['semicolons around a comma in the header', '"name";phone;"a,b,c"\nAsha;9876543210;x'],
    ['tabs', 'name\tphone\nAsha\t9876543210'],
    ['Unix line ends', `name,phone\n${ASHA}\n`],
    ['Windows line ends', `name,phone\r\n${ASHA}\r\n`],
    ['old Mac line ends', `name,phone\r${ASHA}\r`],
    ['a byte order mark', `\ufeffname,phone\n${ASHA}`],
    ['a byte order mark before a quoted header', `\ufeff"name","phone"\n${ASHA}`],
    ['the columns in another order', 'phone,name\n9876543210,Asha'],
    ['a million trailing empty rows', `name,phone\n${ASHA}\n${',\n'.repeat(1_000_000)}`],
  ])('reads a file with %s', async (_how, content) => {
    expect(await phones(content)).toEqual(one);
  });

  test('skips blank rows, but includes them in row numbers', async () => {
    const content = `name,phone\r\n\r\n${ASHA}\r\n , \r\n"Two\nlines",9876543211\r\n${ASHA}2`;
    expect(await phones(`${content.slice(0, -1)}\r\n`)).toEqual([
      [3, '+919876543210'],
      [5, '+919876543211'],
      [6, '+919876543210'],
    ]);
  });

  test('reads UTF-8 in any script', async () => {
    expect(await read('name,phone\nआशा,9876543210')).toMatchObject({ contacts: [{ name: 'आशा' }] });
  });
});

describe('a required column', () => {
  test.each([
    'name',
    'contact_name',
    'customer_name',
    'full_name',
    'NAME',
    'Full Name',
    'customer-name',
    ' Contact Name ',
  ])('accepts "%s" as the title of the name column', async (title) => {
    expect(await phones(`${title},phone_number\n${ASHA}`)).toEqual(one);
  });

  test.each([
    'phone_number',
    'phone',
    'mobile',
    'contact',
    'contact_number',
    'mobile_number',
    'Phone Number',
    'MOBILE-NUMBER',
    'PhoneNumber',
  ])('accepts "%s" as the title of the number column', async (title) => {
    expect(await phones(`name,${title}\n${ASHA}`)).toEqual(one);
  });

  test.each([
    ['a missing number column', 'name,city\nAsha,Pune', { row: 1, column: 'phone_number', value: null }],
    ['a missing name column', 'title,phone\nAsha,9876543210', { row: 1, column: 'name', value: null }],
    [
      'two columns for the number',
      'name,phone,Mobile\nAsha,9876543210,1',
      { row: 1, column: 'Mobile', reason: 'is a second phone_number column; the first is "phone"' },
    ],
    [
      'two columns for the name',
      'name,Full Name,phone\nA,B,9876543210',
      { row: 1, column: 'Full Name', reason: 'is a second name column; the first is "name"' },
    ],
    [
      'an empty header',
      'name,phone, \nAsha,9876543210,x',
      { row: 1, column: null, value: '', reason: 'has an empty header in column 3' },
    ],
    [
      'a repeated header',
      'name,phone,city,city\nAsha,9876543210,a,b',
      { row: 1, column: 'city', reason: 'is a duplicate header' },
    ],
    [
      'a header that reaches the prototype',
      'name,phone,__proto__\nAsha,9876543210,x',
      { row: 1, column: '__proto__', reason: 'is not an allowed header' },
    ],
  ])('rejects a file with %s', async (_what, content, detail) => {
    expect(await read(content)).toMatchObject({
      code: 'INVALID_CONTACT_FILE',
      details: [detail],
      detailsTotal: 1,
    });
  });

  test('treats headers that differ only in case as two variables', async () => {
    expect(await read(`name,phone,City,city\n${ASHA},a,b`)).toMatchObject({
      contacts: [{ variables: { City: 'a', city: 'b' } }],
    });
  });
});

describe('an invalid row', () => {
  test.each([
    [
      'an empty name',
      `name,phone\n${ASHA}\n ,9876543211`,
      { row: 3, column: 'name', value: '', reason: 'is empty' },
    ],
    [
      'an empty number',
      'name,Mobile No,phone\nAsha,x,',
      { row: 2, column: 'phone', value: '', reason: 'is empty' },
    ],
    [
      'a malformed number',
      'name,Phone Number\nAsha,12345',
      { row: 2, column: 'Phone Number', value: '12345' },
    ],
    [
      'a number of another country',
      'name,phone\nAsha,+442079460018',
      { row: 2, column: 'phone', value: '+442079460018' },
    ],
    [
      'a row that is too short',
      'name,phone,city\nAsha,9876543210',
      { row: 2, column: null, value: null, reason: 'has 2 cells, but the header has 3' },
    ],
    [
      'a row that is too long',
      `name,phone\n${ASHA},x`,
      { row: 2, column: null, reason: 'has 3 cells, but the header has 2' },
    ],
    [
      'a NUL byte',
      'name,phone\nAs\0ha,9876543210',
      { row: 2, column: 'name', value: 'Asha', reason: 'contains a NUL byte' },
    ],
    [
      'bytes that are not UTF-8',
      Buffer.from('name,phone\nJos\xe9,9876543210', 'latin1'),
      { row: 2, column: 'name', reason: 'is not encoded in UTF-8; save the file as CSV UTF-8' },
    ],
    [
      'a quote that is never closed',
      `name,phone\n${ASHA}\n"Ravi,9876543211\n`,
      { row: 3, column: null, reason: 'has an opening quote that is never closed' },
    ],
    ['a quote inside a cell', 'name,phone\nRavi "B" Rao,9876543210', { row: 2, column: null }],
    [
      'more than 100 columns beside name and number',
      `\n\nname,phone${Array.from({ length: 101 }, (_none, index) => `,c${index}`).join('')}\n`,
      {
        row: 3,
        column: null,
        reason: 'has 103 columns; besides name and phone number, at most 100 are allowed',
      },
    ],
    [
      'variables of more than 16 KiB',
      `name,phone,note\n${ASHA},${'x'.repeat(16_000)}\nRavi,9876543211,${'x'.repeat(17_000)}`,
      { row: 3, column: null, reason: 'has more than 16 KiB of variables as JSON' },
    ],
    [
      'a name of more than 255 characters',
      `name,phone\n${'न'.repeat(256)},9876543210`,
      { row: 2, column: 'name', reason: 'is longer than 255 characters' },
    ],
    ['a row longer than 64 KiB', `name,phone\n${'x'.repeat(70_000)},9876543210`, { row: 2, column: null }],
  ])('rejects a file with an invalid row and names the row: %s', async (_what, content, detail) => {
    expect(await read(content)).toMatchObject({
      code: 'INVALID_CONTACT_FILE',
      details: [detail],
      detailsTotal: 1,
    });
  });

  test('lists the first hundred invalid rows and counts all of them', async () => {
    const result = await read(`name,phone\n${'Asha,1\n'.repeat(250)}`);
    expect(result).toMatchObject({
      detailsTotal: 250,
      message:
        'The contact file was rejected: row 2, column "phone" must be a ten-digit Indian number, ' +
        'or start with + and a country code (and 249 more)',
    });
    expect(await detailsOf(`name,phone\n${'Asha,1\n'.repeat(250)}`)).toHaveLength(100);
  });
});

test('accepts 100 variables with a total of 16 KiB per contact', async () => {
  const columns = Array.from({ length: 100 }, (_none, index) => `c${index}`);
  const bare = JSON.stringify(Object.fromEntries(columns.map((name) => [name, '']))).length;
  const cells = columns.map((_name, index) => (index === 0 ? 'x'.repeat(16 * 1024 - bare) : ''));
  const result = await read(`name,phone,${columns.join(',')}\n${ASHA},${cells.join(',')}`);
  expect('contacts' in result && Object.keys(result.contacts[0]?.variables ?? {})).toHaveLength(100);
});

describe('the number of contacts', () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, index) => `Asha,98${String(10_000_000 + index)}`).join('\n\n');

  test('accepts ten thousand contacts', async () => {
    const result = await read(`name,phone\n${rows(10_000)}`);
    expect('contacts' in result && result.contacts.length).toBe(10_000);
  });

  test.each([
    ['ten thousand and one contacts', `name,phone\n${rows(10_001)}`, 'TOO_MANY_CONTACTS'],
    ['eight hundred thousand contacts', `name,phone\n${`${ASHA}\n`.repeat(800_000)}`, 'TOO_MANY_CONTACTS'],
    ['only a header', 'name,phone\n', 'NO_CONTACTS'],
    ['a header and blank rows', 'name,phone\n\n,\n', 'NO_CONTACTS'],
    ['an empty file', '', 'NO_CONTACTS'],
    ['only a byte order mark', '\ufeff', 'NO_CONTACTS'],
    ['ten million line ends', '\n'.repeat(10_000_000), 'NO_CONTACTS'],
    ['a wrong header, which is reported before the count', `a,b\n${rows(10_001)}`, 'INVALID_CONTACT_FILE'],
    ['too many blank rows', `name,phone${'\n'.repeat(200_000)}${ASHA}`, 'INVALID_CONTACT_FILE'],
    ['too many columns', `name,phone${',a'.repeat(2_000)}\n${ASHA}`, 'INVALID_CONTACT_FILE'],
  ])('returns the matching error code for %s', async (_fact, content, code) => {
    expect(await read(content)).toMatchObject({ code });
  });
});

describe('the format of a contact file', () => {
  const zip = Buffer.from([0x50, 0x4b, 0x03, 0x04, 0x14, 0x00]);
  const ole = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0x00]);
  const utf16 = Buffer.from(`name,phone\n${ASHA}`, 'utf16le');

  test.each([
    ['a truncated workbook', zip, 'a.xlsx', 'it is damaged or incomplete'],
    ['a truncated workbook with a .csv name', zip, 'a.csv', 'it is damaged or incomplete'],
    [
      'a truncated old workbook',
      ole,
      'a.xls',
      'it cannot be read as a workbook; open it in a spreadsheet program and save it again as .xlsx',
    ],
    [
      'another extension',
      Buffer.from(`name,phone\n${ASHA}`),
      'a.txt',
      'its name must end in .csv, .xlsx or .xls',
    ],
    [
      'a name without extension',
      Buffer.from(`name,phone\n${ASHA}`),
      'csv',
      'its name must end in .csv, .xlsx or .xls',
    ],
    [
      'UTF-16 with a byte order mark',
      Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]),
      'a.csv',
      'it is encoded in UTF-16; save it as CSV UTF-8',
    ],
    ['a web page', '<html><table>', 'a.xls', 'it is a web page or XML; save it as .xlsx or .csv'],
    ['UTF-16 without a byte order mark', utf16, 'a.csv', 'it is encoded in UTF-16; save it as CSV UTF-8'],
  ])('rejects %s and says how to fix it', async (_fact, content, filename, reason) => {
    expect(await read(content, filename)).toEqual({
      code: 'INVALID_CONTACT_FILE',
      message: `The contact file was rejected: ${reason}`,
      details: [],
      detailsTotal: 0,
    });
  });

  test('accepts CSV text with any of the three extensions, in any case', async () => {
    for (const filename of ['a.CSV', 'a.b.csv', 'a.xlsx', 'a.Xls']) {
      expect(await read(`name,phone\n${ASHA}`, filename)).toHaveProperty('contacts');
    }
  });
});

test('rejects a file with a premium-rate number, and names the row and the reason', async () => {
  const result = await readContactFile({
    filename: 'contacts.csv',
    content: Buffer.from(`name,phone_number\n${ASHA}\nBoris,+449098790000\n`),
    rules: { ...rules, allowedCountries: ['*'] },
  });
  expect(result).toMatchObject({
    code: 'INVALID_CONTACT_FILE',
    details: [
      {
        row: 3,
        column: 'phone_number',
        value: '+449098790000',
        reason: 'is a premium-rate number, which is not an allowed type',
      },
    ],
  });
});
